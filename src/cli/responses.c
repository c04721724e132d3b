/* Responses: see responses.h. */
#include "cli/responses.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "result/wire.h"
#include "symbol/symbol.h"

void pl_responses_release(struct pl_responses *r)
{
    for (size_t i = 0; i < r->count; i++) {
        free(r->at[i].bytes);
        free(r->at[i].text);
    }
    free(r->at);
    *r = (struct pl_responses){0};
}

static uint64_t unsigned_of(const uint8_t *bytes, unsigned size)
{
    uint64_t value = 0;
    memcpy(&value, bytes, size < sizeof value ? size : sizeof value);
    return value;
}

static int64_t signed_of(const uint8_t *bytes, unsigned size)
{
    uint64_t value = unsigned_of(bytes, size);
    if (size < 8 && (value >> (8 * size - 1) & 1))
        value |= ~(uint64_t)0 << 8 * size;
    return (int64_t)value;
}

/* With as many digits as it takes to read the same back. */
static void add_float(const uint8_t *bytes, unsigned size, struct pl_strbuf *out)
{
    char text[64] = "";
    float f = 0;
    double d = 0;
    if (size == sizeof f) {
        memcpy(&f, bytes, sizeof f);
        for (int digits = FLT_DIG; digits <= FLT_DECIMAL_DIG; digits++) {
            (void)snprintf(text, sizeof text, "%.*g", digits, (double)f);
            if (strtof(text, NULL) == f)
                break;
        }
    } else {
        memcpy(&d, bytes, size < sizeof d ? size : sizeof d);
        for (int digits = DBL_DIG; digits <= DBL_DECIMAL_DIG; digits++) {
            (void)snprintf(text, sizeof text, "%.*g", digits, d);
            if (strtod(text, NULL) == d)
                break;
        }
    }
    pl_strbuf_add(out, text);
}

/* A block of the heap, by who has allocated it. */
static void add_block(uint64_t number, struct pl_strbuf *out)
{
    unsigned made = number >> 32 & 0xffff, owner = made / PL_BLOCK_NUMBERS;
    pl_strbuf_addf(out, "block %u of ", made % PL_BLOCK_NUMBERS);
    if (owner < PL_BLOCK_THREAD)
        pl_strbuf_addf(out, "call %u", owner + 1);
    else if (owner == PL_BLOCK_THREAD)
        pl_strbuf_add(out, "setup");
    else
        pl_strbuf_addf(out, "thread %u", owner - PL_BLOCK_THREAD);
    if ((uint32_t)number)
        pl_strbuf_addf(out, "+%u", (unsigned)(uint32_t)number);
}

/* As long as there was room for in the response. */
static void add_exception(const uint8_t *bytes, unsigned size, struct pl_strbuf *out)
{
    char name[PL_CHECK_RESPONSE + 1];
    memcpy(name, bytes, size);
    name[size] = '\0';
    char *plain = pl_symbol_plain_type(name);
    pl_strbuf_addf(out, "throws %s", plain);
    free(plain);
}

static void add_value(unsigned kind, const uint8_t *bytes, unsigned size, struct pl_strbuf *out)
{
    uint64_t number = unsigned_of(bytes, size);
    switch ((enum pl_response_kind)kind) {
    case PL_RESPONSE_VOID:
    case PL_RESPONSE_BLOCKS:
        break;
    case PL_RESPONSE_SIGNED:
        pl_strbuf_addf(out, "%lld", (long long)signed_of(bytes, size));
        break;
    case PL_RESPONSE_UNSIGNED:
        pl_strbuf_addf(out, "%llu", (unsigned long long)number);
        break;
    case PL_RESPONSE_BOOL:
        pl_strbuf_add(out, number ? "true" : "false");
        break;
    case PL_RESPONSE_POINTER:
        if (number >> 48 == PL_BLOCK_TAG)
            add_block(number, out);
        else if (number)
            pl_strbuf_addf(out, "0x%llx", (unsigned long long)number);
        else
            pl_strbuf_add(out, "NULL");
        break;
    case PL_RESPONSE_FLOAT:
        add_float(bytes, size, out);
        break;
    case PL_RESPONSE_EMPTY: /* or a mark around the values of a list */
        pl_strbuf_addf(out, "%.*s", size ? 1 : 5, size ? (const char *)bytes : "empty");
        break;
    case PL_RESPONSE_TEXT:
        pl_strbuf_add(out, "\"");
        for (unsigned i = 0; i < size; i++)
            pl_strbuf_addf(out, bytes[i] < ' ' || bytes[i] >= 127 ? "\\x%02x" : "%c", bytes[i]);
        pl_strbuf_add(out, "\"");
        break;
    case PL_RESPONSE_THROWS:
        add_exception(bytes, size, out);
        break;
    case PL_RESPONSE_BYTES:
        pl_strbuf_add(out, "{");
        for (unsigned i = 0; i < size; i++)
            pl_strbuf_addf(out, "%s%02x", i && i % 4 == 0 ? " " : "", bytes[i]);
        pl_strbuf_add(out, "}");
        break;
    }
}

char *pl_response_text(const uint8_t *bytes, unsigned length)
{
    struct pl_strbuf out;
    bool begins = false;
    pl_strbuf_init(&out);
    for (unsigned i = 0; i + 2 <= length && i + 2 + bytes[i + 1] <= length; i += 2 + bytes[i + 1]) {
        bool ends = bytes[i] == PL_RESPONSE_EMPTY && bytes[i + 1] && bytes[i + 2] == ']';
        if (i && out.length && !begins && !ends)
            pl_strbuf_add(&out, " ");
        begins = bytes[i] == PL_RESPONSE_EMPTY && bytes[i + 1] && bytes[i + 2] == '[';
        add_value(bytes[i], bytes + i + 2, bytes[i + 1], &out);
    }
    return pl_strbuf_detach(&out);
}

bool pl_response_has_value(const struct pl_response_text *r)
{
    return r->length >= 2 && r->bytes[0] != PL_RESPONSE_VOID &&
           !(r->bytes[0] == PL_RESPONSE_EMPTY && r->bytes[1]);
}

size_t pl_responses_number(struct pl_responses *r, const uint8_t *bytes, uint8_t length)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->at[i].length == length && memcmp(r->at[i].bytes, bytes, length) == 0)
            return i;
    if (r->count == r->room) {
        r->room = r->room ? 2 * r->room : 32;
        r->at = realloc(r->at, r->room * sizeof *r->at);
        PL_ASSERT(r->at);
    }
    struct pl_response_text *t = &r->at[r->count];
    t->bytes = malloc(length + 1u);
    PL_ASSERT(t->bytes);
    memcpy(t->bytes, bytes, length);
    t->length = length;
    t->text = pl_response_text(bytes, length);
    return r->count++;
}

bool pl_response_has_address(const struct pl_response_text *r)
{
    for (unsigned at = 0; at + 2u <= r->length; at += 2u + r->bytes[at + 1]) {
        const unsigned size = r->bytes[at + 1];
        uint64_t number = at + 2u + size <= r->length ? unsigned_of(r->bytes + at + 2, size) : 0;
        if (r->bytes[at] == PL_RESPONSE_POINTER && number && number >> 48 != PL_BLOCK_TAG)
            return true;
    }
    return false;
}
