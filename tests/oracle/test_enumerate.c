/*
 * The decider that lists histories and orders against the definition, on random small
 * executions, with each of its optimisations on and off; and its counters. The number of
 * executions is the argument (20,000 without one); the seed of one that fails is printed.
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
#include "check/serial.h"
#include "executions.h"
#include "linearize.h"

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

/* Operations that leave every state as it is, with the answer they gave. */
static uint32_t reads_of(const struct or_spec *spec, const struct or_execution *x)
{
    uint32_t reads = 0;
    for (unsigned i = 0; i < x->operations; i++) {
        bool changes = x->pending[i];
        for (unsigned s = 0; s < spec->states; s++) {
            const struct or_cell *cell = &spec->cell[s][x->invocation[i]];
            for (unsigned a = 0; a < cell->count; a++)
                changes |= cell->response[a] == x->response[i] && cell->next[a] != s;
        }
        if (!changes)
            reads |= 1u << i;
    }
    return reads;
}

/* Makes some invocations of the spec reads. */
static void add_reads(struct pl_prng *r, struct or_spec *spec)
{
    for (unsigned i = 0; i < spec->invocations; i++)
        if (pl_prng_below(r, 2))
            for (unsigned s = 0; s < spec->states; s++)
                for (unsigned a = 0; a < spec->cell[s][i].count; a++)
                    spec->cell[s][i].next[a] = s;
}

/* Past the first bad history, all are counted. */
static void count_whole(const struct or_spec *spec, const struct or_execution *x,
                        const struct or_case *c, struct pl_machine *machine)
{
    const struct pl_enumerate_options whole = {.hash = true, .all = true};
    struct pl_enumerate *n = pl_enumerate_new(&whole);
    struct or_count all = or_count_histories(spec, x, 0);
    struct pl_refuted refuted;
    CLAIM(pl_enumerate(n, machine, &c->behaviour, 0, NULL, &refuted) ==
          (all.bad ? PL_BAD : PL_GOOD));
    CLAIM(pl_enumerate_stats(n)->distinct == all.histories &&
          pl_enumerate_stats(n)->checked == all.histories);
    pl_enumerate_free(n);
}

static void listing_agrees_with_the_definition(void **unused)
{
    (void)unused;
    unsigned long met[2] = {0}, saved = 0;
    for (seed = 1; seed <= executions; seed++) {
        struct pl_prng r;
        struct or_spec spec;
        struct or_execution x;
        struct or_case c;
        struct pl_refuted refuted;
        pl_prng_init(&r, seed);
        struct or_shape shape = or_execution_shape(&r);
        or_random_spec(&r, &shape, &spec);
        add_reads(&r, &spec);
        or_random_execution(&r, &shape, &spec, &x);
        or_case_make(&x, false, &c);
        shown_spec = &spec;
        shown = &x;
        struct or_count count = or_count_histories(&spec, &x, 1);
        struct or_machine table = or_machine_of(&spec);
        uint64_t orders[2] = {0};
        met[count.bad == 0]++;
        for (unsigned options = 0; options < 4; options++) {
            const struct pl_enumerate_options o = {.lazy_reads = options & 1, .hash = options & 2};
            struct pl_enumerate *n = pl_enumerate_new(&o);
            const struct pl_enumerate_stats *stats = pl_enumerate_stats(n);
            uint32_t reads = reads_of(&spec, &x);
            enum pl_decision decision =
                pl_enumerate(n, &table.machine, &c.behaviour, reads, NULL, &refuted);
            CLAIM(decision == (count.bad ? PL_BAD : PL_GOOD));
            CLAIM(stats->generated == count.histories);
            CLAIM(stats->distinct == count.histories && stats->checked == count.histories);
            orders[options & 1] = stats->orders;
            decision = pl_enumerate(n, &table.machine, &c.behaviour, reads, NULL, &refuted);
            CLAIM(decision == (count.bad ? PL_BAD : PL_GOOD));
            CLAIM(stats->generated == 2 * count.histories && stats->distinct == count.histories);
            CLAIM(stats->checked == (o.hash ? count.histories : 2 * count.histories));
            if (count.bad) {
                unsigned event[2 * OR_CALLS];
                for (unsigned k = 0; k < refuted.events; k++)
                    event[k] = refuted.event[k];
                CLAIM(!or_history_good(&spec, &x, event, refuted.events));
                CLAIM((refuted.unjustified == PL_NONE_CALLED) == (refuted.at < refuted.events));
            }
            struct pl_nearest nearest;
            CLAIM(pl_enumerate_order(n, &table.machine, &c.behaviour, reads, NULL, NULL) ==
                  pl_serial_order(&table.machine, &c.behaviour, NULL, &nearest));
            pl_enumerate_free(n);
        }
        if (seed % 8 == 0)
            count_whole(&spec, &x, &c, &table.machine);
        saved += orders[1] < orders[0];
    }
    printf("good %lu, bad %lu; fewer orders by lazy reads %lu\n", met[1], met[0], saved);
    unsigned long some = executions / 50;
    assert_true(met[0] > some && met[1] > some && saved > some);
}

