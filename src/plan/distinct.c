/* Equal values told apart: see distinct.h. */
#include "plan/distinct.h"

#include <string.h>

bool pl_call_value(const struct pl_call *call, int64_t *value)
{
    struct pl_error ignored;
    unsigned count;
    return pl_call_numbers(call, value, 1, &count, &ignored) == PL_OK && count == 1;
}

static bool value_at(const struct pl_test *t, unsigned i, const struct pl_call *calls,
                     int64_t *value)
{
    const struct pl_call *call = &calls[t->operation[i]];
    return call->marks.data_independent && pl_call_value(call, value);
}

/* Is the value that of an invocation below `end`? */
static bool is_used(const struct pl_test *t, unsigned end, const struct pl_call *calls,
                    int64_t value)
{
    int64_t other;
    for (unsigned i = 0; i < end; i++)
        if (value_at(t, i, calls, &other) && other == value)
            return true;
    return false;
}

static bool is_like(const struct pl_call *a, const struct pl_call *b)
{
    size_t length = pl_call_name_length(a);
    return a->marks.data_independent && b->marks.data_independent &&
           length == pl_call_name_length(b) && strncmp(a->shown, b->shown, length) == 0;
}

void pl_distinct(struct pl_test *t, const struct pl_call *calls, size_t count)
{
    unsigned invocations = pl_test_count(t);
    int64_t value, other;
    for (unsigned i = 1; count && i < invocations; i++) {
        if (!value_at(t, i, calls, &value) || !is_used(t, i, calls, value))
            continue;
        for (size_t k = 0; k < count; k++)
            if (is_like(&calls[k], &calls[t->operation[i]]) && pl_call_value(&calls[k], &other) &&
                !is_used(t, invocations, calls, other)) {
                t->operation[i] = (uint8_t)k;
                break;
            }
    }
}

bool pl_has_equals(const struct pl_test *t, const struct pl_call *calls, size_t count)
{
    struct pl_test apart = *t;
    bool differs = false;
    pl_distinct(&apart, calls, count);
    for (unsigned i = 0; i < pl_test_count(t); i++)
        differs = differs || apart.operation[i] != t->operation[i];
    return differs;
}
