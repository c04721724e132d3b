/*
 * The deciders of histories against the definition of linearizability, on random small
 * histories of every type: good and bad, with pending operations, repeated values, empty
 * takes and results that were not recorded. Three answers are compared with the oracle's:
 * the type's decider (where it answers), the search, and the whole check; every witness is
 * replayed, and what is said of a bad history is checked by the definition. Histories without
 * pending operations are also decided in windows, cut at each quiescent moment. The number of
 * histories of each type is the argument (20,000 without one); the seed of a history that fails is
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

#include "base/prng.h"
#include "check/check.h"
#include "check/cut.h"
#include "check/explain.h"
#include "check/windows.h"
#include "linear.h"
#include "spec/spec.h"

static unsigned long histories = 20000;

/* How a history is made. The object is run along, so that many histories are good. */
struct shape {
    unsigned threads, operations, values;
    bool distinct;
    unsigned pending; /* of 100 */
    unsigned wrong;   /* of 100: a result is changed */
    unsigned unknown; /* of 100: a result is not recorded */
    unsigned swaps;   /* results of operations of one kind that change places */
    bool no_repeats;  /* of a priority queue, too: with distinct ones some come again in it */
};

static pl_value random_value(struct pl_prng *r, const struct shape *s, unsigned *fresh)
{
    return s->distinct ? (pl_value)(++*fresh) : (pl_value)pl_prng_below(r, s->values) + 1;
}

static void fill_arguments(const struct pl_spec *spec, struct pl_operation *o, struct pl_prng *r,
                           const struct shape *s, unsigned *fresh)
{
    const struct pl_word *w = pl_words_of(&spec->words, o->code);
    for (unsigned i = 0; i < w->arguments; i++)
        o->argument[i] = random_value(r, s, fresh);
    if (spec == &pl_spec_set || spec == &pl_spec_map)
        o->argument[0] = pl_prng_below(r, s->values) + 1;
    if (spec == &pl_spec_snapshot)
        o->argument[0] = pl_prng_below(r, 2);
    if (spec == &pl_spec_counter && o->code == PL_COUNTER_ADD)
        o->argument[0] = (pl_value)pl_prng_below(r, 4) - (s->distinct ? -1 : 1);
    if (o->code == PL_REGISTER_CAS && spec == &pl_spec_cas_register)
        o->argument[0] = pl_prng_below(r, *fresh + 2);
    if (o->code == PL_MAP_CAS && spec == &pl_spec_map && pl_prng_below(r, 3) == 0)
        o->argument[1] = PL_NIL;
    if (pl_prng_below(r, 2) && spec == &pl_spec_pqueue && o->code == PL_PUT && s->distinct &&
        !s->no_repeats)
        o->argument[0] = (pl_value)*fresh * 7 % 31 + 100 * (pl_value)*fresh % 7;
}

static pl_value random_list(struct pl_history *h, const struct pl_spec *spec, struct pl_prng *r)
{
    pl_value member[3];
    size_t count = spec == &pl_spec_snapshot ? 2 : pl_prng_below(r, 3);
    for (size_t i = 0; i < count; i++)
        member[i] = spec == &pl_spec_snapshot ? (pl_value)pl_prng_below(r, 3)
                                              : (pl_value)i + 1 + pl_prng_below(r, 2) * (pl_value)i;
    return pl_values_list(&h->values, member, count);
}

static pl_value wrong_result(struct pl_history *h, const struct pl_spec *spec,
                             const struct pl_operation *o, struct pl_prng *r, unsigned fresh)
{
    switch (pl_words_of(&spec->words, o->code)->answer) {
    case PL_ANSWER_NONE:
        return PL_NIL;
    case PL_ANSWER_BOOL:
    case PL_ANSWER_SUCCESS:
        return pl_prng_below(r, 2);
    case PL_ANSWER_LIST:
        return random_list(h, spec, r);
    case PL_ANSWER_TAKE:
        if (pl_prng_below(r, 2))
            return PL_NIL;
        break;
    case PL_ANSWER_VALUE:
        break;
    }
    return (pl_value)pl_prng_below(r, fresh + 3);
}

