/* --relax, and the factors of --criterion quasi: see check_parts.h. */
#include <stdio.h>
#include <string.h>

#include "cli/check_parts.h"
#include "cli/loosened.h"

static enum pl_status one_by_one(const struct pl_checker *c, struct pl_error *error)
{
    if (c->settings.jobs > 1)
        return pl_fail(error, PL_ERR_INPUT,
                       "--find-factor looks at one test after the other: without --jobs");
    return PL_OK;
}

/* The spec is relaxed, the criterion is not. */
static enum pl_status read_relax(struct pl_checker *c, struct pl_error *error)
{
    if (c->criterion_given && c->criterion != PL_CRITERION_LINEARIZABLE)
        return pl_fail(error, PL_ERR_INPUT,
                       "--relax is for --criterion linearizable: it is the spec that is relaxed");
    if (c->factor || c->reading)
        return pl_fail(error, PL_ERR_INPUT,
                       "--relax relaxes the spec, --factor and --quasi the criterion: give one or "
                       "the other");
    if (!c->against.spec || c->against.next || !pl_relaxation_fits(c->against.spec))
        return pl_fail(error, PL_ERR_INPUT,
                       "--relax needs --spec fifo, lifo, pqueue or max-pqueue, one object");
    c->criterion = PL_CRITERION_LINEARIZABLE;
    enum pl_status status = pl_loosened_read(c->relax, &c->against.relaxation, error);
    c->find_relaxed = c->find_factor;
    if (!status && c->find_factor)
        status = pl_loosened_begin(&c->against.relaxation, error);
    return !status && c->find_factor ? one_by_one(c, error) : status;
}

static enum pl_status check_options(const struct pl_checker *c, struct pl_error *error)
{
    if (!c->golden && !pl_against_given(&c->against))
        return pl_fail(
            error, PL_ERR_INPUT,
            "--criterion quasi needs the spec of the exact object, --spec, --golden or "
            "the subject's: derived from its own runs, what it relaxes would be the rule");
    if (c->golden && c->deciding.has_empty)
        return pl_fail(error, PL_ERR_INPUT,
                       "--empty: for --criterion quasi what a take of a golden implementation "
                       "answers that finds nothing is found by trying");
    if (c->golden && c->observations)
        return pl_fail(
            error, PL_ERR_INPUT,
            "--observations: for --criterion quasi only those sequences of calls are run "
            "that are needed");
    if (c->against.next)
        return pl_fail(error, PL_ERR_INPUT, "--criterion quasi is for one object, not for several");
    if (c->deciding.decider == PL_DECIDER_ENUMERATE &&
        (c->find_factor || !c->model || strcmp(c->model, "sc") != 0))
        return pl_fail(error, PL_ERR_INPUT,
                       "--decider enumerate decides --criterion quasi under --model sc only, and "
                       "with factors that are given");
    if (!c->factor && !c->own_factor && !c->find_factor)
        return pl_fail(error, PL_ERR_INPUT,
                       "--criterion quasi needs --factor, as 2 or deq=2,enq=0, or --find-factor");
    return c->find_factor ? one_by_one(c, error) : PL_OK;
}

enum pl_status pl_check_read_factor(struct pl_checker *c, struct pl_error *error)
{
    bool asked = c->factor || c->find_factor || c->reading;
    char from[300] = "--factor";
    const char *text = c->factor;
    if (c->relax)
        return read_relax(c, error);
    if (c->criterion_given && c->criterion != PL_CRITERION_QUASI && asked)
        return pl_fail(error, PL_ERR_INPUT,
                       "--factor, --quasi and --find-factor belong to --criterion quasi");
    if (!c->criterion_given && (asked || c->own_factor))
        c->criterion = PL_CRITERION_QUASI;
    if (c->criterion != PL_CRITERION_QUASI)
        return PL_OK;
    enum pl_status status = check_options(c, error);
    if (!status && !text && c->own_factor && !(c->find_factor && c->reading)) {
        size_t line = strcspn(c->own_factor, ":");
        text = c->own_factor + line + (c->own_factor[line] == ':');
        (void)snprintf(from, sizeof from, "%.200s:%.*s: PLUMB_FACTOR", c->settings.inputs.text[0],
                       (int)line, c->own_factor);
    }
    if (!status)
        status = pl_relaxed_init(&c->relaxed, c->reading, c->find_factor, text, from, c->calls,
                                 c->count, error);
    if (status)
        return status;
    for (unsigned g = 0; g < c->relaxed.groups && c->find_factor && c->factor; g++)
        if (c->relaxed.factor[g])
            return pl_fail(error, PL_ERR_INPUT,
                           "--find-factor looks for the numbers: with it --factor only joins "
                           "operations, as push+pop=0");
    c->relaxed.as_given = c->complete == 1;
    pl_relaxed_set_roles(&c->relaxed, &c->against, c->calls);
    if (c->golden)
        status = pl_golden_try_roles(c, error);
    c->deciding.relaxed = &c->relaxed;
    for (size_t i = 0; i < c->given_count && !status; i++) { /* before any is run */
        struct pl_test test = c->given[i];
        status = pl_relaxed_complete(&c->relaxed, &test, error);
    }
    return status;
}
