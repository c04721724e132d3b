/* Which columns are alike: see like.h. */
#include "cli/like.h"

#include <string.h>

bool pl_like_passes_on(const struct pl_spec *spec)
{
    return spec == &pl_spec_fifo || spec == &pl_spec_lifo || spec == &pl_spec_bag;
}

/* A value that could be an answer of another meaning (nothing, NULL, -1) is not like others. */
static bool is_nameless(const struct pl_against *a, const struct pl_meant *meant)
{
    pl_value value = meant->operation.argument[0];
    return meant->operation.code != PL_PUT ||
           (value > 0 && !(a->empty_given && value == a->empty_number));
}

static bool same_operation(const struct pl_trial *t, unsigned a, unsigned b)
{
    const struct pl_call *one = &t->calls[a], *two = &t->calls[b];
    size_t length = pl_call_name_length(one);
    return t->against->meant[a].operation.code == t->against->meant[b].operation.code &&
           pl_call_name_length(two) == length && strncmp(one->shown, two->shown, length) == 0;
}

/* Main must not know one of the values. */
static bool main_puts(const struct pl_trial *t)
{
    unsigned count = pl_test_count(t->test), last = count - t->test->final;
    for (unsigned i = 0; i < count; i++)
        if ((i < t->test->init || i >= last) &&
            t->against->meant[t->test->operation[i]].operation.code == PL_PUT)
            return true;
    return false;
}

void pl_like_find(const struct pl_trial *t, struct pl_wire_check *out)
{
    const struct pl_against *a = t->against;
    unsigned first = t->test->init, classes = 0, before = 0;
    if (!t->deciding->like || !a || a->written || a->next || !pl_like_passes_on(a->spec) ||
        main_puts(t))
        return;
    for (unsigned c = 1; c < t->test->threads; c++) {
        unsigned call = t->test->operation[first], previous = before;
        before = call;
        first += t->test->length[c];
        if (t->test->length[c] != 1 || !a->meant[call].word || !is_nameless(a, &a->meant[call]))
            continue;
        classes += !(c > 1 && out->like[c - 1] && same_operation(t, call, previous));
        out->like[c] = (uint8_t)classes;
    }
}
