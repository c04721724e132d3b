/* What stands beside a verdict: what a pass takes for granted. See check_parts.h. */
#include <stdio.h>
#include <string.h>

#include "cli/check_parts.h"
#include "plan/distinct.h"

/* Of a queue, a stack, a deque: in which order equal values come out cannot show. */
static void say_values(const struct pl_checker *c)
{
    const struct pl_spec *spec = c->against.spec;
    bool ordered = spec == &pl_spec_fifo || spec == &pl_spec_lifo || spec == &pl_spec_deque;
    const struct pl_call *put = NULL;
    int64_t first = 0, value;
    for (size_t i = 0; ordered && !c->shown && i < pl_check_calls(c); i++) {
        const struct pl_call *call = &c->calls[i];
        const struct pl_word *word = c->against.meant[i].word;
        if (!word || word->answer != PL_ANSWER_NONE || !pl_call_value(call, &value))
            continue;
        if (call->marks.data_independent || (put && value != first))
            return;
        put = call;
        first = value;
    }
    if (put)
        (void)printf("  all values put in are %lld: that they come out in the wrong order cannot "
                     "show (another value, or --data-independent %.*s)\n",
                     (long long)first, (int)pl_call_name_length(put), put->shown);
}

static bool has(const struct pl_call_set *set, size_t call)
{
    return set->bits[call / 64] >> call % 64 & 1;
}

/* Without a spec: it has waited for ever in a serial run, and nobody has said that it may. */
static bool waits(const struct pl_checker *c, size_t call)
{
    const struct pl_trial_stats *s = &c->sums.stats;
    return has(&s->waited, call) && !c->calls[call].marks.blocking;
}

/* That a call waits when it is alone is taken to be meant, as by Line-Up; it may be a lock that
 * another call has left locked. */
static void say_waits(struct pl_checker *c)
{
    json_t *waited = json_array();
    for (size_t i = 0; i < pl_check_calls(c) && !c->shown; i++)
        if (waits(c, i)) {
            (void)printf("%s%s",
                         json_array_size(waited)
                             ? ", "
                             : "  waited for ever in some serial run, which is taken to be meant: ",
                         c->calls[i].shown);
            (void)json_array_append_new(waited, json_string(c->calls[i].shown));
        }
    if (json_array_size(waited))
        (void)puts(" (--blocking says so)");
    (void)json_object_set_new(c->execute.more, "waited", waited);
}

void pl_check_print_notes(struct pl_checker *c)
{
    say_values(c);
    say_waits(c);
}

enum pl_status pl_check_returns(const struct pl_checker *c, struct pl_error *error)
{
    bool sizes = false; /* whatever else can be called was called before it, too */
    for (unsigned i = 0; i < c->agenda.stages; i++) {
        const struct pl_stage *s = &c->agenda.stage[i];
        sizes = sizes || (s->kind == PL_STAGE_ALL && s->threads * s->length > 1 &&
                          s->under[0].done == s->total);
    }
    for (size_t i = 0; sizes && !c->shown && i < pl_check_calls(c); i++)
        if (waits(c, i) && !has(&c->sums.stats.returned, i))
            return pl_fail(error, PL_ERR_INPUT,
                           "%s never returns: it waits in every serial run, whatever was called "
                           "before it; if that is meant, add the call that lets it go on, or "
                           "--blocking",
                           c->calls[i].shown);
    return PL_OK;
}
