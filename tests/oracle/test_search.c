/*
 * The search on histories that take it many steps: up to 40 operations, of which many are the
 * same, so that both of its orders run, share what they know, and few are told apart. What it
 * says, and what is said of a bad history, is compared with a walk along the events that keeps
 * every pair of operations placed and state, in full. The number of histories of each type is the
 * argument; the seed of one that fails is printed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h> /* after the headers it needs */

#include "base/prng.h"
#include "check/check.h"
#include "check/explain.h"

enum { MOST_THREADS = 10, MOST_INSIDE = 48, MOST_PAIRS = 1 << 15 };

static unsigned long histories = 60;

/* --- by the definition, event by event ---------------------------------------------- */

struct pair {
    uint64_t placed;
    uint32_t count;
    pl_value at[MOST_INSIDE];
};

struct walk {
    const struct pl_case *c;
    struct pair *pair;
    size_t count;
    uint32_t *slot; /* hash table of pairs, + 1 */
    bool full;
};

static void add(struct walk *w, const struct pair *p)
{
    uint64_t x = p->placed;
    for (uint32_t i = 0; i < p->count; i++)
        x = (x ^ (uint64_t)p->at[i]) * 0x9e3779b97f4a7c15u + (x >> 29);
    uint32_t k = (uint32_t)(x >> 40) & (2 * MOST_PAIRS - 1);
    for (; w->slot[k]; k = (k + 1) & (2 * MOST_PAIRS - 1)) {
        const struct pair *q = &w->pair[w->slot[k] - 1];
        if (q->placed == p->placed && q->count == p->count &&
            memcmp(q->at, p->at, p->count * sizeof p->at[0]) == 0)
            return;
    }
    w->full = w->full || w->count == MOST_PAIRS;
    if (w->full)
        return;
    w->pair[w->count++] = *p;
    w->slot[k] = (uint32_t)w->count;
}

/* Every pair that placing the operation leads to. `known`: its result counts. */
static void place(struct walk *w, size_t from, uint32_t i, bool known)
{
    struct pl_operation o = w->c->history->operation[i];
    struct pl_state to = {0};
    struct pair p = w->pair[from];
    struct pl_state state = {p.at, p.count, p.count};
    pl_value ignored;
    o.result = known ? o.result : PL_ANY;
    for (unsigned which = 0;
         w->c->spec->step(&w->c->history->values, &state, &o, which, &to, &ignored); which++) {
        struct pair next = {w->pair[from].placed | (uint64_t)1 << i, to.count, {0}};
        PL_ASSERT(to.count <= MOST_INSIDE);
        if (to.count)
            memcpy(next.at, to.at, to.count * sizeof next.at[0]);
        add(w, &next);
    }
    pl_state_release(&to);
}

/* The pairs that have it placed. */
static void keep(struct walk *w, uint32_t i)
{
    size_t count = w->count;
    memset(w->slot, 0, 2 * MOST_PAIRS * sizeof *w->slot);
    w->count = 0;
    for (size_t k = 0; k < count; k++)
        if (w->pair[k].placed >> i & 1) {
            struct pair p = w->pair[k];
            add(w, &p);
        }
}

/* Have some operations (NULL: all) an order up to an event? */
static enum pl_decision walk(const struct pl_case *c, const bool *wanted, uint32_t events)
{
    static struct pair pairs[MOST_PAIRS];
    static uint32_t slots[2 * MOST_PAIRS];
    const struct pl_history *h = c->history;
    struct walk w = {.c = c, .pair = pairs, .slot = slots};
    struct pl_state start = {0};
    uint64_t called = 0;
    c->spec->start(c->initial, h, &start);
    struct pair first = {0, start.count, {0}};
    if (start.count)
        memcpy(first.at, start.at, start.count * sizeof first.at[0]);
    pl_state_release(&start);
    memset(slots, 0, sizeof slots);
    add(&w, &first);
    for (uint32_t e = 0; e < events && w.count && !w.full; e++) {
        uint32_t i = h->event[e] / 2;
        if (wanted && !wanted[i])
            continue;
        called |= (uint64_t)1 << i;
        if (h->event[e] % 2 == 0)
            continue;
        for (size_t k = 0; k < w.count && !w.full; k++)
            for (uint32_t o = 0; o < h->count; o++)
                if (called >> o & 1 & ~(w.pair[k].placed >> o))
                    place(&w, k, o, h->operation[o].ret < events);
        keep(&w, i);
    }
    return w.full ? PL_NEITHER : w.count ? PL_GOOD : PL_BAD;
}

