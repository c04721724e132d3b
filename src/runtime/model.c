/*
 * Executions under a memory model: the runtime as the target of the explorer (trust.h).
 *
 * What an atomic load returns is the explorer's choice, not memory's. Real memory holds, of
 * the writes made so far in this run, the last in coherence order, so that plain reads,
 * which are ordered after it or race, find the right value.
 *
 * Happens-before is the graph's: an access made when its thread has made i events has tick
 * i + 1, and another thread's clock for it is the number of its events in that thread's
 * happens-before past. So the shadow (races, use after free) works as it does in `run`.
 */
#include <stdlib.h>
#include <string.h>

#include "graph/store.h"
#include "runtime/finding.h"
#include "runtime/harmless.h"
#include "runtime/harness.h"
#include "runtime/helping.h"
#include "runtime/left_out.h"
#include "runtime/model_internal.h"
#include "runtime/station.h"
#include "runtime/symmetry.h"

struct pl_model_state pl_model;
struct pl_facts pl_facts;
static struct pl_trust *prober;
static struct pl_trust *paused; /* while one beside it runs */
static bool locks_are_words;
static uint64_t headed PL_STATE; /* bit per thread: it was at the head of a loop */
static uint64_t ignored;         /* --preemptions: findings beyond the bound */
static uint64_t blocked_before;  /* the search for races with rounds that are left out */
enum { SCRIPT_ROOM = 1 << 20 };

static void begin(struct pl_strategy *self, uint64_t seed)
{
    (void)self;
    if (pl_model.sample.kind != PL_SAMPLE_NONE)
        pl_sample_begin(&pl_model.sample, seed);
    pl_trust_begin(pl_model.explorer);
    pl_model.could_time_out = pl_model.spinning = headed = 0;
    pl_model_objects_begin();
    pl_model_rounds_begin();
    pl_loops_reset();
    pl_symmetry_begin();
    pl_await_begin();
    pl_model_forget_access();
}

static unsigned pick(struct pl_strategy *self, uint64_t threads, unsigned current)
{
    (void)self, (void)current;
    unsigned next = pl_trust_next(pl_model.explorer, threads);
    if (pl_unlikely(pl_trust_is_spent(pl_model.explorer) || pl_trust_is_over(pl_model.explorer)))
        pl_leave();
    return next;
}

static unsigned choose(struct pl_strategy *self, unsigned n)
{
    (void)self;
    return pl_trust_choose(pl_model.explorer, rt.self->id, n);
}

static struct pl_strategy strategy = {begin, pick, choose};

void pl_model_init(const char *model)
{
    pl_model.explorer = pl_model.search = pl_trust_new(pl_model_named(model));
    prober = pl_trust_new(pl_model_named(model));
    if (!pl_model.search || !prober)
        pl_unsupported("no memory for the explorer", 0);
    pl_harmless_init();
    pl_await_init();
    if (rt.races == PL_RACES_ALLOW) { /* to learn which, they must be seen */
        rt.races = PL_RACES_REPORT;
        rt.learns_races = true;
    }
    pl_trust_probe(prober, rt.options->seed + rt.options->first);
    pl_trust_set_facts(pl_model.search, &pl_facts);
    locks_are_words = pl_fact(&pl_facts.mutexes_are_words);
    pl_model.keeps_rounds = pl_fact(&pl_facts.keeps_rounds);
    pl_model.keeps_stores =
        pl_fact(&pl_facts.keeps_stores) && !pl_fact(&pl_facts.needs_stores_void);
    pl_trust_set_pulse(pl_model.search, &rt.wire->heartbeat);
    pl_trust_set_pulse(prober, &rt.wire->heartbeat);
    if (getenv("PLUMB_NO_PAIRS")) /* for our own tests: the same executions */
        pl_trust_pair_not(pl_model.search);
    if (getenv("PLUMB_PROVE")) /* for our own tests: no execution twice */
        pl_trust_prove(pl_model.search);
    _Static_assert((int)PL_OUT_MARKS == (int)PL_TRUST_MARKS &&
                       (int)PL_OUT_LATER == (int)PL_TRUST_LATER &&
                       (int)PL_OUT_DONE == (int)PL_TRUST_DONE,
                   "the tool reads the marks");
    pl_trust_set_marks(pl_model.search, rt.wire->passing.mark);
    pl_symmetry_init();
    pl_helping_init();
    pl_station_init();
    rt.strategy = &strategy;
    rt.exploring = true;
}

