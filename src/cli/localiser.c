/* A small test from a long history: see localiser.h. */
#include "cli/localiser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/check_parts.h"
#include "cli/interrupt.h"
#include "cli/object_options.h"
#include "explore/sample.h"

static const double ALL_SECONDS = 60, ONE_SECONDS = 5, SHOW_SECONDS = 60, EXPLAIN_SECONDS = 5;

enum { USUAL_REPEAT = 1000, LARGE_EXPLORED = 4000, LARGE_DRAWN = 400, DEPTH = 3 };

struct asking {
    struct pl_checker *checker;
    const char *model;
    double until;
    enum pl_method method;
    uint64_t repeat;
    struct pl_drawing wrong; /* what showed the last test that was wrong */
};

/* One test, every execution of it or some, until then at most. */
static enum pl_status run_drawn(struct pl_checker *c, struct pl_trial *t,
                                const struct pl_test *test, const char *model,
                                struct pl_drawing drawing, double until, struct pl_error *error)
{
    double before = c->until;
    struct pl_wire_options *options = c->execute.options;
    uint64_t executions = options->executions;
    c->until = until;
    options->strategy = drawing.strategy;
    options->depth = drawing.depth;
    if (drawing.most)
        options->executions = drawing.most;
    enum pl_status status = pl_check_trial(c, t, test, model, error);
    c->until = before;
    options->strategy = 0;
    options->executions = executions;
    return status;
}

static enum pl_answer_of_test ask_once(struct asking *a, const struct pl_test *test,
                                       struct pl_drawing drawing)
{
    struct pl_checker *c = a->checker;
    struct pl_trial t;
    struct pl_error ignored;
    double until = pl_now() + ONE_SECONDS;
    bool ran = run_drawn(c, &t, test, a->model, drawing, until < a->until ? until : a->until,
                         &ignored) == PL_OK;
    enum pl_answer_of_test answer = PL_TEST_OPEN;
    if (ran && t.bads)
        answer = PL_TEST_WRONG;
    else if (ran && c->execute.session.exhausted && !t.undecided)
        answer = PL_TEST_RIGHT;
    if (ran)
        c->sums.executions += c->execute.session.executions;
    pl_trial_release(&t);
    if (answer == PL_TEST_WRONG)
        a->wrong = drawing;
    return answer;
}

/*
 * The paper's ways run a test a number of times; ours explores it. A large one is only a way to a
 * smaller one: if the first executions do not answer, some are drawn. Some faults want few switches
 * at the right moments (D-PCT), some many (random).
 */