/* --- histories ---------------------------------------------------------------------- */

/* What is different in those for deciders: each value is put once, most takes at the end stay open.
 */
struct shape {
    bool distinct;
};

/* Sometimes another value is taken than the one that should be. */
static void exchange(const struct pl_spec *spec, struct pl_state *state, pl_value *answer,
                     struct pl_prng *r)
{
    if ((spec != &pl_spec_fifo && spec != &pl_spec_lifo) || !state->count || *answer == PL_NIL ||
        pl_prng_below(r, 5))
        return;
    pl_value *other = &state->at[pl_prng_below(r, state->count)], taken = *other;
    *other = *answer;
    *answer = taken;
}

static void make(struct pl_history *h, const struct pl_spec *spec, struct shape shape,
                 struct pl_prng *r)
{
    struct pl_state state = {0}, next = {0};
    struct pl_operation *open[MOST_THREADS] = {0};
    pl_value answer[MOST_THREADS];
    bool effective[MOST_THREADS];
    unsigned threads = 4 + pl_prng_below(r, MOST_THREADS - 3), values = 1 + pl_prng_below(r, 4);
    unsigned operations = (shape.distinct ? 6 : 16) + pl_prng_below(r, shape.distinct ? 15 : 25);
    unsigned pending = pl_prng_below(r, 3) * 4;
    uint32_t time = 0;
    pl_history_init(h);
    for (unsigned i = 0; i < operations; i++) /* they stay where they are */
        (void)pl_history_add(h);
    h->count = 0;
    spec->start(0, h, &state);
    for (unsigned idle = 0; idle < 200; idle++) {
        unsigned t = pl_prng_below(r, threads);
        if (!open[t] && h->count < operations) {
            open[t] = pl_history_add(h);
            *open[t] = (struct pl_operation){.call = time++, .ret = PL_NEVER, .thread = t};
            open[t]->code = (uint8_t)pl_prng_below(r, 2);
            open[t]->argument[0] =
                (pl_value)(shape.distinct ? h->count : pl_prng_below(r, values) + 1);
            if (pl_words_of(&spec->words, open[t]->code)->arguments == 0)
                open[t]->argument[0] = 0;
            open[t]->result = PL_ANY;
            effective[t] = false;
        } else if (open[t] && !effective[t]) {
            effective[t] = spec->step(&h->values, &state, open[t], 0, &next, &answer[t]);
            PL_ASSERT(effective[t]);
            pl_state_copy(&state, &next, 0);
            if (shape.distinct && open[t]->code == PL_TAKE)
                exchange(spec, &state, &answer[t], r);
        } else if (open[t]) {
            bool stays_open = shape.distinct && open[t]->code == PL_TAKE &&
                              pl_prng_below(r, operations) < h->count / 2;
            if (!stays_open && pl_prng_below(r, 100) >= pending) {
                open[t]->ret = time++;
                open[t]->result = answer[t];
                if (pl_words_of(&spec->words, open[t]->code)->arguments == 0 &&
                    pl_prng_below(r, shape.distinct ? 50 : 25) == 0)
                    open[t]->result =
                        (pl_value)pl_prng_below(r, shape.distinct ? h->count : values) + 1;
            }
            open[t] = NULL;
        }
    }
    h->threads = threads;
    pl_state_release(&state);
    pl_state_release(&next);
    pl_history_finish(h);
}

struct tally {
    unsigned long good, bad, long_ones, shortest, minimal, spared;
};

