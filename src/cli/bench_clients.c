/*
 * All clients under rc11, beside RELINCHE (POPL 2025): one call a thread, so many that put and so
 * many that take, under every synchronisation between them. Each row under sc, too, where clients
 * add nothing.
 *
 * RELINCHE's seconds were measured on the same kind of machine; it is given a second implementation
 * as the spec, ours the name of one.
 */
#include <stdio.h>

#include "cli/bench.h"

static const struct row {
    const char *name, *subject, *put, *take, *setup, *blocking, *spec, *clients, *under_sc;
    double relinche, aim; /* seconds; 0: not measured, none */
    bool wrong;           /* under rc11; under sc none is */
} table[] = {
    {"Michael-Scott queue", "correct/ms_queue.c", "enq(1)", "deq()", "queue_init()", NULL, "fifo",
     "3+3", "3+3", 0.9, 0.1, false},
    {"Michael-Scott queue", "correct/ms_queue.c", "enq(1)", "deq()", "queue_init()", NULL, "fifo",
     "4+4", "4+4", 82, 2, false},
    {"Herlihy-Wing queue", "correct/hw_queue.c", "enq(1)", "deq()", NULL, "deq", "fifo", "4+4",
     "4+4", 15.7, 1.5, false},
    {"Treiber stack", "correct/treiber_stack.c", "push(1)", "pop()", NULL, NULL, "lifo", "4+4",
     "4+4", 13.8, 1.5, false},
    {"Herlihy-Wing queue, acquire", "wrong/hw_queue.c", "enq(1)", "deq()", NULL, "deq", "fifo",
     "2+1", "4+4", 0, 0, true},
};
enum { ROWS = sizeof table / sizeof table[0] };
enum { RC11, SC, RUNS };
static const char *const model[RUNS] = {"rc11", "sc"};

static const char *verdict(const struct pl_bench_result *r)
{
    return r->left ? "unknown" : r->fail ? pl_finding_text(r->kind) : "pass";
}

static void print_row(const struct row *r, const struct pl_bench_result *of)
{
    const struct pl_bench_result *weak = &of[RC11], *sc = &of[SC];
    (void)printf("%-27s %s |", r->name, r->clients);
    if (r->relinche > 0)
        (void)printf(" %5.1f %5.1f |", r->relinche, r->aim);
    else
        (void)printf(" %11s |", "");
    (void)printf(" %7.2f %7.2f %10llu %9llu  %-16s | %s  %s\n", weak->seconds, weak->processor,
                 (unsigned long long)weak->executions, (unsigned long long)weak->blocked,
                 verdict(weak), r->under_sc, verdict(sc));
    (void)fflush(stdout);
}

static enum pl_status run_row(struct pl_bench *b, const struct row *r, json_t *rows,
                              struct pl_error *error)
{
    const char *const calls[] = {r->put, r->take, NULL};
    struct pl_bench_result result[RUNS];
    for (int k = 0; k < RUNS; k++) {
        const struct pl_bench_run run = {.subject = r->subject,
                                         .model = model[k],
                                         .preemptions = -1,
                                         .calls = calls,
                                         .setup = r->setup,
                                         .spec = r->spec,
                                         .blocking = r->blocking,
                                         .clients = k == RC11 ? r->clients : r->under_sc};
        enum pl_status status = pl_bench_run(b, &run, &result[k], error);
        if (status)
            return status;
    }
    print_row(r, result);
    json_t *row = json_pack("{s:s,s:s,s:s,s:s,s:f,s:f,s:o,s:o}", "table", "clients", "name",
                            r->name, "subject", r->subject, "clients", r->clients,
                            "relinche_seconds", r->relinche, "aim_seconds", r->aim, model[RC11],
                            pl_bench_json(&result[RC11]), model[SC], pl_bench_json(&result[SC]));
    PL_ASSERT(row);
    (void)json_array_append_new(rows, row);
    bool as_known = r->wrong == (result[RC11].fail > 0) && !result[SC].fail;
    b->differ += !b->interrupted && !as_known;
    b->undone += as_known && (result[RC11].left || result[SC].left);
    return PL_OK;
}

enum pl_status pl_bench_clients(struct pl_bench *b, json_t *rows, struct pl_error *error)
{
    enum pl_status status = PL_OK;
    (void)printf(
        "All clients under rc11: one call a thread, putters+takers. RELINCHE: seconds, and "
        "what we aim at.\nOurs: seconds by the clock and of the processor, after the "
        "build. Then under sc.\n\n%-27s     | RELINCHE aim |   clock  proc. executions  "
        "given up verdict         | under sc\n",
        "");
    for (size_t i = 0; i < ROWS && !status; i++)
        if (pl_bench_wants(b, table[i].name))
            status = run_row(b, &table[i], rows, error);
    return status;
}