/* Executions too large for the definition: the two deciders share nothing but the machine. */
static void walk_agrees_on_larger_executions(void **unused)
{
    (void)unused;
    unsigned long met[2] = {0};
    struct pl_walk *walk = pl_walk_new();
    for (seed = 1; seed <= executions / 20; seed++) {
        struct pl_prng r;
        struct or_spec spec;
        struct or_execution x;
        struct or_case c;
        pl_prng_init(&r, seed);
        struct or_shape shape = or_execution_shape(&r);
        shape.operations = 6 + pl_prng_below(&r, 3);
        shape.threads = true;
        shape.wrong = shape.wrong ? 2 : 0;
        shape.kept = 60;
        or_random_spec(&r, &shape, &spec);
        or_random_execution(&r, &shape, &spec, &x);
        or_case_make(&x, false, &c);
        shown_spec = &spec;
        shown = &x;
        const struct pl_enumerate_options o = {.lazy_reads = true, .hash = true};
        struct pl_enumerate *n = pl_enumerate_new(&o);
        struct or_machine table = or_machine_of(&spec);
        enum pl_decision decision = pl_walk(walk, &table.machine, &c.behaviour, NULL, NULL);
        CLAIM(pl_enumerate(n, &table.machine, &c.behaviour, reads_of(&spec, &x), NULL, NULL) ==
              decision);
        met[decision == PL_GOOD]++;
        pl_enumerate_free(n);
    }
    printf("larger: good %lu, bad %lu\n", met[1], met[0]);
    assert_true(met[0] > executions / 200 && met[1] > executions / 200);
    pl_walk_free(walk);
}

/* Two reads, one after the other, cannot see a write the wrong way round. */
static void lazy_reads_keep_their_order(void **unused)
{
    (void)unused;
    /* a register of 0 and 1: invocation 0 writes 1, invocation 1 reads */
    static const struct or_spec spec = {
        .states = 2,
        .invocations = 2,
        .cell = {{{1, {0}, {1}}, {1, {0}, {0}}}, {{1, {0}, {1}}, {1, {1}, {1}}}},
    };
    struct or_execution x = {.operations = 3, .invocation = {0, 1, 1}, .response = {0, 1, 0}};
    static const unsigned event[] = {0, 2, 3, 4, 5, 1}; /* write [ read 1, read 0 ] */
    for (unsigned a = 0; a < 6; a++)
        for (unsigned b = a + 1; b < 6; b++)
            x.before[event[a]][event[b]] = true;
    for (unsigned first = 0; first < 2; first++) {
        x.response[1] = first;
        x.response[2] = !first;
        struct or_case c;
        or_case_make(&x, false, &c);
        const struct pl_enumerate_options o = {.lazy_reads = true};
        struct pl_enumerate *n = pl_enumerate_new(&o);
        struct or_machine table = or_machine_of(&spec);
        assert_int_equal(pl_enumerate(n, &table.machine, &c.behaviour, 6, NULL, NULL),
                         first ? PL_BAD : PL_GOOD);
        assert_int_equal(pl_enumerate_stats(n)->orders, 1);
        pl_enumerate_free(n);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        executions = strtoul(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listing_agrees_with_the_definition),
        cmocka_unit_test(walk_agrees_on_larger_executions),
        cmocka_unit_test(lazy_reads_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
