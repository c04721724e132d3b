/*
 * The walk over downsets against the definition, on random small executions: verdict, the
 * history it gives for a bad one, and where that breaks; with the spec as a table, as a tree of
 * serial runs, folded, and with some runs missing; and serial orders of one history. The number of
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

#include "check/derived.h"
#include "check/serial.h"
#include "check/walk.h"
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

/* --- serial runs ------------------------------------------------------------------------ */

struct runs {
    const struct or_spec *spec;
    const struct or_execution *x;
    struct pl_derived *derived;
    struct pl_called run[OR_CALLS];
    struct pl_prng *omit; /* some runs are not made; or NULL */
    bool agrees;
};

static void all_runs(struct runs *s, unsigned done, unsigned count, unsigned state)
{
    bool more = false;
    for (unsigned i = 0; i < s->x->operations; i++) {
        bool early = done >> i & 1;
        for (unsigned j = 0; j < s->x->operations; j++) /* in real time always */
            early |= !(done >> j & 1) && s->x->before[2 * j + 1][2 * i] && !s->x->pending[j];
        if (early)
            continue;
        more = true;
        const struct or_cell *cell = &s->spec->cell[state][s->x->invocation[i]];
        s->run[count] = (struct pl_called){i, PL_NIL, 0, false};
        if (!cell->count && !(s->omit && pl_prng_below(s->omit, 4) == 0))
            s->agrees &= pl_derived_add(s->derived, s->run, count + 1, true, NULL);
        for (unsigned a = 0; a < cell->count; a++) {
            s->run[count] = (struct pl_called){i, cell->response[a], 0, false};
            all_runs(s, done | 1u << i, count + 1, cell->next[a]);
        }
    }
    if (!more && !(s->omit && pl_prng_below(s->omit, 4) == 0))
        s->agrees &= pl_derived_add(s->derived, s->run, count, false, NULL);
}

static bool derive(const struct or_spec *spec, const struct or_execution *x, struct pl_prng *omit,
                   struct pl_derived *out)
{
    struct runs runs = {.spec = spec, .x = x, .derived = out, .omit = omit, .agrees = true};
    pl_derived_init(out);
    all_runs(&runs, 0, 0, 0);
    return runs.agrees;
}

/* --- the history of a violation ----------------------------------------------------------- */

/* The events of a history that concern some operations, as an execution of its own. */
static bool part_good(const struct or_spec *spec, const struct or_execution *x,
                      const struct pl_refuted *refuted, unsigned events, unsigned chosen,
                      bool stuck)
{
    struct or_execution part = {.stuck = stuck};
    unsigned event[2 * OR_CALLS], count = 0, number[OR_CALLS] = {0};
    for (unsigned k = 0; k < events; k++) {
        unsigned i = refuted->event[k] / 2;
        if (!(chosen >> i & 1))
            continue;
        if (refuted->event[k] % 2 == 0) {
            number[i] = part.operations++;
            part.invocation[number[i]] = x->invocation[i];
            part.response[number[i]] = x->response[i];
            part.pending[number[i]] = x->pending[i];
        }
        event[count++] = 2 * number[i] + refuted->event[k] % 2;
    }
    return or_history_good(spec, &part, event, count);
}

/*
 * The first events of a history: an operation that has not returned in them has taken effect,
 * with the answer it will give later, or has not. Pending ones of a stuck execution are left
 * out.
 */
static bool prefix_good(const struct or_spec *spec, const struct or_execution *x,
                        const struct pl_refuted *refuted, unsigned events)
{
    unsigned returned = 0, open = 0;
    for (unsigned k = 0; k < events; k++)
        *(refuted->event[k] % 2 ? &returned : &open) |= 1u << refuted->event[k] / 2;
    open &= ~returned;
    for (unsigned i = 0; i < x->operations; i++)
        if (x->stuck && x->pending[i])
            open &= ~(1u << i);
    for (unsigned chosen = 0; chosen <= open; chosen++)
        if (!(chosen & ~open) && part_good(spec, x, refuted, events, chosen | returned, false))
            return true;
    return false;
}

/* Has the operation that is said to have no reason to block one? */
static bool may_block(const struct or_spec *spec, const struct or_execution *x,
                      const struct pl_refuted *refuted)
{
    unsigned chosen = 1u << refuted->unjustified;
    for (unsigned i = 0; i < x->operations; i++)
        if (!x->pending[i])
            chosen |= 1u << i;
    return part_good(spec, x, refuted, refuted->events, chosen, true);
}

