/*
 * Round-Up (Zhang, Chattopadhyay, Wang), Tables II, III and V. The first two are the same tests
 * under linearizability and under quasi linearizability with a factor of 2 (3 where it says so);
 * Table III runs under each of the three readings. In Table V one call on each of two threads
 * stands between calls of the main thread.
 *
 * The paper gives the number of calls of each thread, not which: here the values are put by the
 * threads and taken by them and the main thread, as many as were put; takes are added at the end of
 * tests as docs/quasi.md says. Seconds are those of the paper, of Phase 2.
 */
#include <stdio.h>
#include <string.h>

#include "check/quasi.h"
#include "cli/bench.h"

enum kind { QUEUE, STACK, PQUEUE, WAITING_QUEUE };

static const struct row {
    const char *name, *subject, *size;
    enum kind kind;
    bool wrong, quasi_wrong;       /* the paper's verdicts */
    double seconds, quasi_seconds; /* 0: not in the table */
    double three_seconds;          /* with a factor of 3 */
} tables[] = {
    {"IQueue", "wrong/quasi_null_queue.c", "2*2+0", QUEUE, true, true, 0.3, 0, 0},
    {"Herlihy/Wing queue", "correct/hw_queue.c", "2*2+0", WAITING_QUEUE, false, false, 0.2, 0, 0},
    {"Quasi Queue", "correct/quasi_queue.c", "2*2+4", QUEUE, true, false, 2.5, 2.9, 0},
    {"Quasi Queue", "correct/quasi_queue.c", "3*3+4", QUEUE, true, false, 43.7, 333, 0},
    {"Quasi Queue", "correct/quasi_queue.c", "2*3+3", QUEUE, true, false, 8.3, 9.6, 14.9},
    {"Quasi Queue", "correct/quasi_queue.c", "3*3+2", QUEUE, true, false, 83, 94, 156},
    {"Quasi Queue", "correct/quasi_queue.c", "3*4+1", QUEUE, true, false, 308, 340, 615},
    {"Quasi Queue", "correct/quasi_queue.c", "4*4+0", QUEUE, true, false, 2254, 2456, 4172},
    {"Quasi Queue b1", "wrong/quasi_queue_b1.c", "2*2+4", QUEUE, true, true, 17.8, 20.1, 0},
    {"Quasi Queue b2", "wrong/quasi_queue_b2.c", "2*2+4, the main thread first", QUEUE, true, true,
     18.1, 20.2, 0},
    {"Quasi Queue b3", "wrong/quasi_queue_b3.c", "2*2+4", QUEUE, true, true, 26.9, 31.0, 0},
    {"Quasi Stack b1", "wrong/quasi_stack_b1.c", "2*2+4", STACK, true, true, 1.6, 3.5, 0},
    {"Quasi Stack b2", "wrong/quasi_stack_b2.c", "2*2+4", STACK, true, true, 2.5, 2.8, 0},
    {"Quasi Stack", "correct/quasi_stack.c", "2*2+4", STACK, false, false, 2.5, 2.8, 0},
    {"Quasi Priority Queue", "correct/quasi_pqueue.c", "2*2+4", PQUEUE, true, false, 4.9, 4.7, 0},
    {"Quasi Priority Queue b2", "wrong/quasi_pqueue_b2.c", "2*2+4", PQUEUE, true, true, 27.0, 20.0,
     0},
};
enum { ROWS = sizeof tables / sizeof tables[0] };

/* The calls of a size: a put is P, with its value, a take T; then the main thread's. */
static const struct {
    const char *size, *test, *final, *init;
} tests[] = {
    {"2*2+0", "P1,T|P2,T", NULL, NULL},
    {"2*2+4", "P1,P2|P3,P4", "T,T,T,T", NULL},
    {"2*2+4, the main thread first", "T,T|T,T", NULL, "P1,P2,P3,P4"},
    {"3*3+4", "P1,P2,P3|P4,P5,T", "T,T,T,T", NULL},
    {"2*3+3", "P1,P2|P3,P4,T", "T,T,T", NULL},
    {"3*3+2", "P1,P2,T|P3,P4,T", "T,T", NULL},
    {"3*4+1", "P1,P2,T|P3,P4,T,T", "T", NULL},
    {"4*4+0", "P1,P2,T,T|P3,P4,T,T", NULL, NULL},
};

static const struct {
    const char *put, *take, *factor[2]; /* of takes, 2 and 3 */
} words[] = {
    [QUEUE] = {"enq", "deq", {"deq=2,enq=0", "deq=3,enq=0"}},
    [STACK] = {"push", "pop", {"pop=2,push=0", "pop=3,push=0"}},
    [PQUEUE] = {"insert", "take", {"take=2,insert=0", "take=3,insert=0"}},
    [WAITING_QUEUE] = {"enq", "deq", {"deq=2,enq=0", "deq=3,enq=0"}},
};