bool pl_model_learn(void)
{
    if (pl_likely(!pl_trust_learn(pl_model.explorer)))
        return false;
    pl_trust_follow(prober, pl_model.search);
    pl_station_forget();
    return true;
}

bool pl_model_next_quietly(bool complete, bool given_up)
{
    return given_up ? pl_trust_give_up(pl_model.explorer)
                    : pl_trust_end(pl_model.explorer, complete);
}

void pl_model_sample(enum pl_sample_kind kind, unsigned depth)
{
    pl_sample_init(&pl_model.sample, kind, depth);
    pl_trust_sample(pl_model.explorer, &pl_model.sample);
}

/*
 * How many executions there are is estimated by walks of their own between the runs of the search:
 * none at first, for most searches are over soon, and those without a limit are not asked before
 * they are over; then many, until the estimate is good; then few.
 */
static bool is_time_to_probe(void)
{
    enum { NOT_BEFORE = 100, NOT_BEFORE_STEPS = 4000000, FEW = 60, MANY = 3000, ENOUGH = 12000 };
    uint64_t runs = pl_trust_counts(pl_model.search)->runs, walked = pl_trust_counts(prober)->runs;
    uint64_t every = walked < MANY ? 3 : walked < ENOUGH ? 30 : 200;
    uint64_t tenth = rt.options->executions / 10, first = NOT_BEFORE;
    first = tenth && tenth < first ? tenth : first;
    bool shown = rt.options->check.mode == PL_CHECK_OFF && !pl_model.looks_into_rounds;
    bool late = rt.options->limited ? runs >= first : rt.wire->steps >= NOT_BEFORE_STEPS;
    if (rt.options->limited && pl_trust_estimate(prober)->walks < FEW && walked < MANY)
        every = 1;  /* it may be over soon */
    return shown && /* a test of a check is one of many */
           !pl_model.sample.kind && !rt.options->preemptions && late && runs % every == 0;
}

/* From the start, and all who explore together; what was told of the search so far is no longer so.
 */
void pl_model_search_again(void)
{
    if (pl_model_shares()) {
        rt.wire->wants_again = 1;
        pl_die(NULL);
    }
    pl_trust_restart(pl_model.search, NULL);
    pl_trust_restart(prober, NULL);
    memset(rt.wire->passing.of, 0, sizeof rt.wire->passing.of);
}

/* Values that rounds write in passing could be read where that is not explored: with a bound on the
 * rounds they are explored as well, from the start. */
static bool begins_with_all_rounds(void)
{
    if (pl_likely(!rt.options->unroll) || pl_model.keeps_rounds ||
        !pl_trust_misses(pl_model.search))
        return false;
    pl_model.keeps_rounds = true;
    pl_fact_add(&pl_facts.keeps_rounds, 1);
    pl_model_search_again();
    return true;
}

/* Where values in passing leave something unknown, and rounds that take back by a store are among
 * those left out, these are made for once: mostly they come to an end. */
static bool begins_with_stores(void)
{
    if (pl_likely(!pl_fact(&pl_facts.had_stores)) || pl_model.keeps_stores ||
        pl_facts.needs_stores_void || !pl_trust_misses(pl_model.search))
        return false;
    pl_model.keeps_stores = true;
    pl_fact_add(&pl_facts.keeps_stores, 1);
    pl_model_search_again();
    return true;
}

/* They come to none. */
void pl_model_leave_out_stores(void)
{
    pl_model.keeps_stores = false;
    pl_fact_add(&pl_facts.needs_stores_void, 1);
    pl_model_restart();
}

/* What was taken for granted was seen to be wrong, and the run was over before anybody could look.
 */
bool pl_model_begins_again(void)
{
    if (pl_likely(!pl_trust_is_mistaken(pl_model.search)) || pl_model.explorer != pl_model.search)
        return false;
    pl_model_search_again();
    pl_station_forget();
    return true;
}

