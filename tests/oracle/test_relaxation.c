/*
 * Relaxed takes against their definition, on random small histories of queues, stacks and priority
 * queues; among them pending operations and equal values. The number of histories of each is the
 * argument (5,000 without one); the seed of one that fails is printed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h> /* after the headers it needs */

#include "base/prng.h"
#include "check/walk.h"
#include "check/wrapped.h"
#include "relaxation.h"

static unsigned long histories = 5000;

static const struct {
    const struct pl_spec *spec;
    enum or_head head;
} objects[] = {{&pl_spec_fifo, OR_QUEUE},
               {&pl_spec_lifo, OR_STACK},
               {&pl_spec_pqueue, OR_LEAST},
               {&pl_spec_max_pqueue, OR_GREATEST}};

/* Puts and takes of any value that is there, in some order, with calls and returns around. */
static void random_history(struct pl_prng *r, struct pl_history *h)
{
    pl_value there[OR_RELAXED_OPERATIONS];
    unsigned count = 0, n = 4 + pl_prng_below(r, 5), wrong = pl_prng_below(r, 3);
    unsigned overlap = pl_prng_below(r, 2) * pl_prng_below(r, 4), equal = pl_prng_below(r, 4) == 0;
    for (unsigned i = 0; i < n; i++) {
        struct pl_operation *o = pl_history_add(h);
        bool put = pl_prng_below(r, i < n / 2 ? 4 : 7) < 3;
        *o = (struct pl_operation){.code = put ? PL_PUT : PL_TAKE, .result = PL_NIL, .thread = i};
        uint32_t at = 8 * (i + 4); /* of no two the same time */
        o->call = (at - pl_prng_below(r, 8 * overlap + 2) / 2) * 16 + i;
        o->ret = (at + 1 + pl_prng_below(r, 8 * overlap + 2) / 2) * 16 + 8 + i;
        if (put) {
            o->argument[0] = equal ? 1 + (pl_value)pl_prng_below(r, 2)
                                   : (pl_value)(1 + (8 - i) * 3 % 7 + pl_prng_below(r, 2));
            there[count++] = o->argument[0];
        } else if (count && pl_prng_below(r, 10)) {
            unsigned which = pl_prng_below(r, count);
            o->result = there[which];
            memmove(there + which, there + which + 1, (--count - which) * sizeof *there);
        }
        if (!put && pl_prng_below(r, 20) < wrong)
            o->result = pl_prng_below(r, 3) ? (pl_value)(1 + pl_prng_below(r, 7)) : PL_NIL;
        if (pl_prng_below(r, 15) == 0)
            o->ret = PL_NEVER;
    }
}

static uint32_t limit(unsigned of_oracle)
{
    return of_oracle == OR_NO_LIMIT ? PL_RELAXED_ANY : of_oracle;
}

static unsigned random_limit(struct pl_prng *r)
{
    return pl_prng_below(r, 3) ? pl_prng_below(r, 3) : OR_NO_LIMIT;
}

static uint32_t moment(const struct pl_history *h, unsigned event)
{
    const struct pl_operation *o = &h->operation[event / 2];
    return event % 2 ? o->ret : o->call;
}

static enum pl_decision decide(struct pl_walk *walk, const struct pl_spec *spec,
                               const struct or_relaxation *o, struct pl_history *h)
{
    struct pl_wrapped w;
    struct pl_order order = {.operations = (unsigned)h->count};
    struct pl_called called[OR_RELAXED_OPERATIONS];
    const struct pl_relaxation relaxation = {
        .on = true,
        .since_head = o->row == OR_NO_LIMIT,
        .places = limit(o->places),
        .late = limit(o->row == OR_NO_LIMIT ? o->head_for : o->row),
        .empty = o->empty};
    pl_wrapped_init(&w, spec, 0, h);
    pl_wrapped_relax(&w, &relaxation);
    for (unsigned i = 0; i < h->count; i++) {
        const struct pl_operation *a = &h->operation[i];
        called[i] = (struct pl_called){pl_wrapped_invocation(&w, a), a->result, i, false};
        if (a->ret == PL_NEVER)
            order.pending |= 1u << i;
    }
    for (unsigned a = 0; a < 2 * h->count; a++)
        for (unsigned b = 0; b < 2 * h->count; b++)
            if (moment(h, a) < moment(h, b) && moment(h, b) != PL_NEVER)
                order.before[b] |= pl_event_bit(a);
    struct pl_behaviour behaviour = {&order, called, false};
    enum pl_decision decision = pl_walk(walk, &w.machine, &behaviour, NULL, NULL);
    pl_wrapped_release(&w);
    return decision;
}

static void relaxed_takes_agree_with_the_definition(void **unused)
{
    (void)unused;
    struct pl_walk *walk = pl_walk_new();
    for (unsigned k = 0; k < sizeof objects / sizeof objects[0]; k++) {
        unsigned long good = 0, relaxed = 0, differ = 0;
        for (uint64_t seed = 1; seed <= histories; seed++) {
            struct pl_prng r;
            struct pl_history h;
            pl_prng_init(&r, seed);
            pl_history_init(&h);
            random_history(&r, &h);
            pl_history_finish(&h);
            struct or_relaxation o = {.head = objects[k].head,
                                      .places = random_limit(&r),
                                      .row = random_limit(&r),
                                      .head_for = OR_NO_LIMIT,
                                      .empty = pl_prng_below(&r, 4) ? 0 : 1 + pl_prng_below(&r, 2)};
            struct or_relaxation other = o;
            other.head_for = o.row;
            other.row = OR_NO_LIMIT;
            const struct or_relaxation none = {.head = o.head};
            bool is = or_relaxed_good(&o, &h), is_other = or_relaxed_good(&other, &h);
            if (decide(walk, objects[k].spec, &o, &h) != (is ? PL_GOOD : PL_BAD) ||
                decide(walk, objects[k].spec, &other, &h) != (is_other ? PL_GOOD : PL_BAD))
                fail_msg("%s, seed %llu: the definition says %d and %d", objects[k].spec->name,
                         (unsigned long long)seed, is, is_other);
            good += is;
            relaxed += is && !or_relaxed_good(&none, &h);
            differ += is != is_other;
            pl_history_release(&h);
        }
        printf("%s: %lu good, %lu bad; good but not exact: %lu; the two ways to be late differ: "
               "%lu\n",
               objects[k].spec->name, good, histories - good, relaxed, differ);
        assert_true(good > histories / 10 && histories - good > histories / 10);
        assert_true(relaxed > histories / 20);
        assert_true(objects[k].head == OR_QUEUE ? differ == 0 : differ > 0);
    }
    pl_walk_free(walk);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        histories = strtoul(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relaxed_takes_agree_with_the_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