static const char *const queue_calls[] = {"enq(1)", "enq(2)", "enq(3)", "enq(4)", "enq(5)",
                                          "enq(6)", "enq(7)", "deq()",  NULL};
static const char *const stack_calls[] = {"push(1)", "push(2)", "push(3)", "push(4)", "push(5)",
                                          "push(6)", "push(7)", "pop()",   NULL};

static const struct scal {
    const char *name, *subject, *setup;
    enum kind kind;
    bool listed; /* its file has no calls */
    struct {
        const char *init, *test, *final;
        bool wrong;
        double seconds;
    } with[3]; /* put and take, two puts, two takes */
} scal[] = {
#define QUEUES(a, sa, b, sb, c, sc)                                                                \
    {                                                                                              \
        {"P1,P2,P3,P4,P5,P6", "P7|T", "T,T,T,T,T,T", a, sa},                                       \
            {"P1,P2,P3,P4,P5", "P6|P7", "T,T,T,T,T,T,T", b, sb},                                   \
        {                                                                                          \
            "P1,P2,P3,P4,P5,P6,P7", "T|T", "T,T,T,T,T", c, sc                                      \
        }                                                                                          \
    }
    {"sl-queue", "wrong/quasi_list_queue.c", NULL, QUEUE, false,
     QUEUES(false, 1.61, true, 1.78, true, 7.21)},
    {"t-stack", "correct/treiber_stack.c", NULL, STACK, true,
     QUEUES(false, 7.77, false, 7.78, false, 7.63)},
    {"ms-queue", "correct/ms_queue.c", "queue_init()", QUEUE, true,
     QUEUES(false, 2.94, false, 32.47, false, 12.33)},
    {"rd-queue", "correct/quasi_random_queue.c", NULL, QUEUE, false,
     QUEUES(false, 5.97, false, 37.83, false, 7.31)},
    {"bk-queue", "correct/quasi_k_fifo_bounded.c", NULL, QUEUE, false,
     QUEUES(false, 34.45, false, 50.98, false, 28.11)},
    {"ubk-queue", "correct/quasi_k_fifo.c", NULL, QUEUE, false,
     QUEUES(false, 35.71, false, 61.94, false, 68.21)},
    /* the error needs a top segment that was emptied */
    {"k-stack",
     "wrong/quasi_k_stack.c",
     NULL,
     STACK,
     false,
     {{"P1,P2,P3,P4,P5,T", "P6|T", "T,T,T,T,T,T", true, 89},
      {"P1,P2,P3,P4,P5", "P6|P7", "T,T,T,T,T,T,T", false, 15.13},
      {"P1,P2,P3,P4,P5,P6,P7", "T|T", "T,T,T,T,T", false, 9.46}}},
};
enum { SCAL = sizeof scal / sizeof scal[0] };
static const char *const pairs[] = {"put+take", "put+put", "take+take"};

/* P3 -> enq(3), T -> deq(). */
static void spell(enum kind kind, const char *text, char *out, size_t room)
{
    size_t used = 0;
    out[0] = '\0';
    for (const char *at = text; *at && used + 16 < room; at++) {
        const char *word = *at == 'P' ? words[kind].put : *at == 'T' ? words[kind].take : NULL;
        int length = *at == 'P'   ? snprintf(out + used, room - used, "%s(%c)", word, at[1])
                     : *at == 'T' ? snprintf(out + used, room - used, "%s()", word)
                                  : snprintf(out + used, room - used, "%c", *at);
        used += (size_t)length;
        at += *at == 'P';
    }
}

static const char *answer(const struct pl_bench_result *r)
{
    return r->left ? "unknown" : r->fail ? "YES" : "no";
}

struct texts {
    char test[120], init[120], final[120];
};

static void prepare(struct pl_bench_run *run, struct texts *t, enum kind kind, const char *subject,
                    const char *init, const char *test, const char *final)
{
    static const char *given[2];
    spell(kind, test, t->test, sizeof t->test);
    spell(kind, init ? init : "", t->init, sizeof t->init);
    spell(kind, final ? final : "", t->final, sizeof t->final);
    given[0] = t->test;
    *run = (struct pl_bench_run){.subject = subject,
                                 .given = given,
                                 .model = "sc",
                                 .preemptions = -1,
                                 .init = init ? t->init : NULL,
                                 .final = final ? t->final : NULL,
                                 .blocking = kind == WAITING_QUEUE ? "deq" : NULL,
                                 .all_bad = true};
}

static void list_calls(struct pl_bench_run *run, enum kind kind)
{
    run->calls = kind == STACK ? stack_calls : queue_calls;
    run->spec = kind == STACK ? "lifo" : "fifo";
}