static enum pl_answer_of_test ask(void *context, const struct pl_test *test)
{
    enum { LARGE = 7 };
    struct asking *a = context;
    bool explores = a->method == PL_METHOD_EXPLORE;
    if (*pl_interrupt_stop())
        return PL_TEST_OPEN;
    bool large = pl_test_count(test) - test->init - test->final >= LARGE;
    const uint64_t drawn = explores ? LARGE_DRAWN : a->repeat;
    const struct pl_drawing explored = {.most = large ? LARGE_EXPLORED : 0},
                            random = {.strategy = PL_SAMPLE_RANDOM, .most = drawn},
                            dpct = {.strategy = PL_SAMPLE_DPCT, .depth = DEPTH, .most = drawn};
    if (!explores)
        return ask_once(a, test, a->method == PL_METHOD_BASIC ? random : dpct);
    enum pl_answer_of_test answer = ask_once(a, test, explored);
    if (large && answer == PL_TEST_OPEN)
        answer = ask_once(a, test, dpct);
    if (large && answer == PL_TEST_OPEN)
        answer = ask_once(a, test, random);
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

/* The test as a file that `plumb check --test @FILE` runs. */
static enum pl_status write_test(const struct pl_checker *c, const struct pl_test *test,
                                 const char *model, struct pl_error *error)
{
    struct pl_strbuf name, text;
    const char *file = c->settings.inputs.text[0], *slash = strrchr(file, '/');
    const char *stem = slash ? slash + 1 : file, *dot = strrchr(stem, '.');
    int length = dot && dot != stem ? (int)(dot - stem) : (int)strlen(stem);
    enum pl_status status = PL_OK;
    if (c->settings.save && strcmp(c->settings.save, "no") == 0)
        return PL_OK;
    pl_strbuf_init(&name);
    pl_strbuf_init(&text);
    for (unsigned n = 1; n == 1 || (n < 1000 && access(name.text, F_OK) == 0); n++) {
        pl_strbuf_clear(&name);
        pl_strbuf_addf(&name, "%.*s-%u.test", length, stem, n);
    }
    pl_test_print(test, c->calls, &text);
    FILE *out = fopen(name.text, "we");
    if (!out || fprintf(out, "%s\n", text.text) < 0 || fclose(out) != 0)
        status = pl_fail_errno(error, "%s: the test cannot be written", name.text);
    pl_strbuf_clear(&text);
    pl_object_again(c, model, name.text, &text);
    if (!status)
        (void)printf("    As a test:  plumb check%s\n\n", text.text);
    pl_strbuf_release(&name);
    pl_strbuf_release(&text);
    return status;
}

/* How many calls each thread makes, as the paper's Table I has them: "4 and 1". */
static void add_per_thread(const struct pl_test *t, struct pl_strbuf *out)
{
    for (unsigned i = 1; i < t->threads; i++)
        pl_strbuf_addf(out, "%s%u",
                       i == 1                ? ""
                       : i + 1 == t->threads ? " and "
                                             : ", ",
                       t->length[i]);
}

static void keep_for_json(struct pl_checker *c, const struct pl_located *found, unsigned together)
{
    json_t *threads = json_array();
    for (unsigned i = 1; i < found->test.threads; i++)
        json_array_append_new(threads, json_integer(found->test.length[i]));
    if (!c->execute.more)
        c->execute.more = json_object();
    json_object_set_new(c->execute.more, "localised",
                        json_pack("{s:i, s:o, s:i, s:i, s:i, s:b, s:i}", "concurrent",
                                  (int)together, "threads", threads, "before",
                                  (int)found->test.init, "after", (int)found->test.final, "of",
                                  (int)found->operations, "minimal", (int)found->minimal, "type",
                                  found->test.final ? 2 : 1));
}

/* Shows the test's violation as `plumb check` does. The same executions as when it was found show
 * it again: others may take for ever to. */
static enum pl_status show(struct pl_checker *c, const struct pl_localising *how,
                           struct pl_error *error)
{
    const struct pl_located *found = &how->located;
    struct pl_trial t;
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    unsigned together = pl_test_count(&found->test) - found->test.init - found->test.final;
    pl_strbuf_addf(&text, "    Localised: %u concurrent call%s out of %u, %s; the threads make ",
                   together, together == 1 ? "" : "s", found->operations,
                   found->minimal ? "minimal: no call can be left out"
                                  : "minimal as sampled: not every smaller test was explored");
    add_per_thread(&found->test, &text);
    pl_strbuf_addf(&text, "; %s. %u tests were asked.\n",
                   found->test.final ? "the fault shows later (type 2)"
                                     : "the fault shows at once (type 1)",
                   found->candidates);
    keep_for_json(c, found, together);
    (void)fputs(text.text, stdout);
    pl_strbuf_release(&text);
    enum pl_status status =
        run_drawn(c, &t, &found->test, how->model, how->drawing, pl_now() + SHOW_SECONDS, error);
    if (!status && t.bads)
        status = pl_check_show_bad(c, &t, t.bad[0], error);
    else if (!status)
        (void)printf("    %s, so that no execution can be shown.\n\n",
                     *pl_interrupt_stop() ? "Interrupted" : "It was not wrong again in a minute");
    if (!status)
        status = write_test(c, &found->test, how->model, error);
    pl_trial_release(&t);
    return status;
}

/* The tests that are asked, in turn: where some thread makes one call, as in all known cases; then
 * without that rule; and under the other model. */
static void search(struct pl_checker *c, struct pl_localise *localise, struct asking *asking,
                   struct pl_localising *how)
{
    static const char *const both[] = {"sc", "rc11"};
    unsigned models = c->model || how->method != PL_METHOD_EXPLORE ? 1 : 2;
    bool ruled = how->method == PL_METHOD_EXPLORE || how->method == PL_METHOD_HEURISTIC;
    localise->whole = how->method != PL_METHOD_EXPLORE;
    for (unsigned i = 0; i < models && !how->found; i++)
        for (unsigned pass = ruled ? 0 : 1; pass < 2 && !how->found; pass++) {
            if (pl_now() >= asking->until || *pl_interrupt_stop())
                return;
            how->model = asking->model = c->model ? c->model : both[i];
            localise->one_of_some = pass == 0;
            pl_localise(localise, &how->located);
            how->found = how->located.found;
        }
}

void pl_localise_find(struct pl_checker *c, const struct pl_case *history, const uint16_t *call,
                      struct pl_localising *how)
{
    struct asking asking = {.checker = c,
                            .until = pl_now() + (how->seconds > 0 ? how->seconds : ALL_SECONDS),
                            .method = (enum pl_method)how->method,
                            .repeat = how->repeat ? how->repeat : USUAL_REPEAT};
    struct pl_operation *operation = meanings(&c->against);
    struct pl_explanation explanation;
    struct pl_budget budget = {.until = pl_check_now() + EXPLAIN_SECONDS,
                               .stop = pl_interrupt_stop()};
    struct pl_case limited = *history;
    struct pl_localise localise = {.history = history,
                                   .explanation = &explanation,
                                   .call = call,
                                   .operation = operation,
                                   .calls = (unsigned)c->against.count,
                                   .ask = ask,
                                   .context = &asking};
    limited.budget = &budget;
    pl_explain(&limited, NULL, 1, &explanation);
    how->found = false;
    search(c, &localise, &asking, how);
    how->drawing =
        asking.wrong; /* shrinking takes what is wrong at once: the last one is the test */
    free(operation);
    pl_explanation_release(&explanation);
}

bool pl_localise_sample(struct pl_checker *c, const struct pl_test *test, unsigned depth,
                        uint64_t executions, uint64_t seed)
{
    struct pl_wire_options *o = c->execute.options;
    uint64_t before = o->executions, seed_before = o->seed;
    struct pl_trial t;
    struct pl_error ignored;
    o->strategy = PL_SAMPLE_DPCT;
    o->depth = (uint8_t)depth;
    o->executions = executions;
    o->seed = seed;
    bool wrong = pl_check_trial(c, &t, test, "sc", &ignored) == PL_OK && t.bads;
    pl_trial_release(&t);
    o->strategy = 0;
    o->executions = before;
    o->seed = seed_before;
    return wrong;
}

enum pl_status pl_localise_history(struct pl_checker *c, const struct pl_case *history,
                                   const uint16_t *call, struct pl_localising *how,
                                   struct pl_error *error)
{
    pl_localise_find(c, history, call, how);
    if (how->found)
        return show(c, how, error);
    (void)printf("    No small test near the conflict shows it (%u were asked); the history is the "
                 "evidence.\n\n",
                 how->located.candidates);
    return PL_OK;
}
