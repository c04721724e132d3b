/*
 * Exploring with few preemptions: schedule by schedule, under sc.
 *
 * A run is an order of steps; each read finds the newest value. It repeats the order it was given
 * and then goes on without a preemption: the thread that moved last moves, while it can. What other
 * orders there are is decided step by step, from the last one back:
 *
 * - where the thread that moved last cannot go on, whoever can is tried: that costs nothing;
 * - where it can, leaving it costs one preemption, and is tried, for whoever else can move, if the
 *   step it was about to make is known to be in conflict with a later step of another thread.
 *
 * Which steps are is seen from the runs themselves, as in dynamic partial-order reduction: of every
 * step, and of every attempt of a thread that has to wait, the last step of each other thread
 * before it that is in conflict with it (of the two, one writes to the place or ends what is waited
 * for) is noted.
 *
 * Nothing within the bound is lost. Of the orders of an execution take one in which a thread that
 * is preempted is left as late as can be: before a step s that is in conflict with a step a, made
 * (or attempted) while it is away. (Were there no such a, s could be made before it is left, which
 * costs no more.) The order that leaves the thread after s instead, and is the same up to a, costs
 * no more either, and is explored, by induction on how late a thread is left; there s is the last
 * step of its thread in conflict with a, so it is noted, and leaving the thread before s is tried
 * for everybody else. The same holds for what comes after. A thread that comes to the end of a void
 * round goes no further: all steps of the round are noted.
 *
 * A thread that was left though it could have gone on sleeps until leaving it has made a difference
 * (asleep.c).
 *
 * An execution may come of several orders: it counts once. Waits that the runtime knows of cost
 * nothing here, even if they would by preemptions.h; whether an execution counts is decided there.
 * Conversely, that a step was the only one of the last round of a loop is known only once the loop
 * was left: when that is first seen of a place, the search begins again, and leaving a thread
 * before it reads there costs nothing.
 */
#include <string.h>

#include "explore/trust_internal.h"

static struct turn *turn_at(struct pl_trust *x, uint32_t at)
{
    return &x->turn[at];
}

static bool can_go_on(const struct pl_graph *g, const struct turn *n, uint32_t at)
{
    unsigned last = pl_turns_mover(g, at);
    return last != NOBODY && (n->enabled >> last & 1);
}

void pl_turns_restart(struct pl_trust *x)
{
    x->turning = true;
    x->confirming = false;
    x->cut = 0;
    x->forced = NOBODY;
    x->attempts = 0;
    x->turn[0] = (struct turn){0};
    x->spent = x->again = x->met = false;
    x->checked = 0;
    if (x->ended)
        pl_once_clear(x->ended);
    if (x->visited)
        pl_once_clear(x->visited);
    pl_turns_forget();
}

/* ---- in a run ---- */

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ b * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 29) * 0x94d049bb133111ebu;
    return h ^ h >> 32;
}

/* The event, and what it reads or comes after: so that the sum of all says what was made, in
 * whatever order. */
static uint64_t hash_of(const struct pl_graph *g, const struct pl_node *n)
{
    uint64_t h = mix((uint64_t)n->kind << 32 | (uint64_t)n->self.thread << 16 | n->self.index,
                     n->location ? g->location[n->location - 1].key : n->value);
    struct pl_ref from = n->rf;
    if (n->kind == PL_GRAPH_WRITE)
        from = n->place > 0 ? g->location[n->location - 1].co[n->place - 1] : PL_INIT;
    if (n->kind == PL_GRAPH_WRITE || n->kind == PL_GRAPH_READ)
        h = mix(h, (uint64_t)from.thread << 16 | from.index);
    return h;
}

static uint64_t hash_at(struct pl_trust *x)
{
    uint32_t at = x->at;
    while (at > x->cut && !x->turn[at].hash)
        at--;
    for (; at < x->at; at++)
        x->turn[at + 1].hash = x->turn[at].hash + hash_of(x->g, pl_at(x->g, x->g->order[at]));
    return x->turn[x->at].hash;
}

/* Was all that comes of here explored before, with as many preemptions to go at least? */
static bool was_visited(struct pl_trust *x, uint64_t enabled)
{
    unsigned last = pl_turns_mover(x->g, x->at), used = x->turn[x->at].used;
    last = last != NOBODY && (enabled >> last & 1) ? last : NOBODY;
    if (x->checked == ((x->at + 1) << 8 | last))
        return false;
    x->checked = (x->at + 1) << 8 | last;
    if (!x->visited)
        x->visited = pl_once_new(1 << 21);
    if (!x->visited) {
        pl_trust_fail(x, "out of memory");
        return false;
    }
    uint64_t made = mix(hash_at(x), last), asleep = x->turn[x->at].asleep;
    bool note = !pl_turns_somebody_owes(x, last);
    if (!asleep)
        return pl_once_within(x->visited, made, used, note);
    return pl_once_within(x->visited, made, used, false) ||
           pl_once_within(x->visited, mix(made, asleep), used, note);
}

