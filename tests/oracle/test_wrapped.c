/*
 * Built-in specs as machines: the walk against the definition, with the oracle's own objects, on
 * every history of random small executions of every type, good and bad, with pending
 * operations; and the other decider with reads placed lazily. The number of executions of each type
 * is the argument (5,000 without one); the seed of one that fails is printed.
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
#include "check/enumerate.h"
#include "check/walk.h"
#include "check/wrapped.h"
#include "linear.h"

enum { MOST = 4, PLACES = 2 };

static unsigned long executions = 5000, reading;

struct execution {
    unsigned operations;
    struct pl_operation operation[MOST];
    bool pending[MOST];
    struct pl_order order;
};

static pl_value initial_of(const struct pl_spec *spec)
{
    return spec == &pl_spec_semaphore ? 1 : spec == &pl_spec_countdown ? 2 : 0;
}

/* A history whose only use is to say how large a snapshot is, and to hold the values. */
static void start_history(struct pl_history *h)
{
    pl_history_init(h);
    struct pl_operation *o = pl_history_add(h);
    *o = (struct pl_operation){.call = 0, .ret = 1, .code = PL_SNAPSHOT_UPDATE, .result = PL_NIL};
    o->argument[0] = PLACES - 1;
    pl_history_finish(h);
}

static void random_operation(struct pl_prng *r, const struct pl_spec *spec, struct pl_operation *o)
{
    const struct pl_word *w = &spec->words.word[pl_prng_below(r, (uint32_t)spec->words.count)];
    *o = (struct pl_operation){.code = w->code, .result = PL_ANY};
    for (unsigned i = 0; i < w->arguments; i++)
        o->argument[i] = pl_prng_below(r, 2) + (spec != &pl_spec_snapshot || i);
}

static pl_value random_answer(struct pl_prng *r, struct pl_history *h, const struct pl_spec *spec,
                              const struct pl_operation *o)
{
    pl_value member[PLACES];
    switch (pl_words_of(&spec->words, o->code)->answer) {
    case PL_ANSWER_NONE:
        return PL_NIL;
    case PL_ANSWER_LIST:
        for (unsigned i = 0; i < PLACES; i++)
            member[i] = pl_prng_below(r, 3);
        return pl_values_list(&h->values, member, PLACES);
    case PL_ANSWER_BOOL:
    case PL_ANSWER_SUCCESS:
        return pl_prng_below(r, 2);
    case PL_ANSWER_TAKE:
    case PL_ANSWER_VALUE:
        break;
    }
    return pl_prng_below(r, 4) ? (pl_value)pl_prng_below(r, 3) : PL_NIL;
}

/* Operations are called, take effect and return at random; some pairs of that order are kept. */
static void random_execution(struct pl_prng *r, struct pl_wrapped *w, struct pl_history *h,
                             struct execution *x)
{
    unsigned at[MOST] = {0}, thread[MOST], event[2 * MOST], events = 0, idle = 0;
    unsigned kept = pl_prng_below(r, 3) * 40, wrong = pl_prng_below(r, 3) * 10;
    uint32_t state = w->machine.start, number[MOST];
    *x = (struct execution){.operations = 2 + pl_prng_below(r, MOST - 1)};
    for (unsigned i = 0; i < x->operations; i++) {
        random_operation(r, w->spec, &x->operation[i]);
        number[i] = pl_wrapped_invocation(w, &x->operation[i]);
        thread[i] = pl_prng_below(r, 3);
    }
    for (; idle < 100; idle++) {
        unsigned i = pl_prng_below(r, x->operations), answers = 0;
        bool waits = at[i] == 3;
        pl_value response = PL_NIL;
        uint32_t next = state;
        for (unsigned j = 0; j < i; j++)
            waits |= thread[i] == thread[j] && at[j] != 3;
        while (pl_step(&w->machine, state, number[i], answers, &response, &next) == PL_STEP_ANSWERS)
            answers++;
        if (waits || (at[i] == 1 && !answers))
            continue;
        if (at[i] == 1) {
            pl_step(&w->machine, state, number[i], pl_prng_below(r, answers), &response, &next);
            state = next;
            x->operation[i].result = pl_prng_below(r, 100) < wrong
                                         ? random_answer(r, h, w->spec, &x->operation[i])
                                         : response;
        } else if (at[i] == 2 && pl_prng_below(r, 12) == 0) {
            continue; /* comes later, or stays pending if it was the last */
        } else {
            event[events++] = 2 * i + (at[i] == 2);
        }
        at[i]++;
    }
    x->order.operations = x->operations;
    for (unsigned i = 0; i < x->operations; i++)
        if ((x->pending[i] = at[i] != 3))
            x->order.pending |= 1u << i;
    for (unsigned a = 0; a < events; a++)
        for (unsigned b = a + 1; b < events; b++)
            if (thread[event[a] / 2] == thread[event[b] / 2] || pl_prng_below(r, 100) < kept)
                x->order.before[event[b]] |= pl_event_bit(event[a]);
}