static json_t *row_json(const char *name, const char *subject, const struct texts *t, bool wrong,
                        double seconds)
{
    json_t *row =
        json_pack("{s:s,s:s,s:s,s:s,s:{s:b,s:f}}", "table", "roundup", "name", name, "subject",
                  subject, "test", t->test, "paper", "violation", (int)wrong, "seconds", seconds);
    PL_ASSERT(row);
    return row;
}

static void print_result(const struct pl_bench_result *r, bool wrong)
{
    char count[32];
    (void)snprintf(count, sizeof count, "%llu/%llu", (unsigned long long)r->bad,
                   (unsigned long long)r->histories);
    (void)printf(" | %-3s%c %7s %6.3f", answer(r), (r->fail > 0) == wrong ? ' ' : '!', count,
                 r->processor);
}

/* Of Tables II and III. */
static void prepare_row(struct pl_bench_run *run, struct texts *t, const struct row *r)
{
    size_t i = 0;
    while (strcmp(tests[i].size, r->size) != 0)
        i++;
    prepare(run, t, r->kind, r->subject, tests[i].init, tests[i].test, tests[i].final);
}

/* Table II. */
static enum pl_status run_exact(struct pl_bench *b, const struct row *r, json_t *rows,
                                struct pl_error *error)
{
    struct texts t;
    struct pl_bench_run run;
    struct pl_bench_result result;
    prepare_row(&run, &t, r);
    if (r->kind == WAITING_QUEUE)
        list_calls(&run, r->kind);
    enum pl_status status = pl_bench_run(b, &run, &result, error);
    if (status)
        return status;
    (void)printf("%-24s %.5s | %-3s %7.1f", r->name, r->size, r->wrong ? "YES" : "no", r->seconds);
    print_result(&result, r->wrong);
    (void)puts("");
    (void)fflush(stdout);
    json_t *row = row_json(r->name, r->subject, &t, r->wrong, r->seconds);
    (void)json_object_set_new(row, "linearizable", pl_bench_json(&result));
    (void)json_array_append_new(rows, row);
    b->differ += result.left || (result.fail > 0) != r->wrong;
    return PL_OK;
}

/* Table III, a factor of 2 or 3. */
static enum pl_status run_quasi(struct pl_bench *b, const struct row *r, unsigned factor,
                                json_t *rows, struct pl_error *error)
{
    static const char *const key[] = {"positions", "all-subsets", "definition4"};
    static const char *const number[] = {"2", "3"};
    double seconds = factor == 2 ? r->quasi_seconds : r->three_seconds;
    struct texts t;
    struct pl_bench_run run;
    json_t *row = NULL;
    for (unsigned reading = 0; reading < 3; reading++) {
        struct pl_bench_result result;
        prepare_row(&run, &t, r);
        run.quasi = true;
        run.reading = reading;
        run.factor = reading == PL_QUASI_ALL_SUBSETS ? number[factor - 2]
                                                     : words[r->kind].factor[factor - 2];
        enum pl_status status = pl_bench_run(b, &run, &result, error);
        if (status) {
            json_decref(row);
            return status;
        }
        if (!row) {
            row = row_json(r->name, r->subject, &t, r->quasi_wrong, seconds);
            (void)json_object_set_new(row, "factor", json_integer(factor));
            (void)printf("%-24s %.5s %u | %-3s %7.1f", r->name, r->size, factor,
                         r->quasi_wrong ? "YES" : "no", seconds);
        }
        print_result(&result, r->quasi_wrong);
        (void)fflush(stdout);
        (void)json_object_set_new(row, key[reading], pl_bench_json(&result));
        if (reading == PL_QUASI_POSITIONS)
            b->differ += result.left || (result.fail > 0) != r->quasi_wrong;
    }
    (void)puts("");
    (void)json_array_append_new(rows, row);
    return PL_OK;
}

static void prepare_scal(struct pl_bench_run *run, struct texts *t, const struct scal *s,
                         unsigned with)
{
    prepare(run, t, s->kind, s->subject, s->with[with].init, s->with[with].test,
            s->with[with].final);
    run->setup = s->setup;
    run->quasi = true;
    run->factor = words[s->kind].factor[0];
    if (s->with[with].wrong && s->kind == STACK) { /* the k-stack's push and pop can hold each other
                                                      up for ever */
        run->all_bad = false;
        run->unroll = 3;
    }
    if (s->listed)
        list_calls(run, s->kind);
}

