/* A value as its type would print it; pointers by the name of what they point at. */
#include <inttypes.h>
#include <string.h>

#include "report/view.h"
#include "result/layout.h"

static int64_t sign_extended(uint64_t value, uint32_t size)
{
    if (size == 0 || size >= 8)
        return (int64_t)value;
    unsigned shift = 64 - 8 * size;
    return (int64_t)(value << shift) >> shift;
}

static void add_float(uint64_t value, uint32_t size, struct pl_strbuf *out)
{
    if (size == 4) {
        uint32_t bits = (uint32_t)value;
        float number;
        memcpy(&number, &bits, sizeof number);
        pl_strbuf_addf(out, "%g", (double)number);
    } else {
        double number;
        memcpy(&number, &value, sizeof number);
        pl_strbuf_addf(out, "%g", number);
    }
}

bool view_is_of_the_system(uint64_t address)
{
    return address >= UINT64_C(0x7ff000000000) && address < UINT64_C(0x800000000000);
}

/* False: it points at nothing we can name. */
static bool add_pointer(struct view *view, uint32_t at, uint64_t value, struct pl_strbuf *out)
{
    struct pl_symbols *symbols = view->report->symbols;
    struct block *block = view_block(view, at, value);
    enum pl_value ignored;
    if (block) {
        if (block->start != value)
            pl_strbuf_add(out, "&");
        if (block->start == value)
            view_block_name(view, block, out);
        else
            view_place(view, at, value, 0, out, &ignored);
        return true;
    }
    if (value >= PL_WINDOW && value < PL_MAPS_END) {
        pl_strbuf_add(out, "&");
        view_place(view, at, value, 0, out, &ignored);
        return true;
    }
    struct pl_strbuf name;
    pl_strbuf_init(&name);
    const char *function = pl_symbols_function_at(symbols, value);
    bool known = function || pl_symbols_data(symbols, value, 0, &name, &ignored);
    if (known)
        pl_strbuf_addf(out, "&%s", function ? function : name.text);
    pl_strbuf_release(&name);
    return known;
}

void view_value(struct view *view, uint32_t at, uint64_t value, uint32_t size, enum pl_value kind,
                struct pl_strbuf *out)
{
    if (size && size < 8)
        value &= (UINT64_C(1) << (8 * size)) - 1;
    int64_t number = sign_extended(value, size);
    switch (kind) {
    case PL_VALUE_BOOL:
        pl_strbuf_add(out, value ? "true" : "false");
        return;
    case PL_VALUE_FLOAT:
        if (size == 4 || size == 8) {
            add_float(value, size, out);
            return;
        }
        break;
    case PL_VALUE_SIGNED:
        pl_strbuf_addf(out, "%" PRId64, number);
        return;
    case PL_VALUE_CHAR:
        pl_strbuf_addf(out, "%" PRId64, number);
        if (value >= ' ' && value < 127)
            pl_strbuf_addf(out, " '%c'", (char)value);
        return;
    case PL_VALUE_POINTER:
        if (value == 0)
            pl_strbuf_add(out, "NULL");
        else if (!add_pointer(view, at, value, out))
            pl_strbuf_add(out, value < 65536 ? "a wrong pointer" : "a pointer");
        return;
    case PL_VALUE_UNSIGNED:
    case PL_VALUE_UNKNOWN:
        break;
    }
    if (size == 8 && value >= 0x10000 && add_pointer(view, at, value, out))
        return;
    if (size == 8 && view_is_of_the_system(value)) {
        pl_strbuf_add(out, "a pointer");
        return;
    }
    if (kind == PL_VALUE_UNKNOWN && number < 0 && number > -4096)
        pl_strbuf_addf(out, "%" PRId64, number);
    else if (value < UINT32_MAX)
        pl_strbuf_addf(out, "%" PRIu64, value);
    else
        pl_strbuf_addf(out, "0x%" PRIx64, value);
}
