/* Threads that stand still in a void round (loops.c, explore/rounds.h), and whether anybody can go
 * on. */
#include <string.h>

#include "explore/rounds.h"
#include "runtime/finding.h"
#include "runtime/left_out.h"
#include "runtime/model_internal.h"
#include "runtime/station.h"

/* Of each thread that spins: its round; is the next one the same again? */
static struct pl_round round_of[PL_GRAPH_THREADS];
static uint64_t endless PL_STATE;
/* Sampling: how many rounds in a row were void again that were begun because of a write. */
static unsigned in_vain;
enum { MOST_IN_VAIN = 64 };
/* Events of this execution that have seen what a round wrote in passing. */
static struct pl_ref teller[16];
static unsigned tellers PL_STATE;
/* Rounds of this execution that take back by a store and were made; with more there is no end. */
static unsigned kept PL_STATE;
enum { MOST_KEPT = 32 };

void pl_model_rounds_begin(void)
{
    tellers = in_vain = kept = 0;
    if (pl_model.sample.kind != PL_SAMPLE_NONE) /* the same seed, the same execution */
        memset(round_of, 0, sizeof round_of);
}

void pl_model_rounds_keep(void)
{
    if (pl_model.spinning)
        pl_keep(round_of, rt.nthreads * sizeof *round_of);
    pl_keep(teller, tellers * sizeof *teller);
}

static void note_teller(struct pl_ref e)
{
    for (unsigned i = 0; i < tellers; i++)
        if (pl_same(teller[i], e))
            return;
    if (tellers == sizeof teller / sizeof *teller)
        pl_trust_tell(pl_model.explorer, e);
    else
        teller[tellers++] = e;
}

static struct pl_round round_since(unsigned since)
{
    return (struct pl_round){(uint16_t)rt.self->id, (uint16_t)since, (uint16_t)pl_model_made()};
}

/* A station may have kept one that a revisit has taken away since. What stands there now is told of
 * in its place, which loses nothing; a fence, say, has nothing to tell. */
static void tell_tellers(void)
{
    const struct pl_graph *g = pl_trust_graph(pl_model.explorer);
    for (unsigned i = 0; i < tellers; i++) {
        struct pl_ref e = teller[i];
        struct pl_round r = round_of[e.thread];
        bool waits = (pl_model.spinning >> e.thread & 1) && e.index >= r.from && e.index < r.to;
        if (!waits && e.index < g->thread[e.thread].count && pl_at(g, e)->location)
            pl_trust_tell(pl_model.explorer, e);
    }
}

void pl_model_rounds_end(void)
{
    tell_tellers();
    tellers = 0;
}

/* May the graph be given up in which the running thread comes to the end of this round? Not one
 * that was chosen. */
static bool gives_up(unsigned since)
{
    if (!pl_model_searches() ||
        !pl_round_is_hopeless(pl_trust_graph(pl_model.explorer), round_since(since)))
        return false;
    if (!pl_out_is_risk(since))
        return true;
    tell_tellers(); /* as if it were: who goes on now is no better for it */
    return false;
}

/* Would the round of the thread, which spins, be the same again? */
static bool stays(unsigned thread)
{
    return (endless >> thread & 1) && pl_round_is_endless(pl_trust_graph(pl_model.explorer), thread,
                                                          round_of, pl_model.spinning);
}

/*
 * Sampling, where no revisit brings a thread that spins another value: does it make a round more
 * because of the event? Not for an update that writes back what it read, which the others cannot
 * tell; or two threads at a lock that is never freed would rouse each other for ever. Those who
 * change what they read and change it back, or lock and unlock, do so a number of times only. If it
 * matters after all it is looked into when nobody can go on (pl_model_stir).
 */
static bool begins_a_round(unsigned thread, const struct pl_node *event)
{
    if (pl_likely(pl_model.sample.kind == PL_SAMPLE_NONE) || event->kind != PL_GRAPH_WRITE)
        return false;
    bool same = (event->flags & PL_GRAPH_F_RMW) && !(event->flags & PL_GRAPH_F_LOCK) &&
                event[-1].value == event->value;
    return !same && in_vain < MOST_IN_VAIN && !stays(thread);
}