unsigned pl_turns_next(struct pl_trust *x, uint64_t enabled)
{
    struct turn *n = turn_at(x, x->at);
    uint64_t others = enabled & ~pl_trust_waiting(x);
    enabled = others ? others : enabled;
    if (x->forced != NOBODY && x->at == x->cut) {
        n->enabled &= enabled; /* those who came here before, and had to wait, are not in it */
        if (enabled >> x->forced & 1)
            return x->forced;
        x->spent = true; /* it had to wait at once: nothing new comes of it */
        return (unsigned)__builtin_ctzll(enabled);
    }
    x->met = x->met || was_visited(x, enabled);
    x->spent = x->spent || x->met;
    unsigned last = x->decided == x->at + 1 ? x->current : pl_turns_mover(x->g, x->at);
    uint64_t awake = enabled & ~n->asleep;
    x->spent = x->spent || !awake;
    awake = awake ? awake : enabled;
    unsigned t = last != NOBODY && (awake >> last & 1) ? last : (unsigned)__builtin_ctzll(awake);
    n->enabled = enabled;
    n->tried |= (uint64_t)1 << t;
    x->decided = x->at + 1; /* it may be asked for again before it makes its step */
    return t;
}

bool pl_trust_is_spent(const struct pl_trust *x)
{
    return x->spent;
}

void pl_turns_added(struct pl_trust *x)
{
    uint32_t at = x->at - 1;
    struct turn *n = turn_at(x, at);
    unsigned last = pl_turns_mover(x->g, at);
    unsigned thread = x->g->order[at].thread;
    bool leaves = can_go_on(x->g, n, at) && thread != last, preempts = leaves && !n->waits;
    n->tried |= (uint64_t)1 << thread; /* it is not asked for when nobody else can move */
    x->forced = NOBODY;
    unsigned used =
        n->used + (unsigned)preempts + pl_turns_must_pay(x, pl_at(x->g, x->g->order[at]));
    const struct pl_node *e = pl_at(x->g, x->g->order[at]);
    x->spent = x->spent || (n->asleep >> thread & 1);
    x->counts.beyond += !x->spent && used > x->most;
    x->turn[x->at] =
        (struct turn){.used = (uint16_t)used, .asleep = pl_turns_sleepers(x, e, leaves)};
    x->spent = x->spent || used > x->most;
}

unsigned pl_turns_choose(struct pl_trust *x, unsigned choices)
{
    struct turn *n = turn_at(x, x->at - 1);
    if (n->choices) /* the next answer of an event that is made again */
        return n->choice;
    n->choices = (uint16_t)choices;
    n->choice = 0;
    return 0;
}

/* ---- the next run ---- */

/* Has the turn somebody who was not tried, and may be? */
static uint64_t untried(struct pl_trust *x, uint32_t at)
{
    struct turn *n = turn_at(x, at);
    uint64_t left = n->enabled & ~n->tried;
    if (!left || !can_go_on(x->g, n, at))
        return left & ~n->asleep;
    if (!n->noted)
        return 0;
    pl_turns_set_about(x, at);
    n->waits = n->waits || pl_turns_may_wait(x, at);
    if (n->waits)
        pl_turns_wake_by_wait(x, at);
    left &= ~n->asleep;
    if (!left || n->waits || n->used < x->most)
        return left;
    x->counts.beyond++;
    return 0;
}

static bool has_another(struct pl_trust *x, uint32_t at)
{
    struct turn *n = turn_at(x, at);
    if (at == x->g->events)
        n->noted = true; /* the run ended before the step: it may be in conflict with anything */
    if (n->choice + 1 < n->choices) {
        n->choice++;
        x->forced = (uint8_t)x->g->order[at].thread;
        return true;
    }
    n->choices = n->choice = 0;
    uint64_t left = untried(x, at);
    if (!left)
        return false;
    x->forced = (uint8_t)__builtin_ctzll(left);
    n->tried |= left & -left;
    return true;
}

/* Orders were left out. Do executions need more preemptions? If there are few executions, all of
 * them say. */
static bool begins_to_confirm(struct pl_trust *x)
{
    if (!x->confirms || !x->counts.beyond || x->failure)
        return false;
    x->turning = false;
    x->confirming = true;
    x->confirm_until = 3 * x->counts.runs + 1000;
    x->left_out = x->counts.beyond;
    x->stations = 0;
    x->revisited = false;
    pl_graph_clear(x->g);
    return true;
}

bool pl_turns_confirm(struct pl_trust *x)
{
    if (x->counts.beyond > x->left_out || x->counts.runs > x->confirm_until)
        return false;
    bool more = pl_trust_next_run(x);
    if (!more && !x->failure)
        x->counts.beyond = 0;
    return more;
}

bool pl_turns_next_run(struct pl_trust *x)
{
    if (x->again) {
        pl_trust_restart(x, NULL);
        return !x->failure;
    }
    pl_turns_note(x);
    x->spent = x->met = false;
    x->checked = 0;
    for (uint32_t at = x->g->events + 1; at-- > 0 && !x->failure;)
        if (has_another(x, at)) {
            pl_graph_cut(x->g, at);
            pl_trust_drop_stations(x, at);
            x->g->stamps = at;
            x->cut = at;
            while (x->attempts && x->attempt[x->attempts - 1].at > at)
                x->attempts--;
            return true;
        }
    return begins_to_confirm(x);
}

bool pl_trust_was_there(struct pl_trust *x)
{
    if ((!x->turning && !x->confirming) || x->asked)
        return x->repeated;
    x->asked = true;
    if (!x->ended)
        x->ended = pl_once_new(1 << 21);
    if (!x->ended)
        pl_trust_fail(x, "out of memory");
    x->repeated = x->ended && !pl_once_add(x->ended, pl_graph_hash(x->g));
    return x->repeated;
}