/* Table V, with a factor for takes and with the paper's one for all. */
static enum pl_status run_scal(struct pl_bench *b, const struct scal *s, unsigned with,
                               json_t *rows, struct pl_error *error)
{
    static const char *const key[] = {"positions", "all-subsets"};
    struct texts t;
    char name[40];
    bool wrong = s->with[with].wrong, differs = false;
    json_t *row = NULL;
    (void)snprintf(name, sizeof name, "%s (%s)", s->name, pairs[with]);
    for (unsigned reading = 0; reading < 2; reading++) {
        struct pl_bench_run run;
        struct pl_bench_result result;
        prepare_scal(&run, &t, s, with);
        run.reading = reading;
        run.factor = reading == PL_QUASI_ALL_SUBSETS ? "2" : run.factor;
        enum pl_status status = pl_bench_run(b, &run, &result, error);
        if (status) {
            json_decref(row);
            return status;
        }
        if (!row) {
            row = row_json(name, s->subject, &t, wrong, s->with[with].seconds);
            (void)printf("%-24s       | %-3s %7.1f", name, wrong ? "YES" : "no",
                         s->with[with].seconds);
        }
        print_result(&result, wrong);
        (void)fflush(stdout);
        (void)json_object_set_new(row, key[reading], pl_bench_json(&result));
        differs = differs || result.left || (result.fail > 0) != wrong;
    }
    (void)puts("");
    (void)json_array_append_new(rows, row);
    b->differ += differs;
    return PL_OK;
}

/* Figures 8 and 9: the paper's way, with its optimisations and without. */
static enum pl_status run_figures(struct pl_bench *b, const struct scal *s, unsigned with,
                                  json_t *rows, struct pl_error *error)
{
    static const char *const key[] = {"optimised", "plain"};
    struct pl_bench_result of[2];
    struct texts t;
    char name[40];
    for (unsigned plain = 0; plain < 2; plain++) {
        struct pl_bench_run run;
        prepare_scal(&run, &t, s, with);
        run.list_all = true;
        run.plain = plain;
        enum pl_status status = pl_bench_run(b, &run, &of[plain], error);
        if (status)
            return status;
    }
    (void)snprintf(name, sizeof name, "%s (%s)", s->name, pairs[with]);
    (void)printf("%-24s | %9llu %9llu | %8.3f %8.3f%s\n", name,
                 (unsigned long long)of[0].permutations, (unsigned long long)of[1].permutations,
                 of[0].processor, of[1].processor,
                 of[0].left || of[1].left ? "  not to the end" : "");
    (void)fflush(stdout);
    json_t *row = json_pack("{s:s,s:s,s:s,s:s}", "table", "roundup figures", "name", name,
                            "subject", s->subject, "test", t.test);
    PL_ASSERT(row);
    for (unsigned plain = 0; plain < 2; plain++)
        (void)json_object_set_new(row, key[plain], pl_bench_json(&of[plain]));
    (void)json_array_append_new(rows, row);
    b->differ += of[0].permutations > of[1].permutations;
    return PL_OK;
}

enum pl_status pl_bench_roundup(struct pl_bench *b, json_t *rows, struct pl_error *error)
{
    enum pl_status status = PL_OK;
    (void)printf(
        "\nRound-Up: is there a violation, histories that are wrong and all, seconds (ours: "
        "of the processor,\nunder sc, all executions); ! is not as in the paper; in Table III the "
        "last line counts positions,\nthe default, alone: docs/quasi.md says why the others "
        "differ.\n\n"
        "Table II, linearizability     | paper       | ours\n");
    for (size_t i = 0; i < ROWS && !status; i++)
        if (pl_bench_wants(b, tables[i].name))
            status = run_exact(b, &tables[i], rows, error);
    if (!status)
        (void)printf(
            "\nTable III, with a factor      | paper       | %-19s | %-19s | definition4\n",
            "positions", "all-subsets");
    for (unsigned factor = 2; factor <= 3; factor++)
        for (size_t i = 0; i < ROWS && !status; i++)
            if (pl_bench_wants(b, tables[i].name) &&
                (factor == 2 ? tables[i].quasi_seconds : tables[i].three_seconds) > 0)
                status = run_quasi(b, &tables[i], factor, rows, error);
    if (!status)
        (void)printf("\nTable V, factor 2              | paper       | %-19s | all-subsets\n",
                     "positions");
    for (size_t i = 0; i < SCAL && !status; i++)
        for (unsigned with = 0; with < 3 && !status; with++)
            if (pl_bench_wants(b, scal[i].name))
                status = run_scal(b, &scal[i], with, rows, error);
    if (!status)
        (void)printf("\nFigures 8 and 9: all sequentialisations and permutations listed, optimised "
                     "and plain\n%-24s | permutations        | seconds\n",
                     "");
    for (size_t i = 0; i < SCAL && !status; i++)
        for (unsigned with = 0; with < 3 && !status; with++)
            if (pl_bench_wants(b, scal[i].name))
                status = run_figures(b, &scal[i], with, rows, error);
    return status;
}
