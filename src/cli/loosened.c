/* --relax: see loosened.h. */
#include "cli/loosened.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { STRICT, OUT_OF_ORDER, LATENESS, EMPTY, WORDS };
static const char *const word[WORDS] = {"strict", "out-of-order", "lateness", "empty"};
static const unsigned long LARGEST = 1000;

static enum pl_status read_one(const char *at, size_t length, uint32_t *value, bool *given,
                               struct pl_error *error)
{
    unsigned w = 0;
    size_t name = strcspn(at, "=");
    while (w < WORDS && (strlen(word[w]) != name || strncmp(at, word[w], name) != 0))
        w++;
    if (name >= length || w == WORDS)
        return pl_fail(error, PL_ERR_INPUT,
                       "--relax: '%.*s' is none of strict=N, out-of-order=N, lateness=N, empty=N",
                       (int)length, at);
    char *end;
    unsigned long number = strtoul(at + name + 1, &end, 10);
    if (!isdigit((unsigned char)at[name + 1]) || end != at + length || number > LARGEST)
        return pl_fail(error, PL_ERR_INPUT,
                       "--relax: '%.*s': %s needs a whole number from 0 to %lu", (int)length, at,
                       word[w], LARGEST);
    if (given[w])
        return pl_fail(error, PL_ERR_INPUT, "--relax: %s is given twice", word[w]);
    given[w] = true;
    value[w] = (uint32_t)number;
    return PL_OK;
}

enum pl_status pl_loosened_read(const char *text, struct pl_relaxation *out, struct pl_error *error)
{
    uint32_t value[WORDS] = {0};
    bool given[WORDS] = {false};
    enum pl_status status = PL_OK;
    for (const char *at = text; !status;) {
        size_t length = strcspn(at, ",");
        status = read_one(at, length, value, given, error);
        if (!at[length])
            break;
        at += length + 1;
        at += strspn(at, " ");
    }
    if (!status && given[STRICT] && (given[OUT_OF_ORDER] || given[LATENESS]))
        return pl_fail(error, PL_ERR_INPUT,
                       "--relax: strict limits places and lateness itself; give it without "
                       "out-of-order and lateness");
    if (!status && !given[STRICT] && !given[OUT_OF_ORDER] && !given[LATENESS])
        return pl_fail(error, PL_ERR_INPUT,
                       "--relax: empty goes with strict, out-of-order or lateness; exact takes are "
                       "out-of-order=0");
    *out = (struct pl_relaxation){.on = true, .since_head = given[STRICT], .empty = value[EMPTY]};
    out->places = given[STRICT]         ? value[STRICT]
                  : given[OUT_OF_ORDER] ? value[OUT_OF_ORDER]
                                        : PL_RELAXED_ANY;
    out->late = given[STRICT] ? value[STRICT] : given[LATENESS] ? value[LATENESS] : PL_RELAXED_ANY;
    return status;
}

enum pl_status pl_loosened_begin(const struct pl_relaxation *r, struct pl_error *error)
{
    bool both = !r->since_head && r->places != PL_RELAXED_ANY && r->late != PL_RELAXED_ANY;
    if (both || (r->places && r->late))
        return pl_fail(error, PL_ERR_INPUT,
                       "--find-factor looks for one number, from 0: --relax strict=0, "
                       "out-of-order=0 or lateness=0");
    return PL_OK;
}

bool pl_loosened_more(struct pl_relaxation *r, unsigned most)
{
    uint32_t *limit = r->places == PL_RELAXED_ANY ? &r->late : &r->places;
    if (*limit >= most)
        return false;
    ++*limit;
    if (r->since_head)
        r->late = *limit;
    return true;
}

void pl_loosened_print(const struct pl_relaxation *r, struct pl_strbuf *out)
{
    const char *between = "";
    if (r->places != PL_RELAXED_ANY) {
        pl_strbuf_addf(out, "takes at most %u from the head", r->places);
        between = ", ";
    }
    if (r->late != PL_RELAXED_ANY)
        pl_strbuf_addf(out, "%sthe head %s %u takes", between,
                       r->since_head ? "within" : "in every", r->late + 1);
    if (r->empty)
        pl_strbuf_addf(out, ", empty with at most %u in it", r->empty);
}

json_t *pl_loosened_json(const struct pl_relaxation *r)
{
    json_t *object = json_object();
    if (r->since_head)
        json_object_set_new(object, word[STRICT], json_integer(r->places));
    else if (r->places != PL_RELAXED_ANY)
        json_object_set_new(object, word[OUT_OF_ORDER], json_integer(r->places));
    if (!r->since_head && r->late != PL_RELAXED_ANY)
        json_object_set_new(object, word[LATENESS], json_integer(r->late));
    if (r->empty)
        json_object_set_new(object, word[EMPTY], json_integer(r->empty));
    return object;
}

void pl_loosened_write(const struct pl_relaxation *r, struct pl_strbuf *out)
{
    json_t *object = pl_loosened_json(r), *number;
    const char *name, *between = "";
    json_object_foreach(object, name, number)
    {
        pl_strbuf_addf(out, "%s%s=%u", between, name, (unsigned)json_integer_value(number));
        between = ",";
    }
    json_decref(object);
}