struct listing {
    const struct execution *x;
    const struct or_object *object;
    struct pl_history *history;
    unsigned position[2 * MOST];
    uint64_t placed;
    unsigned events;
};

/* Every linear extension, asked of the oracle as a history. */
static bool all_good(struct listing *s)
{
    const struct execution *x = s->x;
    bool complete = true;
    for (unsigned e = 0; e < 2 * x->operations; e++) {
        uint64_t before = x->order.before[e] | (e % 2 ? pl_event_bit(e - 1) : 0);
        if ((e % 2 && x->pending[e / 2]) || (s->placed >> e & 1))
            continue;
        complete = false;
        if (before & ~s->placed)
            continue;
        s->position[e] = s->events++;
        s->placed |= pl_event_bit(e);
        bool good = all_good(s);
        s->placed &= ~pl_event_bit(e);
        s->events--;
        if (!good)
            return false;
    }
    if (!complete)
        return true;
    s->history->count = 0;
    for (unsigned i = 0; i < x->operations; i++) {
        struct pl_operation *o = pl_history_add(s->history);
        *o = x->operation[i];
        o->call = s->position[2 * i];
        o->ret = x->pending[i] ? PL_NEVER : s->position[2 * i + 1];
        o->thread = i;
        if (x->pending[i])
            o->result = PL_ANY;
    }
    pl_history_finish(s->history);
    return or_linearizable(s->object, s->history);
}

static bool one(struct pl_walk *walk, const struct pl_spec *spec, uint64_t seed)
{
    struct pl_prng r;
    struct pl_history h;
    struct execution x;
    struct pl_wrapped wrapped;
    struct pl_called called[MOST];
    struct or_object object = {spec->name, initial_of(spec)};
    pl_prng_init(&r, seed);
    start_history(&h);
    pl_wrapped_init(&wrapped, spec, object.initial, &h);
    random_execution(&r, &wrapped, &h, &x);
    for (unsigned i = 0; i < x.operations; i++)
        called[i] = (struct pl_called){pl_wrapped_invocation(&wrapped, &x.operation[i]),
                                       x.operation[i].result, i, false};
    struct pl_behaviour behaviour = {&x.order, called, false};
    enum pl_decision decision = pl_walk(walk, &wrapped.machine, &behaviour, NULL, NULL);
    const struct pl_enumerate_options lazy = {.lazy_reads = true};
    struct pl_enumerate *n = pl_enumerate_new(&lazy);
    uint32_t reads = pl_wrapped_reads(&wrapped, &behaviour);
    reading += reads != 0;
    if (pl_enumerate(n, &wrapped.machine, &behaviour, reads, NULL, NULL) != decision)
        fail_msg("%s, seed %llu: the deciders differ", spec->name, (unsigned long long)seed);
    pl_enumerate_free(n);
    struct listing listing = {.x = &x, .object = &object, .history = &h};
    bool good = all_good(&listing);
    if (decision != (good ? PL_GOOD : PL_BAD))
        fail_msg("%s, seed %llu: the walk says %d, the definition %d", spec->name,
                 (unsigned long long)seed, decision, good ? PL_GOOD : PL_BAD);
    pl_wrapped_release(&wrapped);
    pl_history_release(&h);
    return good;
}

static void walk_agrees_with_the_definition(void **unused)
{
    (void)unused;
    size_t specs;
    const struct pl_spec *const *spec = pl_spec_all(&specs);
    struct pl_walk *walk = pl_walk_new();
    for (size_t k = 0; k < specs; k++) {
        unsigned long good = 0;
        for (uint64_t seed = 1; seed <= executions; seed++)
            good += one(walk, spec[k], seed);
        printf("%s: %lu good, %lu bad\n", spec[k]->name, good, executions - good);
        assert_true(good > executions / 20);
        assert_true(executions - good > executions / 20);
    }
    assert_true(reading > executions);
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