/* Every execution was explored, but for rounds that are left out, and there may be races with them:
 * now those are searched for. Nothing of it is counted. */
static bool looks_for_races(bool more)
{
    if (pl_likely(more) || rt.options->sharing || pl_model.explorer != pl_model.search ||
        pl_trust_failure(pl_model.search) || !pl_trust_look_into(pl_model.search))
        return false;
    pl_model.looks_into_rounds = true;
    pl_symmetry_stop();
    pl_trust_help_not(pl_model.search, PL_TRUST_ANYWHERE);
    pl_trust_assume_nothing(pl_model.search);
    pl_trust_restart(pl_model.search, NULL);
    pl_station_forget();
    return true;
}

bool pl_model_looks_for_races(void)
{
    return pl_model.looks_into_rounds;
}

static void tell_passing(void)
{
    _Static_assert((int)PL_PASSINGS == (int)PL_TRUST_PASSINGS, "the wire has room for all");
    _Static_assert((int)PL_PASSING_KINDS == (int)PL_TRUST_PASSING_KINDS, "and for all kinds");
    for (unsigned kind = 0; kind < PL_PASSING_KINDS; kind++) {
        const struct pl_trust_passing *p = &pl_trust_passing(pl_model.search)[kind];
        struct pl_passed *w = &rt.wire->passing.of[kind];
        if (pl_likely(w->writtens == p->writtens && w->mets == p->mets))
            continue;
        memcpy(w->written, p->written, sizeof p->written);
        memcpy(w->met, p->met, sizeof p->met);
        w->writtens = p->writtens;
        w->mets = p->mets;
    }
}

static void tell_counts(void)
{
    const struct pl_trust_counts *c = pl_trust_counts(pl_model.search);
    rt.wire->executions = c->executions;
    rt.wire->blocked = blocked_before = c->blocked;
    rt.wire->beyond = c->beyond + ignored;
    tell_passing();
}

static void tell_estimate(void)
{
    const struct pl_trust_estimate *e = pl_trust_estimate(prober);
    rt.wire->walks = e->walks;
    rt.wire->walks_sum = e->sum;
    rt.wire->walks_squares = e->squares;
}

bool pl_model_next(bool complete, bool given_up)
{
    pl_model_rounds_end();
    if (pl_unlikely(pl_model_events() > rt.wire->depth))
        rt.wire->depth = pl_model_events();
    bool more = pl_model_next_quietly(complete, given_up) | begins_with_all_rounds() |
                begins_with_stores() | pl_model_begins_again();
    if (pl_unlikely(pl_model.looks_into_rounds || rt.options->uncounted))
        rt.wire->blocked = blocked_before;
    else
        tell_counts();
    more = more || looks_for_races(more);
    rt.wire->pct_length = pl_model.sample.kind == PL_SAMPLE_PCT && !pl_model.sample.exceeded
                              ? pl_model.sample.length
                              : 0;
    if (pl_trust_failure(pl_model.explorer) && !rt.wire->error[0])
        strncpy(rt.wire->error, pl_trust_failure(pl_model.explorer), sizeof rt.wire->error - 1);
    if (pl_model.explorer == prober)
        tell_estimate();
    pl_model.explorer = pl_model.explorer == pl_model.search && more && is_time_to_probe()
                            ? prober
                            : pl_model.search;
    pl_model_give_if_wanted();
    return more;
}

/* What was learnt on the way comes first: without it the events would be others. */
uint32_t pl_model_save(uint8_t *out, uint32_t room)
{
    if (room < 1)
        return 0;
    out[0] = locks_are_words;
    uint32_t used = 1 + pl_model_races_save(out + 1, room - 1);
    return used + (uint32_t)pl_trust_save(pl_model.explorer, rt.self->id, out + used, room - used);
}

uint32_t pl_model_outline_bytes(void)
{
    return 1 + pl_model_races_bytes() + pl_model_events() * PL_OUTLINE_BYTES;
}

uint32_t pl_model_outline(uint8_t *out, uint32_t room, uint32_t *prefix)
{
    if (room < pl_model_outline_bytes() || !pl_trust_is_whole(pl_model.explorer))
        return 0;
    out[0] = locks_are_words;
    *prefix = 1 + pl_model_races_save(out + 1, room - 1);
    uint32_t outline = (uint32_t)pl_graph_outline(pl_model_graph(), out + *prefix, room - *prefix);
    return outline ? *prefix + outline : 0;
}