static void check_refuted(const struct or_spec *spec, const struct or_execution *x,
                          const struct pl_refuted *refuted)
{
    unsigned event[2 * OR_CALLS];
    bool placed[2 * OR_CALLS] = {false};
    CLAIM(refuted->events <= 2 * x->operations);
    for (unsigned k = 0; k < refuted->events; k++) {
        unsigned e = event[k] = refuted->event[k];
        CLAIM(!placed[e] && !(e % 2 && x->pending[e / 2]));
        for (unsigned b = 0; b < 2 * x->operations; b++)
            CLAIM(!x->before[b][e] || placed[b] || (b % 2 && x->pending[b / 2]));
        placed[e] = true;
    }
    for (unsigned e = 0; e < 2 * x->operations; e++)
        CLAIM(placed[e] || (e % 2 && x->pending[e / 2]));
    CLAIM(!or_history_good(spec, x, event, refuted->events));
    if (refuted->at < refuted->events) {
        CLAIM(refuted->unjustified == PL_NONE_CALLED);
        CLAIM(event[refuted->at] % 2 == 1);
        CLAIM(prefix_good(spec, x, refuted, refuted->at));
        CLAIM(!prefix_good(spec, x, refuted, refuted->at + 1));
    } else {
        CLAIM(x->stuck && x->pending[refuted->unjustified]);
        CLAIM(prefix_good(spec, x, refuted, refuted->events));
        CLAIM(!may_block(spec, x, refuted));
    }
}

/* --- serial orders ------------------------------------------------------------------------- */

/* The states a spec can be in after these operations with their answers; 0: it cannot. */
static unsigned states_after(const struct or_spec *spec, const struct or_execution *x,
                             const uint8_t *order, unsigned length)
{
    unsigned states = 1;
    for (unsigned k = 0; k < length; k++) {
        unsigned next = 0;
        for (unsigned s = 0; s < spec->states; s++) {
            const struct or_cell *cell = &spec->cell[s][x->invocation[order[k]]];
            for (unsigned a = 0; states >> s & 1 && a < cell->count; a++)
                if (x->pending[order[k]] || cell->response[a] == x->response[order[k]])
                    next |= 1u << cell->next[a];
        }
        states = next;
    }
    return states;
}

/* The operations before, of those that returned, stand before it. */
static void check_order(const struct or_execution *x, bool (*before)[OR_CALLS],
                        const uint8_t *order, unsigned length, unsigned last)
{
    unsigned placed = 0;
    for (unsigned k = 0; k <= length; k++) {
        unsigned i = k < length ? order[k] : last;
        if (i == PL_NONE_CALLED)
            break;
        CLAIM(i < x->operations && !(placed >> i & 1));
        for (unsigned j = 0; j < x->operations; j++)
            CLAIM(!before[j][i] || placed >> j & 1);
        placed |= 1u << i;
    }
}

/* How many completed operations can be placed, at most. */
static unsigned longest(const struct or_spec *spec, const struct or_execution *x,
                        bool (*before)[OR_CALLS], unsigned placed, unsigned state)
{
    unsigned most = 0;
    for (unsigned i = 0; i < x->operations; i++) {
        bool early = (placed >> i & 1) || (x->stuck && x->pending[i]);
        for (unsigned j = 0; j < x->operations; j++)
            early |= before[j][i] && !(placed >> j & 1);
        const struct or_cell *cell = &spec->cell[state][x->invocation[i]];
        for (unsigned a = 0; !early && a < cell->count; a++) {
            if (!x->pending[i] && cell->response[a] != x->response[i])
                continue;
            unsigned rest = longest(spec, x, before, placed | 1u << i, cell->next[a]);
            if (rest + !x->pending[i] > most)
                most = rest + !x->pending[i];
        }
    }
    return most;
}

static void check_nearest(const struct or_spec *spec, const struct or_execution *x,
                          bool (*before)[OR_CALLS], bool good, const struct pl_nearest *nearest)
{
    CLAIM(nearest->count > 0);
    for (unsigned n = 0; n < nearest->count; n++) {
        const struct pl_near *near = &nearest->near[n];
        check_order(x, before, near->order, near->length, near->operation);
        unsigned states = states_after(spec, x, near->order, near->length);
        CLAIM(states);
        if (good) {
            unsigned placed = 0;
            for (unsigned k = 0; k < near->length; k++)
                placed |= 1u << near->order[k];
            for (unsigned i = 0; i < x->operations; i++)
                CLAIM(x->pending[i] || placed >> i & 1);
            continue;
        }
        unsigned complete = 0;
        for (unsigned k = 0; k < near->length; k++)
            complete += !x->pending[near->order[k]];
        CLAIM(complete == longest(spec, x, before, 0, 0));
        CLAIM(near->pending == x->pending[near->operation]);
        CLAIM(!near->pending || near->operation == nearest->unjustified);
        CLAIM(near->blocks || near->answers);
        CLAIM(!near->pending || !near->blocks);
        for (unsigned a = 0; a < near->answers; a++) {
            bool possible = false;
            for (unsigned s = 0; s < spec->states; s++) {
                const struct or_cell *cell = &spec->cell[s][x->invocation[near->operation]];
                for (unsigned k = 0; states >> s & 1 && k < cell->count; k++)
                    possible |= cell->response[k] == (unsigned)near->answer[a];
            }
            CLAIM(possible);
            CLAIM(near->pending || near->answer[a] != x->response[near->operation]);
        }
    }
}