/* Takes effect now, if it can: what the object answers becomes the result. */
static bool take_effect(struct pl_history *h, const struct pl_spec *spec, struct pl_state *state,
                        struct pl_operation *o, struct pl_prng *r)
{
    struct pl_state next = {0};
    struct pl_operation asked = *o;
    pl_value result;
    unsigned answers = 0;
    asked.result = PL_ANY;
    while (spec->step(&h->values, state, &asked, answers, &next, &result))
        answers++;
    if (answers &&
        spec->step(&h->values, state, &asked, pl_prng_below(r, answers), &next, &result)) {
        if (pl_words_of(&spec->words, o->code)->answer == PL_ANSWER_LIST)
            result = pl_values_list(&h->values, state->at, state->count);
        o->result = result;
        pl_state_release(state);
        *state = next;
        return true;
    }
    pl_state_release(&next);
    return false;
}

enum { MOST_THREADS = 6 };

static void make(struct pl_history *h, const struct pl_spec *spec, pl_value initial,
                 const struct shape *s, struct pl_prng *r)
{
    struct pl_state state = {0};
    struct pl_operation open[MOST_THREADS];
    bool is_open[MOST_THREADS] = {false}, effective[MOST_THREADS];
    unsigned made = 0, fresh = 0;
    uint32_t time = 0, index[MOST_THREADS];
    pl_history_init(h);
    if (spec == &pl_spec_snapshot) {
        pl_start_cell(initial, h, &state);
        pl_state_insert(&state, 1, initial);
    } else {
        spec->start(initial, h, &state);
    }
    for (unsigned idle = 0; idle < 40; idle++) {
        unsigned t = pl_prng_below(r, s->threads), what = pl_prng_below(r, 3);
        if (!is_open[t]) {
            if (made == s->operations)
                continue;
            struct pl_operation *o = pl_history_add(h);
            o->call = time++;
            o->thread = t;
            o->code = (uint8_t)spec->words.word[pl_prng_below(r, (uint32_t)spec->words.count)].code;
            if (o->code >= PL_SET_READ && spec == &pl_spec_set && s->threads % 2)
                o->code = PL_SET_CONTAINS; /* the decider knows nothing of all members */
            fill_arguments(spec, o, r, s, &fresh);
            index[t] = h->count - 1;
            open[t] = *o;
            is_open[t] = true;
            effective[t] = false;
            made++;
            idle = 0;
        } else if (!effective[t] && what > 0) {
            effective[t] = take_effect(h, spec, &state, &open[t], r);
        } else if (effective[t]) {
            struct pl_operation *o = &h->operation[index[t]];
            is_open[t] = false;
            if (pl_prng_below(r, 100) < s->pending)
                continue; /* never heard of again; its thread goes on */
            *o = open[t];
            o->ret = time++;
            if (pl_prng_below(r, 100) < s->wrong)
                o->result = wrong_result(h, spec, o, r, fresh);
            else if (pl_prng_below(r, 100) < s->unknown &&
                     pl_words_of(&spec->words, o->code)->answer != PL_ANSWER_NONE)
                o->result = PL_ANY;
        }
    }
    pl_state_release(&state);
    for (unsigned i = 0; i < s->swaps && h->count; i++) {
        struct pl_operation *a = &h->operation[pl_prng_below(r, h->count)];
        struct pl_operation *b = &h->operation[pl_prng_below(r, h->count)];
        if (a->code != b->code || pl_pending(a) || pl_pending(b))
            continue;
        pl_value result = a->result;
        a->result = b->result;
        b->result = result;
    }
    pl_history_finish(h);
}

static void print_history(const struct pl_history *h, const struct pl_spec *spec)
{
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    for (uint32_t i = 0; i < h->count; i++) {
        const struct pl_operation *o = &h->operation[i];
        pl_strbuf_addf(&text, "  %2u [%u, %d] thread %u: ", i, o->call,
                       pl_pending(o) ? -1 : (int)o->ret, o->thread);
        pl_operation_print(h, &spec->words, o, &text);
        pl_strbuf_add(&text, "\n");
    }
    print_error("%s", text.text);
    pl_strbuf_release(&text);
}

struct tally {
    unsigned long good, bad, decided;
    unsigned long windows, cuts, carried;
};

static const char *const words[] = {"good", "bad", "neither"};

