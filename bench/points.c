/*
 * What the points of a history cost beside the automatic check: n operations of a queue, all under
 * way at once (the worst for the search), or in rounds of three threads; their points are one after
 * the other. Prints nanoseconds a history, and what each asks of the spec.
 *
 *   bench_points [REPETITIONS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "check/points.h"
#include "check/wrapped.h"

enum { MOST_AT_ONCE = 10 }; /* for the automatic check: it is exponential in this */

static struct pl_history history;
static struct pl_wrapped wrapped;
static struct pl_order order;
static struct pl_called called[PL_MOST_CALLED];
static struct pl_points points;

/* Enqueues, then as many dequeues, in their order; `width` of them under way at once. */
static void make(unsigned operations, unsigned width)
{
    pl_history_init(&history);
    pl_history_finish(&history);
    pl_wrapped_init(&wrapped, &pl_spec_fifo, 0, &history);
    order = (struct pl_order){.operations = operations};
    points = (struct pl_points){.count = operations, .clocked = true};
    for (unsigned i = 0; i < operations; i++) {
        bool puts = i % 2 == 0;
        struct pl_operation o = {.code = puts ? PL_PUT : PL_TAKE};
        o.argument[0] = puts ? i + 1 : 0;
        called[i] = (struct pl_called){.invocation = pl_wrapped_invocation(&wrapped, &o),
                                       .response = puts ? PL_NIL : (pl_value)i};
        struct pl_point *p = &points.at[i];
        p->operation = (uint8_t)i;
        p->earlier = ((uint64_t)1 << i) - 1;
        for (unsigned k = 0; k < operations; k++) {
            bool earlier = k / width<i / width, later = k / width> i / width;
            order.before[2 * i] |= earlier ? pl_event_bit(2 * k) | pl_event_bit(2 * k + 1) : 0;
            p->before |= earlier ? pl_event_bit(2 * k) | pl_event_bit(2 * k + 1) : 0;
            p->after |= later ? pl_event_bit(2 * k) | pl_event_bit(2 * k + 1) : 0;
            if (k / width != i / width)
                continue;
            p->before |= pl_event_bit(2 * k);
            p->after |= pl_event_bit(2 * k + 1);
            order.before[2 * i + 1] |= pl_event_bit(2 * k);
        }
    }
}

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void measure(unsigned operations, unsigned width, unsigned long repetitions)
{
    struct pl_behaviour behaviour = {&order, called, false};
    struct pl_points_stats stats = {0};
    struct pl_mismatch wrong;
    make(operations, width);
    struct pl_walk *walk = pl_walk_new();
    enum pl_decision first =
        pl_points_decide(&wrapped.machine, &behaviour, &points, NULL, &wrong, &stats);
    double begun = now();
    for (unsigned long k = 0; k < repetitions; k++)
        (void)pl_points_decide(&wrapped.machine, &behaviour, &points, NULL, &wrong, &stats);
    double by_points = (now() - begun) / (double)repetitions;
    double by_walk = 0;
    if (width <= MOST_AT_ONCE) {
        enum pl_decision second = PL_GOOD;
        unsigned long walks = repetitions / 100 + 1;
        begun = now();
        for (unsigned long k = 0; k < walks && second == PL_GOOD; k++)
            second = pl_walk(walk, &wrapped.machine, &behaviour, NULL, NULL);
        by_walk = (now() - begun) / (double)walks;
        first = second == PL_GOOD ? first : second;
    }
    printf("%7u  %10u  %10.0f  %8.1f  %10.1f", width, operations, by_points, by_points / operations,
           (double)stats.steps / (double)stats.behaviours);
    if (by_walk > 0)
        printf("  %14.0f", by_walk);
    printf("%s\n", first == PL_GOOD ? "" : "  not good");
    pl_walk_free(walk);
    pl_wrapped_release(&wrapped);
    pl_history_release(&history);
}

int main(int argc, char **argv)
{
    unsigned long repetitions = argc > 1 ? strtoul(argv[1], NULL, 10) : 20000;
    printf("at once  operations  points, ns   ns each  spec asked   automatic, ns\n");
    for (unsigned operations = 6; operations <= 30; operations += 6)
        measure(operations, 3, repetitions);
    for (unsigned operations = 4; operations <= MOST_AT_ONCE; operations += 2)
        measure(operations, operations, repetitions);
    for (unsigned operations = 15; operations <= 30; operations += 15)
        measure(operations, operations, repetitions);
    return 0;
}