void pl_model_script(const uint8_t *bytes, uint64_t count)
{
    if (count < 1)
        return;
    locks_are_words = bytes[0] != 0;
    uint32_t used = 1 + pl_model_races_load(bytes + 1, count - 1);
    pl_trust_script(pl_model.explorer, bytes + used, count - used);
}

void pl_model_restart(void)
{
    if (pl_model.looks_into_rounds) { /* the events are others now */
        pl_model.looks_into_rounds = false;
        pl_trust_look_away(pl_model.search);
    }
    pl_model_search_again();
    rt.restart = true;
    pl_leave();
}

bool pl_model_searches(void)
{
    return pl_model.sample.kind == PL_SAMPLE_NONE && !pl_trust_is_scripted(pl_model.explorer);
}

/* ---- few preemptions ---- */

void pl_model_bound(void)
{
    if (rt.options->preemptions)
        pl_trust_bound(pl_model.search, rt.options->preemptions - 1);
    if (rt.options->check.mode == PL_CHECK_OFF) /* a test of a check is one of many */
        pl_trust_confirm(pl_model.search);
    if (getenv("PLUMB_NO_CUT")) /* for our own tests: that nothing is lost */
        pl_trust_do_not_cut(pl_model.search);
}

void pl_model_blocked(void)
{
    pl_trust_blocked(pl_model.explorer, rt.self->id);
}

uint64_t pl_model_waiting(void)
{
    return pl_trust_waiting(pl_model.explorer);
}

bool pl_model_was_there(void)
{
    return pl_trust_was_there(pl_model.explorer);
}

bool pl_model_exceeds_bound(const struct pl_trust_ending *end)
{
    uint32_t most = rt.options->preemptions;
    return most && pl_trust_preemptions(pl_model.explorer, end) >= most;
}

bool pl_model_is_beyond(const struct pl_trust_ending *end)
{
    bool beyond = !rt.options->beyond_too && pl_model_exceeds_bound(end);
    ignored += beyond;
    return beyond;
}

/* An execution beside the search: by an explorer of its own, of its own script. */
static struct beside {
    struct pl_trust *explorer;
    uint8_t *script;
} shower, renamer;

static bool has_explorer(struct beside *b, const struct pl_model *model)
{
    if (!b->explorer) {
        b->explorer = pl_trust_new(model);
        b->script = pl_map(SCRIPT_ROOM);
    }
    return b->explorer != NULL;
}

static bool begin_beside(const struct beside *b, uint64_t bytes)
{
    if (!bytes)
        return false;
    pl_trust_restart(b->explorer, NULL);
    pl_trust_script(b->explorer, b->script, bytes);
    paused = pl_model.explorer;
    pl_model.explorer = b->explorer;
    return true;
}

bool pl_model_begin_shortest(const struct pl_trust_ending *end)
{
    return has_explorer(&shower, &pl_model_sc) &&
           begin_beside(&shower,
                        pl_trust_save_shortest(pl_model.explorer, end, shower.script, SCRIPT_ROOM));
}

bool pl_model_begin_renamed(const uint8_t *name)
{
    return has_explorer(&renamer, pl_model_named(rt.options->explore)) &&
           begin_beside(&renamer, pl_trust_save_renamed(pl_model.explorer, name, renamer.script,
                                                        SCRIPT_ROOM));
}

void pl_model_end_beside(void)
{
    pl_model.explorer = paused;
}

void pl_model_twin(uint32_t thread, uint32_t before)
{
    if (pl_model.explorer == shower.explorer)
        return;
    pl_out_renames = true;
    pl_trust_twin(pl_model.explorer, thread, before);
}

void pl_model_at_head(bool counted)
{
    headed |= (uint64_t)!counted << rt.self->id;
    pl_trust_at_head(pl_model.explorer, rt.self->id, counted);
}

void pl_model_left_loop(unsigned since)
{
    pl_trust_left_loop(pl_model.explorer, rt.self->id, since);
}