static void compare_one(const struct pl_case *c, uint64_t seed, bool expected, const char *who,
                        enum pl_decision decision, const struct pl_witness *w)
{
    struct pl_error why;
    if (decision == PL_NEITHER)
        return;
    if (decision == PL_GOOD && !pl_replay(c, w, &why)) {
        print_history(c->history, c->spec);
        for (uint32_t i = 0; i < w->count; i++)
            print_error(" %u", w->order[i]);
        fail_msg("%s, seed %llu: the witness of the %s is wrong: %s", c->spec->name,
                 (unsigned long long)seed, who, why.text);
    }
    if ((decision == PL_GOOD) != expected) {
        print_history(c->history, c->spec);
        fail_msg("%s, seed %llu: the %s says %s, the definition %s", c->spec->name,
                 (unsigned long long)seed, who, words[decision], words[!expected]);
    }
}

/* The history of some operations up to an event, for the oracle. */
static bool is_good(const struct pl_case *c, const bool *wanted, uint32_t events)
{
    struct pl_history h;
    pl_history_init(&h);
    struct pl_values own = h.values;
    h.values = c->history->values; /* borrowed */
    for (uint32_t i = 0; i < c->history->count; i++) {
        const struct pl_operation *o = &c->history->operation[i];
        if (o->call >= events || (wanted && !wanted[i]))
            continue;
        struct pl_operation *copy = pl_history_add(&h);
        *copy = *o;
        if (o->ret >= events) {
            copy->ret = PL_NEVER;
            copy->result = PL_ANY;
        }
    }
    pl_history_finish(&h);
    bool good = or_linearizable(&(struct or_object){c->spec->name, c->initial}, &h);
    h.values = own;
    pl_history_release(&h);
    return good;
}

static pl_value value_of(const struct pl_case *c, uint32_t i)
{
    const struct pl_operation *o = &c->history->operation[i];
    bool puts = o->code == (c->spec == &pl_spec_register ? PL_REGISTER_WRITE : PL_PUT);
    return puts ? o->argument[0] : o->result;
}

/* Without all that is about the value of one operation. */
static bool is_good_without(const struct pl_case *c, const bool *wanted, uint32_t one)
{
    bool fewer[OR_MOST_OPERATIONS];
    pl_value value = value_of(c, one);
    for (uint32_t i = 0; i < c->history->count; i++)
        fewer[i] = wanted[i] && i != one && (value == PL_NIL || value_of(c, i) != value);
    return value == PL_ANY || is_good(c, fewer, c->history->events);
}

/* What is said of a bad history holds by the definition. */
static void compare_explanation(const struct pl_case *c, const struct pl_check_how *how,
                                uint64_t seed)
{
    struct pl_explanation e;
    bool wanted[OR_MOST_OPERATIONS] = {false};
    const char *wrong = NULL;
    pl_explain(c, how, 1, &e);
    for (uint32_t i = 0; i < e.count; i++)
        wanted[e.operation[i]] = true;
    if (!e.shortest)
        wrong = "the shortest prefix was not found";
    else if (is_good(c, NULL, e.events))
        wrong = "the prefix is good";
    else if (!is_good(c, NULL, e.events - 1))
        wrong = "a shorter prefix is bad";
    else if (e.conflict && is_good(c, wanted, c->history->events))
        wrong = "the operations named have an order";
    for (uint32_t i = 0; i < e.count && e.minimal && !wrong; i++)
        if (!is_good_without(c, wanted, e.operation[i]))
            wrong = "a value could be left out";
    if (wrong) {
        print_history(c->history, c->spec);
        fail_msg("%s, seed %llu: %s (%u events)", c->spec->name, (unsigned long long)seed, wrong,
                 e.events);
    }
    pl_explanation_release(&e);
}

/* The operations called between two times, as a history of its own. */
static void window_of(const struct pl_history *h, uint32_t from, uint32_t to,
                      struct pl_history *out)
{
    pl_history_init(out);
    pl_values_release(&out->values);
    out->values = h->values; /* borrowed */
    for (uint32_t i = 0; i < h->count; i++)
        if (h->operation[i].call >= from && h->operation[i].call < to) {
            struct pl_operation *o = pl_history_add(out);
            *o = h->operation[i];
            o->call -= from;
            o->ret -= from;
        }
    out->threads = h->threads;
    pl_history_finish(out);
}

