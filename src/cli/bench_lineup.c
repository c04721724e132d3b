/*
 * Table 2 of Line-Up (Burckhardt, Dern, Musuvathi, Tan, PLDI 2010): 100 random tests of 3x3 for
 * each class. The runs of a row: under sc, with races allowed, and under rc11, where a race is an
 * error of the program.
 */
#include <stdio.h>

#include "cli/bench.h"

static const struct row {
    const char *name, *subject;
    const char *causes; /* bugs, then what is meant */
    /* The paper's: serial histories, tests, minutes a test, preemptions. Below zero: not given. */
    unsigned average, most, pass, fail;
    double minutes_pass, minutes_fail;
    int preemptions;
} table[] = {
    {"Lazy Initialization", "correct/lineup_lazy.c", "", 60, 68, 100, 0, 9.7, -1, 2},
    {"ManualResetEvent(Pre)", "wrong/lineup_reset_event.c", "A", 828, 1680, 93, 7, 12.9, 19.9, 2},
    {"ManualResetEvent", "correct/lineup_reset_event.c", "", 76, 133, 100, 0, 170.5, -1, 2},
    {"SemaphoreSlim", "correct/lineup_semaphore.c", "", 1511, 1680, 100, 0, 18.1, -1, 1},
    {"CountdownEvent", "correct/lineup_countdown.c", "", 410, 1680, 100, 0, 6.3, -1, 2},
    {"ConcurrentDictionary", "correct/lineup_dictionary.c", "", 1678, 1680, 100, 0, 6.8, -1, 1},
    {"ConcurrentQueue(Pre)", "wrong/lineup_queue.c", "B", 1680, 1680, 43, 57, 33.8, 5.7, 2},
    {"ConcurrentQueue", "correct/lineup_queue.c", "", 1680, 1680, 100, 0, 33.7, -1, 2},
    {"ConcurrentLinkedList(Pre)", "wrong/lineup_linked_list.c", "C", 1674, 1680, 80, 20, 5.8, 2.0,
     1},
    {"ConcurrentStack", "correct/lineup_stack.c", "", 1680, 1680, 100, 0, 1.3, -1, 2},
    {"BlockingCollection(Pre)", "wrong/lineup_blocking_collection_pre.c", "D K", 850, 1680, 13, 87,
     109.6, 47.4, 2},
    {"BlockingCollection", "wrong/lineup_blocking_collection.c", "H I K", 259, 501, 43, 57, 205.3,
     68.7, 2},
    {"ConcurrentBag(Pre)", "wrong/lineup_bag.c", "E J", 1680, 1680, 75, 25, 1.7, 0.4, 1},
    {"ConcurrentBag", "correct/lineup_bag.c", "J", 1680, 1680, 87, 13, 0.6, 3.2, 2},
    {"TaskCompletionSource(Pre)", "wrong/lineup_task_source_pre.c", "F", 1432, 1680, 65, 35, 32.9,
     9.4, 2},
    {"TaskCompletionSource", "wrong/lineup_task_source.c", "G", 1209, 1680, 53, 47, 53.3, 3.7, 2},
    {"CancellationTokenSource", "correct/lineup_cancellation_source.c", "", 1680, 1680, 100, 0, 9.6,
     -1, 2},
    {"Barrier", "wrong/lineup_barrier.c", "L", 1166, 1680, 22, 78, 7.0, 1.5, 2},
};
enum { ROWS = sizeof table / sizeof table[0] };
enum { BOUNDED, UNBOUNDED, RC11, RUNS };
static const char *const run_title[RUNS] = {"sc, 2 preemptions", "sc, no bound", "rc11, no bound"};
static const char *const run_key[RUNS] = {"bounded", "unbounded", "rc11"};

static double seconds_of(const struct pl_bench *b, int run)
{
    if (run == RC11 && b->rc11 > 0)
        return b->rc11;
    return run != BOUNDED && b->unbounded > 0 ? b->unbounded : b->seconds;
}

