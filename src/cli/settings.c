/* What the user asked for. */
#include "cli/settings.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "explore/sample.h"

void pl_settings_init(struct pl_settings *s)
{
    *s = (struct pl_settings){
        .executions = 10000,
        .seed = 1,
        .steps = 1000000,
        .stack_kib = 256,
        .jobs = 1,
        .hang_seconds = 5,
    };
}

void pl_settings_release(struct pl_settings *s)
{
    pl_texts_release(&s->inputs);
    pl_texts_release(&s->flags);
    pl_texts_release(&s->arguments);
}

const char *pl_settings_model(const struct pl_settings *s)
{
    static const char *const words[] = {"rc11", "sc", "tso"}; /* PL_MODEL_WORDS */
    return s->explores ? words[s->model] : "sc";
}

enum pl_status pl_settings_strategy(struct pl_settings *s, struct pl_error *error)
{
    static const char *const words[] = {"all", "random", "pct", "dpct"}; /* enum pl_sample_kind */
    enum { USUAL_DEPTH = 3 };
    if (!s->strategy)
        return PL_OK;
    size_t length = strcspn(s->strategy, ":");
    const char *number = s->strategy[length] ? s->strategy + length + 1 : NULL;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i]) != length || strncmp(words[i], s->strategy, length) != 0)
            continue;
        s->sampling = i;
        s->depth = USUAL_DEPTH;
        if (i < PL_SAMPLE_PCT && number)
            break;
        if (!number)
            return PL_OK;
        char *end;
        unsigned long depth = strtoul(number, &end, 10);
        if (!isdigit((unsigned char)*number) || *end || depth < 1 || depth > PL_SAMPLE_DEPTH)
            return pl_fail(error, PL_ERR_INPUT, "--strategy: the depth of %s is 1 to %d, not '%s'",
                           words[i], PL_SAMPLE_DEPTH, number);
        s->depth = (unsigned)depth;
        return PL_OK;
    }
    return pl_fail(error, PL_ERR_INPUT, "--strategy: '%s' is none of all, random, pct:D, dpct:D",
                   s->strategy);
}

enum pl_status pl_settings_preemptions(const struct pl_settings *s, struct pl_error *error)
{
    enum { MOST = 1000 };
    if (!s->preemptions_given)
        return PL_OK;
    if (strcmp(pl_settings_model(s), "sc") != 0)
        return pl_fail(error, PL_ERR_INPUT,
                       "--preemptions: only sc has preemptions to count; add --model sc");
    if (s->sampling)
        return pl_fail(error, PL_ERR_INPUT,
                       "--preemptions: it bounds the search of every execution, not --strategy");
    if (s->preemptions > MOST)
        return pl_fail(error, PL_ERR_INPUT, "--preemptions: at most %d", MOST);
    return PL_OK;
}

void pl_settings_wire(const struct pl_settings *s, struct pl_wire_options *o)
{
    memset(o, 0, sizeof *o);
    o->seed = s->seed;
    o->stride = 1;
    /* With a time only, the time decides. */
    o->executions = s->seconds > 0 && !s->executions_given ? 0 : s->executions;
    o->max_steps = s->steps;
    o->stack_kib = (uint32_t)s->stack_kib;
    o->races = (uint8_t)s->races;
    o->volatile_plain = s->volatiles == 1;
    o->reuse_off = s->reuse == 1;
    o->leaks = s->leaks;
    o->spurious = s->spurious;
    o->keep_going = s->keep_going;
    o->limited = s->executions_given || s->seconds > 0;
    o->check = s->check;
    o->coverage = s->coverage;
    if (s->explores) {
        (void)strncpy(o->explore, pl_settings_model(s), sizeof o->explore - 1);
        o->strategy = (uint8_t)s->sampling;
        o->depth = (uint8_t)s->depth;
        if (!s->sampling)
            o->executions = s->executions_given ? s->executions : 0;
        o->robust = s->robust;
        o->symmetry = s->symmetry == 0 && !s->cc;
        o->helping = s->helping == 0;
        o->preemptions = s->preemptions_given ? (uint32_t)s->preemptions + 1 : 0;
        o->beyond_too = 1;
        o->nondet = (uint32_t)s->nondet;
        o->unroll = s->unroll > UINT32_MAX ? UINT32_MAX : (uint32_t)s->unroll;
    }
}
