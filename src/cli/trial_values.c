/* What answers say of values: failures, and whose value a take took. See trial.h. */
#include <string.h>

#include "cli/trial.h"

bool pl_trial_is_failure(const struct pl_trial *t, unsigned i, const struct pl_seen_history *h)
{
    if (t->against) {
        unsigned k = 0;
        while (k + 1 < t->judges && !(t->judge[k].invocations >> i & 1))
            k++;
        return pl_against_is_failing(t->judge[k].against, t->test->operation[i],
                                     h->called[i].response);
    }
    const struct pl_response_text *r = &t->responses.at[h->answer[i]];
    pl_value value = pl_against_number(r->bytes, r->length, 0);
    return pl_response_has_value(r) && (value == 0 || value == PL_NIL ||
                                        (t->deciding->has_empty && value == t->deciding->empty));
}

static pl_value value_of(const struct pl_trial *t, unsigned i, const struct pl_seen_history *h)
{
    const struct pl_response_text *r = &t->responses.at[h->answer[i]];
    return pl_against_last(r->bytes, r->length);
}

static bool puts_in(const struct pl_trial *t, unsigned i, pl_value value)
{
    const struct pl_call *call = &t->calls[t->test->operation[i]];
    struct pl_error ignored;
    int64_t argument[PL_CALL_ARGUMENTS];
    unsigned count = 0;
    if (call->is_table)
        return call->arguments == 1 && call->argument[0] == value;
    return pl_call_numbers(call, argument, PL_CALL_ARGUMENTS, &count, &ignored) == PL_OK &&
           count == 1 && argument[0] == value;
}

/* How many have put this value in that are not called after operation i has returned. */
static unsigned puts_of(const struct pl_trial *t, const struct pl_seen_history *h, unsigned i,
                        pl_value value)
{
    unsigned count = 0;
    for (unsigned k = 0; k < h->head.operations; k++)
        count += (h->head.called >> k & 1) && !(h->order.before[2 * k] >> (2 * i + 1) & 1) &&
                 puts_in(t, k, value);
    return count;
}

bool pl_trial_took_value(const struct pl_trial *t, unsigned i, const struct pl_seen_history *h)
{
    return !t->against && !pl_trial_is_failure(t, i, h) && puts_of(t, h, i, value_of(t, i, h));
}

bool pl_trial_is_inside(const struct pl_trial *t, const struct pl_seen_history *h)
{
    for (unsigned i = 0; i < h->head.operations; i++) {
        if (!(h->head.returned >> i & 1) || !t->calls[t->test->operation[i]].marks.takes_any ||
            pl_trial_is_failure(t, i, h))
            continue;
        unsigned takes = 0;
        for (unsigned k = 0; k < h->head.operations; k++)
            takes += (h->head.returned >> k & 1) &&
                     t->calls[t->test->operation[k]].marks.takes_any &&
                     !pl_trial_is_failure(t, k, h) && value_of(t, k, h) == value_of(t, i, h);
        if (takes > puts_of(t, h, i, value_of(t, i, h)))
            return false;
    }
    return true;
}