static void print_head(const struct pl_bench *b)
{
    (void)printf(
        "Line-Up, Table 2: %llu random tests of 3x3, seed %llu, at most %g s of the processor a "
        "run (%g s without a bound, %g s under rc11).\n"
        "Paper: serial histories (average, most), tests that pass and fail, minutes a test "
        "(pass, fail).\n"
        "Ours: tests that pass, fail, and were left when the time was over; processor "
        "seconds for all.\n"
        "Under sc races are allowed, under rc11 they are errors.\n\n",
        (unsigned long long)b->tests, (unsigned long long)b->seed, b->seconds,
        seconds_of(b, UNBOUNDED), seconds_of(b, RC11));
    (void)printf("%-25s %-5s | %-32s | %-9s", "", "", "paper", "ours");
    for (int i = 0; i < RUNS; i++)
        (void)printf(" | %-21s", run_title[i]);
    (void)printf("\n%-25s %-5s | %-9s pass fail    min   min | histories", "class", "cause",
                 "histories");
    for (int i = 0; i < RUNS; i++)
        (void)printf(" | pass fail left      s");
    (void)puts("");
}

static void print_minutes(double minutes, int width)
{
    if (minutes < 0)
        (void)printf(" %*s", width, "");
    else
        (void)printf(" %*.1f", width, minutes);
}

static void print_row(const struct row *r, const struct pl_bench_result *of)
{
    const struct pl_bench_result *any = &of[UNBOUNDED];
    uint64_t done = any->pass + any->fail;
    (void)printf("%-25s %-5s | %4u %4u %4u %4u", r->name, r->causes, r->average, r->most, r->pass,
                 r->fail);
    print_minutes(r->minutes_pass, 6);
    print_minutes(r->minutes_fail, 5);
    (void)printf(" | %4.0f %4llu", done ? (double)any->serial / (double)done : 0,
                 (unsigned long long)any->serial_most);
    for (int i = 0; i < RUNS; i++)
        (void)printf(" | %4llu %4llu %4llu %6.1f", (unsigned long long)of[i].pass,
                     (unsigned long long)of[i].fail, (unsigned long long)of[i].left,
                     of[i].processor);
    (void)puts("");
    (void)fflush(stdout);
}

static json_t *row_json(const struct row *r, const struct pl_bench_result *of)
{
    json_t *paper = json_pack("{s:i,s:i,s:i,s:i,s:f,s:i}", "serial", r->average, "serial_most",
                              r->most, "pass", r->pass, "fail", r->fail, "minutes_pass",
                              r->minutes_pass, "preemptions", r->preemptions);
    PL_ASSERT(paper);
    if (r->minutes_fail >= 0)
        (void)json_object_set_new(paper, "minutes_fail", json_real(r->minutes_fail));
    json_t *row = json_pack("{s:s,s:s,s:s,s:s,s:o}", "table", "lineup", "name", r->name, "subject",
                            r->subject, "causes", r->causes, "paper", paper);
    PL_ASSERT(row);
    for (int i = 0; i < RUNS; i++)
        (void)json_object_set_new(row, run_key[i], pl_bench_json(&of[i]));
    return row;
}

/* A class with a cause has a test that fails, one without has none. */
static bool as_in_the_paper(const struct row *r, const struct pl_bench_result *of)
{
    uint64_t fail = of[BOUNDED].fail + of[UNBOUNDED].fail;
    return r->fail ? fail > 0 : !fail && !of[RC11].fail;
}

enum pl_status pl_bench_lineup(struct pl_bench *b, json_t *rows, struct pl_error *error)
{
    print_head(b);
    for (size_t i = 0; i < ROWS; i++) {
        const struct row *r = &table[i];
        struct pl_bench_result result[RUNS];
        enum pl_status status = PL_OK;
        if (!pl_bench_wants(b, r->name))
            continue;
        for (int k = 0; k < RUNS && !status; k++) {
            struct pl_bench_run run = {.subject = r->subject,
                                       .size = "3x3",
                                       .model = k == RC11 ? "rc11" : "sc",
                                       .races_allowed = k != RC11,
                                       .preemptions = k == BOUNDED ? 2 : -1};
            struct pl_bench with = *b;
            with.seconds = seconds_of(b, k);
            status = pl_bench_run(&with, &run, &result[k], error);
            b->interrupted = with.interrupted;
        }
        if (status)
            return status;
        print_row(r, result);
        (void)json_array_append_new(rows, row_json(r, result));
        bool differs = !b->interrupted && !as_in_the_paper(r, result);
        b->differ += differs;
        b->undone += !differs && result[BOUNDED].left;
    }
    return PL_OK;
}
