/*
 * Quasi linearizability against the definition, in each reading, on random small executions.
 * The number of executions is the argument (20,000 without one); the seed of one that fails is
 * printed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h> /* after the headers it needs */

#include "check/enumerate.h"
#include "check/quasi.h"
#include "executions.h"
#include "quasi.h"

static unsigned long executions = 20000;
static uint64_t seed;
static const struct or_spec *shown_spec;
static const struct or_execution *shown;

#define CLAIM(claim)                                                                               \
    do {                                                                                           \
        if (!(claim)) {                                                                            \
            printf("seed %llu\n", (unsigned long long)seed);                                       \
            or_print(shown_spec, shown);                                                           \
            fail_msg("%s", #claim);                                                                \
        }                                                                                          \
    } while (0)

static const enum pl_quasi_reading readings[] = {
    [OR_POSITIONS] = PL_QUASI_POSITIONS,
    [OR_ALL_SUBSETS] = PL_QUASI_ALL_SUBSETS,
    [OR_DEFINITION4] = PL_QUASI_DEFINITION4,
};

/* What is given as the two orders keeps real time, the spec and the distance. */
static void check_witness(const struct or_quasi *q, const struct or_spec *spec,
                          const struct or_execution *x, const struct pl_quasi_witness *w,
                          const unsigned *event, unsigned events)
{
    unsigned placed = 0, states = 1;
    for (unsigned k = 0; k < w->count; k++) {
        unsigned i = w->happened[k], returned = 0, next = 0;
        for (unsigned e = 0; e < events && event[e] != 2 * i; e++)
            returned |= event[e] % 2 ? 1u << event[e] / 2 : 0;
        CLAIM(!(returned & ~placed));
        placed |= 1u << i;
        i = w->accepted[k];
        for (unsigned s = 0; s < spec->states; s++)
            for (unsigned a = 0; states >> s & 1 && a < spec->cell[s][x->invocation[i]].count; a++)
                if (x->pending[i] || spec->cell[s][x->invocation[i]].response[a] == x->response[i])
                    next |= 1u << spec->cell[s][x->invocation[i]].next[a];
        states = next;
        CLAIM(states);
        CLAIM(q->reading != OR_POSITIONS || q->group[w->happened[k]] == q->group[i]);
    }
    for (unsigned i = 0; i < x->operations; i++)
        CLAIM(x->pending[i] || placed >> i & 1);
}

/* A random total order of the execution's events. */
static unsigned random_history(struct pl_prng *r, const struct or_execution *x, unsigned *event)
{
    bool placed[2 * OR_CALLS] = {false};
    unsigned most = 0, events = 0;
    for (unsigned e = 0; e < 2 * x->operations; e++)
        most += e % 2 == 0 || !x->pending[e / 2];
    while (events < most) {
        unsigned e = pl_prng_below(r, 2 * x->operations);
        bool early = placed[e] || (e % 2 && (x->pending[e / 2] || !placed[e - 1]));
        for (unsigned b = 0; b < 2 * x->operations; b++)
            early |= x->before[b][e] && !placed[b];
        if (early)
            continue;
        placed[e] = true;
        event[events++] = e;
    }
    return events;
}

/* Two operations of one kind change answers. */
static void swap_answers(struct pl_prng *r, struct or_execution *x)
{
    for (unsigned tries = 0; tries < 4 && x->operations; tries++) {
        unsigned i = pl_prng_below(r, x->operations), j = pl_prng_below(r, x->operations);
        if (x->invocation[i] != x->invocation[j] || x->pending[i] || x->pending[j])
            continue;
        unsigned answer = x->response[i];
        x->response[i] = x->response[j];
        x->response[j] = answer;
    }
}

static void search_agrees_with_the_definition(void **unused)
{
    (void)unused;
    unsigned long met[3][2] = {{0}}, order[2] = {0}, relaxed = 0, permutations[2] = {0};
    for (seed = 1; seed <= executions; seed++) {
        struct pl_prng r;
        struct or_spec spec;
        struct or_execution x;
        struct or_case c;
        union pl_quasi_result result;
        struct pl_quasi_stats stats = {0};
        struct or_quasi q;
        uint8_t group[OR_CALLS], same[2 * OR_CALLS];
        unsigned event[2 * OR_CALLS];
        pl_prng_init(&r, seed);
        struct or_shape shape = or_execution_shape(&r);
        shape.operations = seed % 2 ? 4 + pl_prng_below(&r, 2) : shape.operations % 5 + 1;
        shape.kept = shape.kept < 30 && shape.operations > 3 ? 30 : shape.kept;
        or_random_spec(&r, &shape, &spec);
        or_random_execution(&r, &shape, &spec, &x);
        if (seed % 2)
            swap_answers(&r, &x);
        or_case_make(&x, false, &c);
        shown_spec = &spec;
        shown = &x;
        struct or_machine table = or_machine_of(&spec);
        bool by_operation = pl_prng_below(&r, 4) > 0;
        for (unsigned i = 0; i < x.operations; i++)
            group[i] = (uint8_t)(q.group[i] = by_operation ? x.invocation[i] : 0);
        for (unsigned g = 0; g < OR_CALLS; g++)
            q.factor[g] = pl_prng_below(&r, 3);
        unsigned events = random_history(&r, &x, event);
        for (unsigned k = 0; k < events; k++)
            same[k] = (uint8_t)event[k];
        bool exact = or_history_good(&spec, &x, event, events);
        for (unsigned reading = 0; reading < 3; reading++) {
            q.reading = (enum or_reading)reading;
            const struct pl_quasi quasi = {readings[reading], group, q.factor};
            bool good = or_quasi_good(&q, &spec, &x, event, events);
            CLAIM(pl_quasi_history(&quasi, &table.machine, &c.behaviour, same, events, NULL,
                                   &result, &stats) == (good ? PL_GOOD : PL_BAD));
            CLAIM(good || !exact);
            if (good)
                check_witness(&q, &spec, &x, &result.witness, event, events);
            met[reading][good]++;
            relaxed += good && !exact;
        }
        const unsigned none[OR_CALLS] = {0}; /* factor 0 is linearizability */
        struct pl_quasi strict = {PL_QUASI_POSITIONS, group, none};
        CLAIM(pl_quasi_history(&strict, &table.machine, &c.behaviour, same, events, NULL, &result,
                               &stats) == (exact ? PL_GOOD : PL_BAD));
        q.reading = (enum or_reading)pl_prng_below(&r, 3);
        const struct pl_quasi one = {readings[q.reading], group, q.factor};
        bool order_good = or_quasi_explained(&q, &spec, &x);
        CLAIM(pl_quasi_order(&one, &table.machine, &c.behaviour, NULL, &result, &stats) ==
              (order_good ? PL_GOOD : PL_BAD));
        order[order_good]++;
        if (x.operations > 4)
            continue;
        stats.orders = 0;
        q.reading = (enum or_reading)pl_prng_below(&r, 3);
        const struct pl_quasi quasi = {readings[q.reading], group, q.factor};
        bool good = or_quasi_all_good(&q, &spec, &x);
        CLAIM(pl_quasi_all(&quasi, &table.machine, &c.behaviour, NULL, &result, &stats) ==
              (good ? PL_GOOD : PL_BAD));
        CLAIM(stats.orders > 0);
        const struct pl_enumerate_options options = {.hash = seed & 1, .skip = seed & 2};
        struct pl_enumerate *n = pl_enumerate_new(&options);
        struct pl_refuted refuted;
        for (unsigned again = 0; again < 2; again++) /* the second time it knows */
            CLAIM(pl_enumerate_quasi(n, &quasi, &table.machine, &c.behaviour, NULL, &refuted) ==
                  (good ? PL_GOOD : PL_BAD));
        CLAIM(pl_enumerate_stats(n)->permutations >= (good ? 0 : 1));
        permutations[options.skip] += pl_enumerate_stats(n)->permutations;
        pl_enumerate_free(n);
        if (good)
            continue;
        for (unsigned k = 0; k < result.refuted.events; k++)
            event[k] = result.refuted.event[k];
        CLAIM(result.refuted.events == events);
        CLAIM(!or_quasi_good(&q, &spec, &x, event, events));
    }
    printf("positions: %lu good, %lu bad; all subsets: %lu, %lu; definition 4: %lu, %lu; "
           "good but not linearizable: %lu\n",
           met[0][1], met[0][0], met[1][1], met[1][0], met[2][1], met[2][0], relaxed);
    for (unsigned reading = 0; reading < 3; reading++)
        assert_true(met[reading][0] > executions / 50 && met[reading][1] > executions / 50);
    assert_true(relaxed > executions / 50);
    assert_true(permutations[0] > 2 * permutations[1] && permutations[1]);
    assert_true(order[0] > executions / 50 && order[1] > executions / 50);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        executions = strtoul(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(search_agrees_with_the_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