bool pl_model_yields(void)
{
    return pl_trust_yields(pl_model.explorer);
}

/* ---- weak or not ---- */

bool pl_model_is_weak(void)
{
    return pl_trust_is_weak(pl_model.explorer);
}

const struct pl_graph *pl_model_graph(void)
{
    return pl_trust_graph(pl_model.explorer);
}

/* Nor has anybody it knows of: then it comes to where it is in every execution. */
bool pl_model_has_read_nothing(void)
{
    const struct pl_graph *g = pl_model_graph();
    unsigned made = pl_trust_made(pl_model.explorer, rt.self->id);
    const struct pl_node *last = made ? pl_trust_last(pl_model.explorer, rt.self->id) : NULL;
    for (unsigned t = 0; last && t < g->threads; t++)
        for (unsigned k = 0; k < last->porf[t]; k++) {
            unsigned kind = g->thread[t].node[k].kind;
            if (kind == PL_GRAPH_READ || kind == PL_GRAPH_CHOICE)
                return false;
        }
    return true;
}

uint32_t pl_model_events(void)
{
    return pl_trust_graph(pl_model.explorer)->events;
}

/* What is run now is no part of the search: others may go on with it. */
static void leave_others(void)
{
    pl_model.left = rt.options->sharing;
    if (pl_model.left)
        pl_trust_set_facts(pl_model.search, NULL);
}

void pl_model_begin_sc(void)
{
    leave_others();
    pl_trust_restart(pl_model.explorer, &pl_model_sc);
}

void pl_model_begin_again(void)
{
    leave_others();
    pl_trust_restart(pl_model.explorer, NULL);
}

/* ---- after an event ---- */

/* Is an event of a thread that was at the head of a loop in its causal past, and does not happen
 * before? */
static bool is_loose(const struct pl_node *n)
{
    for (uint64_t left = headed; left; left &= left - 1) {
        unsigned t = (unsigned)__builtin_ctzll(left);
        if (n->porf[t] > n->hb[t])
            return true;
    }
    return false;
}

static void set_clock(const struct pl_node *n)
{
    struct pl_thread *t = rt.self;
    bool update = n->kind == PL_GRAPH_WRITE && (n->flags & PL_GRAPH_F_RMW);
    uint32_t width = rt.width < PL_GRAPH_THREADS ? rt.width : PL_GRAPH_THREADS;
    if (n->gained || (update && n[-1].gained))
        for (uint32_t i = 0; i < width; i += 8) /* rt.width is a multiple of 8 */
            for (uint32_t k = 0; k < 8; k++)
                t->clock[i + k] = n->hb[i + k];
    t->loose = pl_unlikely(headed != 0) && is_loose(n);
    t->clock[t->id] = n->self.index + 2; /* the accesses that follow */
    t->epoch = t->id << PL_TICK_BITS | (uint32_t)t->clock[t->id];
}

void pl_model_after(uint64_t pc)
{
    if (pl_unlikely(pl_trust_failure(pl_model.explorer) != NULL)) {
        if (pl_model.keeps_stores)
            pl_model_leave_out_stores();
        pl_unsupported(pl_trust_failure(pl_model.explorer), pc);
    }
    if (pl_unlikely(pl_trust_is_astray(pl_model.explorer)))
        pl_symmetry_astray();
    if (pl_unlikely(pl_trust_is_mistaken(pl_model.explorer)))
        pl_model_restart();
    if (pl_unlikely(pl_trust_is_over(pl_model.explorer)))
        pl_leave();
    const struct pl_node *n = pl_trust_last(pl_model.explorer, rt.self->id);
    set_clock(n);
    if (pl_unlikely(rt.self->loose))
        pl_out_atomic(n);
    if (pl_unlikely(rt.options->check.infer))
        pl_effects_made(pc);
    if (pl_unlikely(pl_model.spinning != 0))
        pl_model_disturb(n);
}

/* ---- mutexes as words ---- */

bool pl_model_locks_are_words(void)
{
    return locks_are_words;
}

void pl_model_make_locks_words(void)
{
    if (locks_are_words)
        return;
    pl_fact_add(&pl_facts.mutexes_are_words, 1);
    locks_are_words = true;
    pl_model_restart();
}