void pl_model_disturb(const struct pl_node *event)
{
    const struct pl_graph *g = pl_trust_graph(pl_model.explorer);
    for (uint64_t left = pl_model.spinning; left; left &= left - 1) {
        unsigned t = (unsigned)__builtin_ctzll(left);
        bool update = event->kind == PL_GRAPH_WRITE && (event->flags & PL_GRAPH_F_RMW);
        bool sampled = t != event->self.thread && begins_a_round(t, event);
        if (t == event->self.thread || (!pl_round_minds(g, round_of[t], event) && !sampled &&
                                        !(update && pl_round_minds(g, round_of[t], &event[-1]))))
            continue;
        if (!sampled)
            note_teller(event->self);
        pl_model_go_on(t);
    }
}

unsigned pl_model_made(void)
{
    return pl_trust_made(pl_model.explorer, rt.self->id);
}

/* Does the round, which changes nothing, and is that a reason to make another? */
static bool takes_back_by_store(const struct pl_graph *g, struct pl_round r)
{
    for (unsigned k = r.from; k < r.to; k++) {
        const struct pl_node *n = &g->thread[r.thread].node[k];
        if (n->kind != PL_GRAPH_WRITE || !pl_round_takes_back_by_store(g, r, n))
            continue;
        pl_fact_add(&pl_facts.had_stores, 1);
        return pl_model.keeps_stores;
    }
    return false;
}

bool pl_model_round_is_void(unsigned since, bool stored)
{
    const struct pl_graph *g = pl_trust_graph(pl_model.explorer);
    struct pl_round r = round_since(since);
    struct pl_ref saw;
    bool same = pl_round_changes_nothing(g, r, &saw);
    if (!pl_is_init(saw) &&
        !pl_model.keeps_rounds) /* else nobody stands in such a round, seen or not */
        note_teller(saw);
    if (!same || (stored && pl_round_publishes(g, r)))
        return false;
    for (unsigned k = r.from; pl_unlikely(pl_model.keeps_rounds) && k < r.to; k++)
        if (pl_round_passes(g, r, &g->thread[r.thread].node[k]))
            return false;
    bool keeps = takes_back_by_store(g, r);
    if (pl_unlikely(keeps && ++kept > MOST_KEPT))
        pl_model_leave_out_stores();
    return !keeps;
}

bool pl_model_changes_nothing(unsigned since, bool stored)
{
    const struct pl_graph *g = pl_trust_graph(pl_model.explorer);
    struct pl_ref saw;
    return pl_round_changes_nothing(g, round_since(since), &saw) &&
           !(stored && pl_round_publishes(g, round_since(since))) &&
           !takes_back_by_store(g, round_since(since));
}

bool pl_model_may_leave_out(void)
{
    return pl_trust_is_fresh(pl_model.explorer, rt.self->id) && pl_model_searches() &&
           !rt.options->preemptions && !pl_model.keeps_rounds && !pl_model.looks_into_rounds &&
           !pl_await_is_off();
}

bool pl_model_may_pair(void)
{
    return pl_model.explorer == pl_model.search && pl_model_searches() &&
           !rt.options->preemptions && !rt.options->spurious && !pl_model.keeps_rounds &&
           !pl_model.looks_into_rounds && rt.races == PL_RACES_REPORT && !rt.learns_races &&
           !pl_await_is_off() && pl_trust_may_pair(pl_model.explorer);
}

void pl_model_pair_ends(void)
{
    pl_trust_pair_ends(pl_model.explorer, rt.self->id);
    if (pl_unlikely(pl_trust_is_over(pl_model.explorer)))
        pl_leave();
}

void pl_model_frees(void)
{
    for (uint32_t i = 0; i < rt.nthreads; i++)
        if (i != rt.self->id && rt.thread[i].state != PL_THREAD_FINISHED) {
            pl_trust_pair_not(pl_model.search);
            return;
        }
}