/* A random history of the execution and its order as it is. */
static void check_serial(const struct or_spec *spec, const struct or_execution *x,
                         const struct or_case *c, struct pl_machine *machine, struct pl_prng *r)
{
    unsigned event[2 * OR_CALLS], events = 0, most = 0;
    uint8_t same[2 * OR_CALLS];
    bool placed[2 * OR_CALLS] = {false}, before[OR_CALLS][OR_CALLS] = {{false}};
    struct pl_nearest nearest;
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
        for (unsigned i = 0; e % 2 == 0 && i < x->operations; i++)
            before[i][e / 2] = placed[2 * i + 1];
        same[events] = (uint8_t)e;
        event[events++] = e;
    }
    bool good = or_history_good(spec, x, event, events);
    enum pl_decision decision =
        pl_serial_history(machine, &c->behaviour, same, events, NULL, &nearest);
    CLAIM(decision == (good ? PL_GOOD : PL_BAD));
    check_nearest(spec, x, before, good, &nearest);

    good = or_explained(spec, x);
    decision = pl_serial_order(machine, &c->behaviour, NULL, &nearest);
    CLAIM(decision == (good ? PL_GOOD : PL_BAD));
    for (unsigned i = 0; i < x->operations; i++)
        for (unsigned j = 0; j < x->operations; j++)
            before[i][j] = x->before[2 * i + 1][2 * j];
    check_nearest(spec, x, before, good, &nearest);
}

/* --- the test ------------------------------------------------------------------------------ */

static void walk_agrees_with_the_definition(void **unused)
{
    (void)unused;
    struct pl_walk *walk = pl_walk_new();
    unsigned long met[2][2] = {{0}}, conflicts = 0, untried = 0, unjustified = 0;
    for (seed = 1; seed <= executions; seed++) {
        struct pl_prng r;
        struct or_spec spec;
        struct or_execution x;
        struct or_case c;
        struct pl_refuted refuted;
        struct pl_nearest nearest;
        pl_prng_init(&r, seed);
        struct or_shape shape = or_execution_shape(&r);
        or_random_spec(&r, &shape, &spec);
        or_random_execution(&r, &shape, &spec, &x);
        shown_spec = &spec;
        shown = &x;
        bool good = or_count_histories(&spec, &x, 1).bad == 0;

        or_case_make(&x, false, &c);
        struct or_machine table = or_machine_of(&spec);
        enum pl_decision decision = pl_walk(walk, &table.machine, &c.behaviour, NULL, &refuted);
        CLAIM(decision == (good ? PL_GOOD : PL_BAD));
        if (!good) {
            check_refuted(&spec, &x, &refuted);
            CLAIM(pl_serial_history(&table.machine, &c.behaviour, refuted.event, refuted.events,
                                    NULL, &nearest) == PL_BAD);
            CLAIM(nearest.unjustified == refuted.unjustified);
            unjustified += refuted.unjustified != PL_NONE_CALLED;
        }
        check_serial(&spec, &x, &c, &table.machine, &r);
        met[x.stuck && c.order.pending][good]++;

        struct pl_derived derived;
        or_case_make(&x, true, &c);
        bool agrees = derive(&spec, &x, NULL, &derived);
        CLAIM(agrees || shape.nondeterministic);
        conflicts += !agrees;
        CLAIM(pl_walk(walk, &derived.machine, &c.behaviour, NULL, &refuted) == decision);
        pl_derived_fold(&derived);
        CLAIM(pl_walk(walk, &derived.machine, &c.behaviour, NULL, NULL) == decision);
        pl_derived_release(&derived);

        if (shape.nondeterministic)
            continue; /* one known answer would pass for the only one */
        derive(&spec, &x, &r, &derived);
        enum pl_decision partly = pl_walk(walk, &derived.machine, &c.behaviour, NULL, &refuted);
        CLAIM(partly == decision || (partly == PL_NEITHER && refuted.untried));
        untried += partly == PL_NEITHER;
        pl_derived_release(&derived);
    }
    printf("good %lu, bad %lu; stuck: good %lu, bad %lu, %lu for one that should not block; "
           "nondeterministic %lu, not all runs known %lu\n",
           met[0][1], met[0][0], met[1][1], met[1][0], unjustified, conflicts, untried);
    unsigned long some = executions / 50;
    assert_true(met[0][0] > some && met[0][1] > some && met[1][0] > some && met[1][1] > some);
    assert_true(conflicts > some && untried > some && unjustified > some);
    pl_walk_free(walk);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        executions = strtoul(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walk_agrees_with_the_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
