/* A small test from a long history: see localiser.h. */
#include "cli/localiser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check_parts.h"

static const double ALL_SECONDS = 60, ONE_SECONDS = 5, EXPLAIN_SECONDS = 5;

struct asking {
    struct pl_checker *checker;
    const char *model;
    double until;
};

/* Every execution of the test, or as many as there is time for. */
static enum pl_answer_of_test explore(void *context, const struct pl_test *test)
{
    struct asking *a = context;
    struct pl_checker *c = a->checker;
    struct pl_trial t;
    struct pl_error ignored;
    double before = c->until, now = pl_now();
    c->until = now + ONE_SECONDS < a->until ? now + ONE_SECONDS : a->until;
    bool ran = pl_check_trial(c, &t, test, a->model, &ignored) == PL_OK;
    c->until = before;
    enum pl_answer_of_test answer = PL_TEST_OPEN;
    if (ran && t.kind != PL_FINDING_NONE)
        answer = PL_TEST_WRONG;
    else if (ran && c->execute.session.exhausted && !t.undecided)
        answer = PL_TEST_RIGHT;
    if (ran)
        c->executions += c->execute.session.executions;
    pl_trial_release(&t);
    return answer;
}

static struct pl_operation *meanings(const struct pl_against *a)
{
    struct pl_operation *operation = calloc(a->count + 1u, sizeof *operation);
    PL_ASSERT(operation);
    for (size_t i = 0; i < a->count; i++)
        operation[i] = a->meant[i].operation;
    return operation;
}

/* Shows the test's violation as `plumb check` does. */
static enum pl_status show(struct pl_checker *c, const struct pl_located *found, const char *model,
                           struct pl_error *error)
{
    struct pl_trial t;
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    unsigned together = pl_test_count(&found->test) - found->test.init - found->test.final;
    pl_strbuf_addf(
        &text, "    Localised: %u concurrent call%s out of %u, %s; %s. %u tests were asked.\n",
        together, together == 1 ? "" : "s", found->operations,
        found->minimal ? "minimal: no call can be left out"
                       : "minimal as sampled: not every smaller test was explored",
        found->test.final ? "the fault shows later (type 2)" : "the fault shows at once (type 1)",
        found->candidates);
    (void)fputs(text.text, stdout);
    pl_strbuf_release(&text);
    enum pl_status status = pl_check_trial(c, &t, &found->test, model, error);
    if (!status && t.kind != PL_FINDING_NONE)
        status = pl_check_show_bad(c, &t, error);
    pl_trial_release(&t);
    return status;
}

enum pl_status pl_localise_history(struct pl_checker *c, const struct pl_case *history,
                                   const uint16_t *call, struct pl_error *error)
{
    static const char *const both[] = {"sc", "rc11"};
    struct asking asking = {.checker = c, .until = pl_now() + ALL_SECONDS};
    struct pl_operation *operation = meanings(&c->against);
    struct pl_localise how = {.history = history,
                              .call = call,
                              .operation = operation,
                              .calls = (unsigned)c->against.count,
                              .one_of_some = true,
                              .ask = explore,
                              .context = &asking};
    struct pl_located found = {0};
    struct pl_explanation explanation;
    struct pl_budget budget = {.until = pl_check_now() + EXPLAIN_SECONDS};
    struct pl_case limited = *history;
    limited.budget = &budget;
    pl_explain(&limited, 1, &explanation);
    how.explanation = &explanation;
    /* First where some thread makes one call, as in all known cases; then without that rule. */
    for (unsigned i = 0; i < 4 && !found.found && pl_now() < asking.until; i++) {
        asking.model = c->model ? c->model : both[i / 2];
        how.one_of_some = i % 2 == 0;
        pl_localise(&how, &found);
    }
    free(operation);
    pl_explanation_release(&explanation);
    if (found.found)
        return show(c, &found, asking.model, error);
    (void)printf("    No small test near the conflict shows it (%u were asked); the history is the "
                 "evidence.\n\n",
                 found.candidates);
    return PL_OK;
}
