/*
 * Which share of the time of exploring checking takes: each row is run with and without a
 * criterion, by turns, and the least time counts. du Toit's thesis calls it negligible (there an
 * execution takes milliseconds); the aim is a tenth.
 *
 * The first rows are all tests of a size, under sc and rc11, as `plumb check` runs them; then
 * single tests of tens of thousands of executions; then random tests of classes that are their own
 * spec, where the serial runs that give it are part of checking.
 */
#include <stdio.h>

#include "cli/bench.h"

enum { TURNS = 5 };

static const char *const both[] = {"sc", "rc11", NULL}, *const sc[] = {"sc", NULL},
                         *const rc11[] = {"rc11", NULL};
static const char *const stack[] = {"push(1),pop() | push(2),pop() | push(3),pop() | pop(),pop()",
                                    NULL};
static const char *const queue[] = {"enq(1),deq(),enq(2) | enq(2),deq() | deq(),enq(1)", NULL};
static const char *const counter[] = {
    "inc(),get() | inc(),get() | inc(),get() | inc(),get() | inc(),get()", NULL};
static const char *const push_pop[] = {"push(1)", "push(2)", "push(3)", "pop()", NULL};
static const char *const inc_get[] = {"inc()", "get()", NULL};

static const struct row {
    const char *name, *subject, *what;
    const char *const *models, *const *given, *const *calls;
    const char *size, *spec;
    int preemptions;
} table[] = {
    {"mpmc queue", "correct/mpmc_queue.c", "all of 2x2", both, NULL, NULL, "2x2", NULL, -1},
    {"Harris list", "correct/harris_list.c", "all of 2x2", both, NULL, NULL, "2x2", NULL, -1},
    {"lazy list", "correct/lazy_list.c", "all of 2x2", both, NULL, NULL, "2x2", NULL, -1},
    {"skip list", "correct/skip_list.c", "all of 2x2", both, NULL, NULL, "2x2", NULL, -1},
    {"elimination stack", "correct/elimination_stack.c", "all of 2x2", both, NULL, NULL, "2x2",
     NULL, -1},
    {"flat combining", "correct/flat_combining.c", "all of 2x2", both, NULL, NULL, "2x2", NULL, -1},
    {"hazard pointers", "correct/hazard_stack.c", "all of 2x2", both, NULL, NULL, "2x2", NULL, -1},
    {"seqlock", "correct/seqlock.c", "all of 2x2", both, NULL, NULL, "2x2", NULL, -1},
    {"Treiber stack", "correct/treiber_stack.c", "one test, sc", sc, stack, push_pop, NULL, "lifo",
     -1},
    {"Treiber stack", "correct/treiber_stack.c", "one test, rc11", rc11, stack, push_pop, NULL,
     "lifo", -1},
    {"mpmc queue", "correct/mpmc_queue.c", "one test, sc", sc, queue, NULL, NULL, NULL, -1},
    {"mpmc queue", "correct/mpmc_queue.c", "one test, rc11", rc11, queue, NULL, NULL, NULL, -1},
    {"counter", "correct/counter.c", "one test, sc", sc, counter, inc_get, NULL, "counter", -1},
    {"counter", "correct/counter.c", "one test, rc11", rc11, counter, inc_get, NULL, "counter", -1},
    {"ConcurrentStack", "correct/lineup_stack.c", "random 3x3, derived", sc, NULL, NULL, "3x3",
     NULL, 2},
    {"SemaphoreSlim", "correct/lineup_semaphore.c", "random 3x3, derived", sc, NULL, NULL, "3x3",
     NULL, 2},
};
enum { ROWS = sizeof table / sizeof table[0] };
enum { EXPLORING, CHECKING, RUNS };

/* Under all its models. */
static enum pl_status run(struct pl_bench *b, const struct row *r, bool unchecked,
                          struct pl_bench_result *sum, struct pl_error *error)
{
    *sum = (struct pl_bench_result){0};
    for (size_t m = 0; r->models[m]; m++) {
        struct pl_bench_result one;
        const struct pl_bench_run with = {.subject = r->subject,
                                          .model = r->models[m],
                                          .given = r->given,
                                          .calls = r->calls,
                                          .size = r->size,
                                          .every = r->preemptions < 0,
                                          .races_allowed = r->preemptions >= 0,
                                          .preemptions = r->preemptions,
                                          .spec = r->spec,
                                          .unchecked = unchecked};
        enum pl_status status = pl_bench_run(b, &with, &one, error);
        if (status)
            return status;
        sum->tests += one.tests;
        sum->left += one.left;
        sum->fail += one.fail;
        sum->executions += one.executions;
        sum->histories += one.histories;
        sum->processor += one.processor;
        sum->seconds += one.seconds;
    }
    return PL_OK;
}

static void keep_least(struct pl_bench_result *least, const struct pl_bench_result *now, bool first)
{
    double processor = least->processor, seconds = least->seconds;
    *least = *now;
    if (!first && processor < least->processor)
        least->processor = processor;
    if (!first && seconds < least->seconds)
        least->seconds = seconds;
}

static double share(double exploring, double checking)
{
    return exploring > 0 ? 100 * (checking - exploring) / exploring : 0;
}

static enum pl_status run_row(struct pl_bench *b, const struct row *r, json_t *rows,
                              struct pl_error *error)
{
    struct pl_bench_result of[RUNS];
    for (int turn = 0; turn < TURNS * RUNS && !b->interrupted; turn++) {
        struct pl_bench_result now;
        int k = turn % RUNS;
        enum pl_status status = run(b, r, k == EXPLORING, &now, error);
        if (status)
            return status;
        keep_least(&of[k], &now, turn < RUNS);
    }
    if (b->interrupted)
        return PL_OK;
    const struct pl_bench_result *without = &of[EXPLORING], *with = &of[CHECKING];
    (void)printf("%-17s  %-19s %5llu %10llu | %7.2f %7.2f %6.0f %% | %7.2f %7.2f %6.0f %%%s\n",
                 r->name, r->what, (unsigned long long)with->tests,
                 (unsigned long long)with->executions, without->processor, with->processor,
                 share(without->processor, with->processor), without->seconds, with->seconds,
                 share(without->seconds, with->seconds),
                 with->left || without->left ? "  (not done)" : "");
    (void)fflush(stdout);
    json_t *row = json_pack("{s:s,s:s,s:s,s:s,s:o,s:o}", "table", "checking", "name", r->name,
                            "subject", r->subject, "what", r->what, "exploring",
                            pl_bench_json(without), "checking", pl_bench_json(with));
    PL_ASSERT(row);
    (void)json_array_append_new(rows, row);
    bool done = !with->left && !without->left;
    b->undone += !done;
    b->differ += with->fail || (done && with->executions != without->executions);
    return PL_OK;
}

enum pl_status pl_bench_checking(struct pl_bench *b, json_t *rows, struct pl_error *error)
{
    enum pl_status status = PL_OK;
    (void)printf(
        "What checking adds to exploring: seconds without a criterion and with it, the "
        "least of %d runs by turns;\nof the processor, all processes, and by the clock.\n\n"
        "%-37s %5s %10s | %-24s | by the clock\n",
        TURNS, "", "tests", "executions", "exploring, checking too");
    for (size_t i = 0; i < ROWS && !status; i++)
        if (pl_bench_wants(b, table[i].name))
            status = run_row(b, &table[i], rows, error);
    return status;
}