/* Window by window, the same is said as of the whole. */
static void compare_windows(const struct pl_case *c, uint64_t seed, bool expected,
                            struct tally *tally)
{
    const struct pl_history *h = c->history;
    struct pl_windows w;
    uint32_t open = 0, from = 0;
    enum pl_decision decision = PL_GOOD;
    pl_windows_init(&w, c->spec, c->initial);
    for (uint32_t t = 0; t < h->events && decision == PL_GOOD; t++) {
        open = h->event[t] % 2 ? open - 1 : open + 1;
        if (open || (seed % 3 == 0 && t % 3 == 0)) /* not each of them: longer windows too */
            continue;
        struct pl_history window;
        window_of(h, from, t + 1, &window);
        decision = pl_windows_add(&w, &window, t + 1 == h->events, c->budget);
        pl_values_init(&window.values);
        pl_history_release(&window);
        from = t + 1;
        tally->windows++;
    }
    tally->cuts += w.cuts;
    tally->carried += w.carried;
    if (from == h->events || decision == PL_BAD)
        compare_one(c, seed, expected, "check in windows", decision == PL_BAD ? PL_BAD : PL_NEITHER,
                    NULL);
    if (from == h->events && decision == PL_GOOD && !expected) {
        print_history(h, c->spec);
        fail_msg("%s, seed %llu: good in windows, bad by the definition", c->spec->name,
                 (unsigned long long)seed);
    }
    assert_true(decision != PL_NEITHER);
    pl_windows_release(&w);
}

/* As if it were long: it remembers less. */
static const struct pl_budget sparing = {.long_from = 1, .most_young = 7};

static void compare(const struct pl_spec *spec, uint64_t seed, struct tally *tally)
{
    struct pl_prng r;
    struct pl_history h;
    struct pl_witness w;
    struct pl_check_how how;
    const char *name;
    pl_prng_init(&r, seed);
    struct shape s = {
        .threads = 1 + pl_prng_below(&r, 5),
        .operations = 1 + pl_prng_below(&r, 9),
        .values = 1 + pl_prng_below(&r, 3),
        .distinct = pl_prng_below(&r, 3) != 0,
        .pending = pl_prng_below(&r, 2) ? 0 : pl_prng_below(&r, 40),
        .wrong = pl_prng_below(&r, 3) ? pl_prng_below(&r, 30) : 0,
        .unknown = pl_prng_below(&r, 8) ? 0 : 20,
        .swaps = pl_prng_below(&r, 2) ? pl_prng_below(&r, 6) : 0,
    };
    pl_value initial = spec->has_initial ? (pl_value)pl_prng_below(&r, 3) : 0;
    if (spec == &pl_spec_countdown)
        initial += 2;
    make(&h, spec, initial, &s, &r);
    if (spec == &pl_spec_snapshot) /* the oracle has two places */
        for (uint32_t i = 0; i < h.count; i++)
            PL_ASSERT(h.operation[i].code != PL_SNAPSHOT_UPDATE || h.operation[i].argument[0] < 2);
    struct pl_case c = {.spec = spec, .initial = initial, .history = &h};
    bool expected = or_linearizable(&(struct or_object){spec->name, initial}, &h);
    pl_decider *decider = pl_decider_of(spec, &name);
    pl_witness_init(&w, h.count);
    if (decider) {
        enum pl_decision decision = decider(&c, &w);
        tally->decided += decision != PL_NEITHER;
        compare_one(&c, seed, expected, name, decision, &w);
        w.count = 0;
    }
    enum pl_decision decision = pl_decide_search(&c, &w);
    assert_true(decision != PL_NEITHER);
    compare_one(&c, seed, expected, "search", decision, &w);
    w.count = 0;
    c.budget = &sparing;
    decision = pl_decide_search(&c, &w);
    c.budget = NULL;
    assert_true(decision != PL_NEITHER);
    compare_one(&c, seed, expected, "search of a long one", decision, &w);
    w.count = 0;
    decision = pl_check(&c, 1 + (unsigned)(seed % 16 == 0), &w, &how);
    assert_true(decision != PL_NEITHER);
    compare_one(&c, seed, expected, "check", decision, &w);
    *(expected ? &tally->good : &tally->bad) += 1;
    c.budget = seed % 2 ? &sparing : NULL;
    if (!s.pending)
        compare_windows(&c, seed, expected, tally);
    c.budget = NULL;
    /* a scan's length says how many places a snapshot has: its prefixes are other objects */
    if (!expected && spec != &pl_spec_snapshot)
        compare_explanation(&c, seed % 4 ? &how : NULL, seed);
    pl_witness_release(&w);
    pl_history_release(&h);
}