static pl_value value_of(const struct pl_case *c, uint32_t i)
{
    const struct pl_operation *o = &c->history->operation[i];
    return pl_words_of(&c->spec->words, o->code)->arguments ? o->argument[0] : o->result;
}

/* Are they bad without all that is about one value, too? */
static bool has_more_than_need_be(const struct pl_case *c, const bool *wanted)
{
    for (pl_value v = 1; v <= 4; v++) {
        bool fewer[64] = {false}, less = false;
        for (uint32_t i = 0; i < c->history->count; i++) {
            fewer[i] = wanted[i] && value_of(c, i) != v;
            less = less || fewer[i] != wanted[i];
        }
        if (less && walk(c, fewer, c->history->events) == PL_BAD)
            return true;
    }
    return false;
}

static void compare_explanation(const struct pl_case *c, const struct pl_check_how *how,
                                uint64_t seed, struct tally *tally)
{
    struct pl_explanation e;
    bool wanted[64] = {false};
    pl_explain(c, how, 1, &e);
    for (uint32_t i = 0; i < e.count; i++)
        wanted[e.operation[i]] = true;
    if (walk(c, NULL, e.events) == PL_GOOD)
        fail_msg("%s, seed %lu: the prefix is good", c->spec->name, (unsigned long)seed);
    if (e.shortest && walk(c, NULL, e.events - 1) == PL_BAD)
        fail_msg("%s, seed %lu: a shorter prefix is bad", c->spec->name, (unsigned long)seed);
    if (e.conflict && walk(c, wanted, c->history->events) == PL_GOOD)
        fail_msg("%s, seed %lu: those named have an order", c->spec->name, (unsigned long)seed);
    if (e.minimal && has_more_than_need_be(c, wanted))
        fail_msg("%s, seed %lu: a value could be left out", c->spec->name, (unsigned long)seed);
    tally->shortest += e.shortest;
    tally->minimal += e.minimal;
    pl_explanation_release(&e);
}

/* As if it were long: what it remembers is forgotten again and again, or put together. */
static void compare_sparing(const struct pl_case *c, uint64_t seed, enum pl_decision expected,
                            struct tally *tally)
{
    struct pl_error why;
    for (uint32_t young = 127; young <= 2047; young = 4 * young + 3) {
        const struct pl_budget budget = {.long_from = 1, .most_young = young, .steps = 50000};
        struct pl_case sparing = *c;
        struct pl_witness w;
        sparing.budget = &budget;
        pl_witness_init(&w, c->history->count);
        enum pl_decision decision = pl_decide_search(&sparing, &w);
        tally->spared += decision != PL_NEITHER;
        if (decision != PL_NEITHER && decision != expected)
            fail_msg("%s, seed %lu: %s by a search that remembers %u", c->spec->name,
                     (unsigned long)seed, decision == PL_GOOD ? "good" : "bad", young);
        if (decision == PL_GOOD && !pl_replay(c, &w, &why))
            fail_msg("%s, seed %lu, remembering %u: %s", c->spec->name, (unsigned long)seed, young,
                     why.text);
        pl_witness_release(&w);
    }
}

static void compare(const struct pl_spec *spec, uint64_t seed, struct tally *tally)
{
    struct pl_history h;
    struct pl_witness w;
    struct pl_check_how how = {.parts = 1, .bad = PL_NEVER};
    struct pl_error why;
    struct pl_prng r;
    pl_prng_init(&r, seed);
    make(&h, spec, (struct shape){false}, &r);
    const struct pl_case c = {.spec = spec, .history = &h};
    pl_witness_init(&w, h.count);
    enum pl_decision expected = walk(&c, NULL, h.events), decision = pl_decide_search(&c, &w);
    assert_true(decision != PL_NEITHER);
    if (expected != PL_NEITHER && decision != expected)
        fail_msg("%s, seed %lu: %s by search", spec->name, (unsigned long)seed,
                 decision == PL_GOOD ? "good" : "bad");
    if (decision == PL_GOOD && !pl_replay(&c, &w, &why))
        fail_msg("%s, seed %lu: %s", spec->name, (unsigned long)seed, why.text);
    compare_sparing(&c, seed, decision, tally);
    tally->long_ones += w.steps > 4096;
    how.steps = w.steps;
    how.reached = w.reached;
    *(decision == PL_GOOD ? &tally->good : &tally->bad) += 1;
    if (decision == PL_BAD)
        compare_explanation(&c, &how, seed, tally);
    pl_witness_release(&w);
    pl_history_release(&h);
}