bool pl_model_only_read(unsigned since)
{
    const struct pl_node *node = pl_trust_graph(pl_model.explorer)->thread[rt.self->id].node;
    for (unsigned k = since; k < pl_model_made(); k++)
        if ((node[k].kind != PL_GRAPH_READ && node[k].kind != PL_GRAPH_FENCE) ||
            (node[k].flags & PL_GRAPH_F_RMW))
            return false;
    return true;
}

bool pl_model_looks_into(unsigned since)
{
    return pl_model.looks_into_rounds && pl_model.explorer == pl_model.search &&
           pl_trust_looks_into(pl_model.search, rt.self->id, since);
}

void pl_model_void_round(unsigned since, bool same, uint64_t pc)
{
    if (!pl_trust_goes_on(pl_model.explorer, rt.self->id))
        pl_model_stand(since, same, pc);
}

void pl_model_stand(unsigned since, bool same, uint64_t pc)
{
    uint64_t self = (uint64_t)1 << rt.self->id;
    pl_trust_leave_out(pl_model.explorer, round_since(since));
    pl_out_round(since);
    pl_trust_stood(pl_model.explorer, round_since(since));
    if (gives_up(since))
        pl_leave();
    if (pl_model.spinning)
        pl_model_disturb(pl_trust_last(pl_model.explorer, rt.self->id));
    in_vain = round_of[rt.self->id].to == since && since ? in_vain + 1 : 0;
    pl_model.spinning |= self;
    endless = same ? endless | self : endless & ~self;
    round_of[rt.self->id] = round_since(since);
    while (pl_model.spinning & self)
        (void)pl_block(PL_EVENT_SPIN, NULL, 0, pc);
}

void pl_model_go_on(unsigned thread)
{
    pl_model.spinning &= ~((uint64_t)1 << thread);
    pl_wake(thread);
}

bool pl_model_may_stir(unsigned thread)
{
    return (pl_model.could_time_out >> thread & 1) ||
           ((pl_model.spinning >> thread & 1) &&
            pl_round_publishes(pl_trust_graph(pl_model.explorer), round_of[thread]));
}

uint64_t pl_model_stir(void)
{
    uint64_t stirred = pl_await_stir();
    for (uint64_t left = pl_model.sample.kind != PL_SAMPLE_NONE ? pl_model.spinning : 0; left;
         left &= left - 1) {
        unsigned t = (unsigned)__builtin_ctzll(left);
        stirred |= stays(t) ? 0 : (uint64_t)1 << t;
    }
    pl_model.spinning &= ~stirred;
    pl_wake_all(stirred);
    return stirred;
}

void pl_model_resumed(void)
{
    for (unsigned t = 0; t < rt.nthreads; t++)
        if (rt.thread[t].state == PL_THREAD_BLOCKED && pl_trust_goes_on(pl_model.explorer, t)) {
            if (pl_model.spinning >> t & 1)
                pl_model_go_on(t);
            pl_await_go_on(t);
        }
}

bool pl_model_spins(void)
{
    return pl_model.spinning != 0;
}

/* ---- nobody can go on ---- */

/*
 * Threads that stand, each of whose rounds finds the newest values: but does one of them write in
 * passing what another would find in its round, if it came at the right moment? Then they may end
 * after all, and nobody has looked: neither a livelock nor everything explored.
 */
static bool could_end(void)
{
    const struct pl_graph *g = pl_trust_graph(pl_model.explorer);
    struct pl_ref read;
    for (uint64_t left = pl_model.spinning; left; left &= left - 1)
        if (pl_round_could_end(g, (unsigned)__builtin_ctzll(left), round_of, pl_model.spinning,
                               &read)) {
            pl_trust_tell(pl_model.explorer, read);
            return true;
        }
    return false;
}

bool pl_model_stuck(void)
{
    for (uint32_t i = 0; i < rt.nthreads; i++) {
        bool for_ever = true;
        if (rt.thread[i].state != PL_THREAD_BLOCKED)
            continue;
        if (pl_model.could_time_out >> i & 1)
            return false;
        if (pl_model.spinning >> i & 1) {
            if (!stays(i))
                return false;
        } else if (pl_trust_waits(pl_model.explorer, i, &for_ever) && !for_ever) {
            return false;
        }
    }
    return !could_end();
}