/* Two updates of one place at the same time, and a scan after the cut that tells of two places. */
static void test_places_told_later(void **state)
{
    const pl_value seen[] = {1, 0};
    struct pl_windows w;
    struct pl_history first, second;
    (void)state;
    pl_windows_init(&w, &pl_spec_snapshot, 0);
    pl_history_init(&first);
    pl_history_init(&second);
    for (unsigned i = 0; i < 2; i++)
        *pl_history_add(&first) = (struct pl_operation){.call = i,
                                                        .ret = 2 + i,
                                                        .thread = i,
                                                        .code = PL_SNAPSHOT_UPDATE,
                                                        .argument = {0, 1 + (pl_value)i},
                                                        .result = PL_NIL};
    *pl_history_add(&second) = (struct pl_operation){
        .ret = 1, .code = PL_SNAPSHOT_SCAN, .result = pl_values_list(&second.values, seen, 2)};
    pl_history_finish(&first);
    pl_history_finish(&second);
    assert_int_equal(pl_windows_add(&w, &first, false, NULL), PL_GOOD);
    assert_int_equal(pl_windows_add(&w, &second, true, NULL), PL_GOOD);
    pl_history_release(&first);
    pl_history_release(&second);
    pl_windows_release(&w);
}

static void add_cell(struct pl_history *h, uint32_t call, uint32_t ret, uint8_t code,
                     pl_value value)
{
    bool writes = code == PL_REGISTER_WRITE;
    *pl_history_add(h) = (struct pl_operation){.call = call,
                                               .ret = ret,
                                               .thread = call % 2,
                                               .code = code,
                                               .argument = {writes ? value : 0},
                                               .result = writes ? PL_NIL : value};
}

/* From one of two states a window is bad, from the other it cannot be told within the budget: that
 * is not bad, whichever comes first. */
static void test_open_from_one_state(void **state)
{
    (void)state;
    for (pl_value kept = 1; kept <= 2; kept++) {
        const struct pl_budget little = {.steps = 1};
        struct pl_windows w;
        struct pl_history first, second;
        pl_windows_init(&w, &pl_spec_register, 0);
        pl_history_init(&first);
        pl_history_init(&second);
        add_cell(&first, 0, 2, PL_REGISTER_WRITE, 1);
        add_cell(&first, 1, 3, PL_REGISTER_WRITE, 2);
        add_cell(&second, 0, 1, PL_REGISTER_READ, kept);
        add_cell(&second, 2, 3, PL_REGISTER_WRITE,
                 kept); /* a second time: only a search can tell */
        pl_history_finish(&first);
        pl_history_finish(&second);
        assert_int_equal(pl_windows_add(&w, &first, false, NULL), PL_GOOD);
        assert_int_equal(w.from.count, 2);
        assert_int_equal(pl_windows_add(&w, &second, true, &little), PL_NEITHER);
        pl_windows_release(&w);
        pl_history_release(&first);
        pl_history_release(&second);
    }
}

/* Is the history bad up to an event? By the decider alone: it is too long for the definition. */
static bool is_bad_until(const struct pl_case *c, uint32_t events)
{
    struct pl_case prefix = *c;
    struct pl_history h;
    struct pl_witness w;
    struct pl_check_how how;
    pl_cut_make(c->history, NULL, events, &h, NULL);
    prefix.history = &h;
    pl_witness_init(&w, h.count);
    enum pl_decision decision = pl_check(&prefix, 1, &w, &how);
    assert_true(decision != PL_NEITHER);
    pl_witness_release(&w);
    pl_cut_release(&h);
    return decision == PL_BAD;
}