/* A container whose values are distinct, with open takes: its decider needs no search. */
static void compare_open(const struct pl_spec *spec, uint64_t seed, struct tally *tally)
{
    struct pl_history h;
    struct pl_witness w;
    struct pl_check_how how;
    struct pl_prng r;
    pl_prng_init(&r, seed);
    make(&h, spec, (struct shape){true}, &r);
    const struct pl_case c = {.spec = spec, .history = &h};
    pl_witness_init(&w, h.count);
    enum pl_decision expected = walk(&c, NULL, h.events), decision = pl_check(&c, 1, &w, &how);
    if (how.searched || (expected != PL_NEITHER && decision != expected))
        fail_msg("%s, seed %lu: %s, by %s", spec->name, (unsigned long)seed,
                 decision == PL_GOOD ? "good" : "bad", how.searched ? "search" : how.decider);
    *(decision == PL_GOOD ? &tally->good : &tally->bad) += 1;
    tally->long_ones += expected == PL_NEITHER;
    if (decision == PL_BAD)
        compare_explanation(&c, &how, seed, tally);
    pl_witness_release(&w);
    pl_history_release(&h);
}

static void test_open_takes(void **state)
{
    static const struct pl_spec *const type[] = {&pl_spec_fifo, &pl_spec_lifo, &pl_spec_pqueue,
                                                 &pl_spec_bag};
    (void)state;
    for (unsigned t = 0; t < sizeof type / sizeof type[0]; t++) {
        struct tally tally = {0};
        for (uint64_t seed = 1; seed <= 10 * histories; seed++)
            compare_open(type[t], seed, &tally);
        print_message("%-9s with open takes: %lu good, %lu bad: shortest %lu; %lu not walked\n",
                      type[t]->name, tally.good, tally.bad, tally.shortest, tally.long_ones);
        assert_true(tally.good > histories && tally.bad > histories / 4);
        assert_true(tally.shortest == tally.bad);
    }
}

static void test_type(void **state)
{
    const struct pl_spec *spec = *state;
    struct tally tally = {0};
    for (uint64_t seed = 1; seed <= histories; seed++)
        compare(spec, seed, &tally);
    print_message("%-9s %lu good, %lu bad: shortest %lu, minimal %lu; %lu took many steps; "
                  "remembering less decides %lu of %lu\n",
                  spec->name, tally.good, tally.bad, tally.shortest, tally.minimal, tally.long_ones,
                  tally.spared, 3 * histories);
    assert_true(tally.spared > 3 * histories / 10 * 8);
    assert_true(tally.good > histories / 10 && tally.bad > histories / 20);
    assert_true(tally.long_ones || spec != &pl_spec_fifo);
    assert_true(tally.shortest > tally.bad / 10 * 9);
}

int main(int argc, char **argv)
{
    static const struct pl_spec *const specs[] = {&pl_spec_fifo, &pl_spec_lifo, &pl_spec_pqueue,
                                                  &pl_spec_register};
    struct CMUnitTest tests[5];
    if (argc > 1)
        histories = strtoul(argv[1], NULL, 10);
    for (size_t i = 0; i < 4; i++)
        tests[i] = (struct CMUnitTest){.name = specs[i]->name,
                                       .test_func = test_type,
                                       .initial_state = (void *)(uintptr_t)specs[i]};
    tests[4] = (struct CMUnitTest)cmocka_unit_test(test_open_takes);
    return _cmocka_run_group_tests("search", tests, 5, NULL, NULL);
}