/* What is said of a long bad history, of which only a part near the fault is looked at. */
static void explain_long(const struct pl_spec *spec, uint64_t seed, unsigned *bad, unsigned *unsure)
{
    struct pl_prng r;
    struct pl_history h;
    struct pl_witness w;
    struct pl_check_how how;
    struct pl_explanation e;
    pl_prng_init(&r, seed);
    const struct shape s = {.threads = 6, .operations = 9000, .distinct = true, .no_repeats = true};
    struct pl_case c = {.spec = spec, .history = &h};
    make(&h, spec, 0, &s, &r);
    for (unsigned faults = 2 + pl_prng_below(&r, 4); faults; faults--) {
        uint32_t i = pl_prng_below(&r, h.count), k = i + 15 + pl_prng_below(&r, 30);
        while (k < h.count && h.operation[k].code != h.operation[i].code)
            k++;
        if (k >= h.count || pl_pending(&h.operation[i]) || pl_pending(&h.operation[k]))
            continue;
        pl_value result = h.operation[i].result; /* they change places */
        h.operation[i].result = h.operation[k].result;
        h.operation[k].result = result;
    }
    pl_witness_init(&w, h.count);
    if (pl_check(&c, 1, &w, &how) == PL_BAD) {
        pl_explain(&c, seed % 4 ? &how : NULL, 1, &e);
        if (!e.conflict || !e.minimal || !is_bad_until(&c, e.events) ||
            (e.shortest && is_bad_until(&c, e.events - 1)))
            fail_msg("%s, seed %llu: %u events%s; %u operations%s%s", spec->name,
                     (unsigned long long)seed, e.events, e.shortest ? "" : ", perhaps fewer",
                     e.count, e.conflict ? "" : ", perhaps good",
                     e.minimal ? "" : ", perhaps fewer");
        *unsure += !e.shortest;
        pl_explanation_release(&e);
        ++*bad;
    }
    pl_witness_release(&w);
    pl_history_release(&h);
}

static void test_long(void **state)
{
    static const struct pl_spec *const type[] = {&pl_spec_fifo, &pl_spec_lifo, &pl_spec_pqueue,
                                                 &pl_spec_bag, &pl_spec_register};
    (void)state;
    for (unsigned t = 0; t < sizeof type / sizeof type[0]; t++) {
        unsigned bad = 0, unsure = 0;
        for (uint64_t seed = 1; seed <= 20 + histories / 1000; seed++)
            explain_long(type[t], seed, &bad, &unsure);
        print_message("%-12s %u long ones explained, the prefix of %u perhaps not the shortest\n",
                      type[t]->name, bad, unsure);
        assert_true(!unsure); /* who took what is found out by trying (takers.c) */
        assert_true(bad > 5 || type[t] == &pl_spec_bag); /* a bag does not mind the order */
    }
}

static void test_type(void **state)
{
    const struct pl_spec *spec = *state;
    struct tally tally = {0};
    for (uint64_t seed = 1; seed <= histories; seed++)
        compare(spec, seed, &tally);
    print_message("%-12s %lu good, %lu bad; decided without search %lu; %lu windows, %lu cuts, "
                  "%lu with several states\n",
                  spec->name, tally.good, tally.bad, tally.decided, tally.windows, tally.cuts,
                  tally.carried);
    assert_true(tally.good > histories / 10);
    assert_true(tally.cuts || spec == &pl_spec_snapshot);
    assert_true(tally.carried || (spec != &pl_spec_register && spec != &pl_spec_fifo));
    assert_true(tally.bad > histories / 50 || spec == &pl_spec_countdown);
}

int main(int argc, char **argv)
{
    size_t count;
    const struct pl_spec *const *all = pl_spec_all(&count);
    struct CMUnitTest tests[32] = {{0}};
    if (argc > 1)
        histories = strtoul(argv[1], NULL, 10);
    size_t used = 0;
    tests[used++] = (struct CMUnitTest)cmocka_unit_test(test_places_told_later);
    tests[used++] = (struct CMUnitTest)cmocka_unit_test(test_open_from_one_state);
    tests[used++] = (struct CMUnitTest)cmocka_unit_test(test_long);
    for (size_t i = 0; i < count; i++) {
        if (argc > 2 && strcmp(argv[2], all[i]->name) != 0)
            continue;
        tests[used++] = (struct CMUnitTest){.name = all[i]->name,
                                            .test_func = test_type,
                                            .initial_state = (void *)(uintptr_t)all[i]};
    }
    return _cmocka_run_group_tests("history", tests, used, NULL, NULL);
}
