/*
 * The points of a behaviour, taken in every order: see points.h.
 *
 *     done:   the points taken so far              state:  of the spec after them
 *     moment: between two of them                  met:    operations without a point that had
 *                                                          their answer at some moment so far
 */
#include "check/points.h"

#include <stdlib.h>
#include <string.h>

#include "base/prng.h"

typedef uint64_t set; /* of points */

struct visited {
    set done;
    uint32_t state, met;
};

struct run {
    struct pl_machine *machine;
    const struct pl_behaviour *behaviour;
    const struct pl_points *points;
    const struct pl_budget *budget;
    struct pl_mismatch *out;
    struct pl_points_stats *stats;

    set all;                        /* points that count */
    set of[PL_MOST_CALLED];         /* points of each operation */
    uint32_t loose;                 /* operations without a point that have to find a moment */
    uint32_t changes;               /* of which these would have had their answer, with a change */
    uint32_t after[PL_MOST_CALLED]; /* no clock: those of them that return before its call */
    set first[PL_MOST_CALLED];      /* clock: B, after its call; else those before its call */
    set last[PL_MOST_CALLED];       /* clock: A, before its return; else those after its return */
    uint8_t sorted[PL_MOST_POINTS]; /* points by how many come before them */
    unsigned sorted_count;
    set earlier[PL_MOST_POINTS]; /* of those that count; P6: the same for all of one access */
    uint8_t earlier_count[PL_MOST_POINTS];
    uint8_t path[PL_MOST_POINTS]; /* points in the order in which they were taken */

    struct visited *seen; /* where there was a choice; done + 1 is the key, 0 is free */
    size_t seen_mask, seen_count;
    uint64_t asked;
    struct pl_moments *moments; /* or NULL */
};

static set bit(unsigned point)
{
    return (set)1 << point % PL_MOST_POINTS;
}

/* ---- where there was a choice ---- */

static size_t slot_of(const struct run *r, const struct visited *v)
{
    uint64_t key = v->done ^ ((uint64_t)v->state << 32 | v->met) * 0x9e3779b97f4a7c15u;
    size_t i = pl_mix64(&key) & r->seen_mask;
    while (r->seen[i].done && memcmp(&r->seen[i], v, sizeof *v) != 0)
        i = (i + 1) & r->seen_mask;
    return i;
}

static void seen_grow(struct run *r)
{
    struct visited *old = r->seen;
    size_t count = old ? r->seen_mask + 1 : 0;
    r->seen_mask = count ? 2 * count - 1 : 63;
    r->seen = calloc(r->seen_mask + 1, sizeof *r->seen);
    PL_ASSERT(r->seen);
    for (size_t i = 0; i < count; i++)
        if (old[i].done)
            r->seen[slot_of(r, &old[i])] = old[i];
    free(old);
}

/* Was this reached before? Then what follows is known to be fine. */
static bool is_seen(struct run *r, set done, uint32_t state, uint32_t met)
{
    const struct visited v = {.done = done + 1, .state = state, .met = met};
    if (2 * r->seen_count >= r->seen_mask)
        seen_grow(r);
    size_t i = slot_of(r, &v);
    if (r->seen[i].done)
        return true;
    r->seen[i] = v;
    r->seen_count++;
    return false;
}

/* ---- a history that shows the mismatch ---- */

struct shown {
    const struct run *run;
    struct pl_order order; /* closed */
    uint64_t events;       /* of those there are, shown */
    set done;
};

static void show_event(struct shown *s, unsigned event)
{
    if (s->events >> event & 1)
        return;
    for (uint64_t rest = s->order.before[event] & ~s->events; rest; rest &= rest - 1)
        if (!(s->events >> __builtin_ctzll(rest) & 1))
            show_event(s, (unsigned)__builtin_ctzll(rest));
    s->events |= pl_event_bit(event);
    s->run->out->event[s->run->out->events++] = (uint8_t)event;
}

/* Can it come now: has every point that comes before it, or before what it needs, been taken? */
static bool can_show(const struct shown *s, unsigned event)
{
    uint64_t needed = (s->order.before[event] | pl_event_bit(event)) & ~s->events;
    for (set rest = s->run->all & ~s->done; rest; rest &= rest - 1)
        if (s->run->points->at[__builtin_ctzll(rest)].after & needed)
            return false;
    return true;
}

static void show_if_it_can(struct shown *s, unsigned event)
{
    if (!(event & 1 && (s->order.pending >> event / 2 & 1)) && can_show(s, event))
        show_event(s, event);
}

/* Of calls and returns what the points need before them, no more; those of `operation` at the end,
   and if it is about a point outside, its return before that, if it can be there. */
static void show(const struct run *r, unsigned taken, unsigned operation)
{
    struct shown s = {.run = r};
    struct pl_mismatch *out = r->out;
    bool clocked = r->points->clocked && pl_order_close(r->behaviour->order, &s.order);
    out->events = 0;
    for (unsigned k = 0; k < taken; k++) {
        const struct pl_point *p = &r->points->at[r->path[k]];
        for (uint64_t rest = clocked ? p->before : 0; rest; rest &= rest - 1)
            show_event(&s, (unsigned)__builtin_ctzll(rest));
        if (clocked && out->kind == PL_MISMATCH_OUTSIDE && k + 1 == taken)
            show_if_it_can(&s, 2 * operation + 1);
        out->event[out->events++] = (uint8_t)(64 + r->path[k]);
        s.done |= bit(r->path[k]);
    }
    for (unsigned half = 0; half < 2 && clocked; half++)
        show_if_it_can(&s, 2 * operation + half);
}

static enum pl_decision mismatch(struct run *r, enum pl_mismatch_kind kind, unsigned operation,
                                 unsigned point, unsigned taken)
{
    r->out->kind = kind;
    r->out->operation = operation;
    r->out->point = point;
    r->out->other = PL_MOST_POINTS;
    show(r, taken, operation);
    return PL_BAD;
}

/* ---- the spec ---- */

static bool fits(const struct run *r, unsigned operation, pl_value response)
{
    pl_value recorded = r->behaviour->called[operation].response;
    return (r->behaviour->order->pending >> operation & 1) || recorded == PL_ANY ||
           recorded == response;
}

/* How many states the operation leads to with its answer: 0, 1, or 2 for several. */
static unsigned step(struct run *r, unsigned operation, uint32_t state, uint32_t *to)
{
    uint32_t next, invocation = r->behaviour->called[operation].invocation;
    unsigned found = 0;
    pl_value response;
    r->out->answer = PL_ANY;
    for (unsigned which = 0;; which++) {
        enum pl_step step = pl_step(r->machine, state, invocation, which, &response, &next);
        r->stats->steps++;
        if (step == PL_STEP_END)
            return found;
        if (step != PL_STEP_ANSWERS)
            continue;
        r->out->answer = response;
        if (!fits(r, operation, response) || (found && next == *to))
            continue;
        if (found)
            return 2;
        found = 1;
        *to = next;
    }
}

/* P2: has the operation its answer here, without a change? */
static bool is_right(struct run *r, unsigned operation, uint32_t state)
{
    uint32_t next, invocation = r->behaviour->called[operation].invocation;
    pl_value response;
    for (unsigned which = 0;; which++) {
        enum pl_step step = pl_step(r->machine, state, invocation, which, &response, &next);
        r->stats->steps++;
        if (step == PL_STEP_END)
            return false;
        if (step != PL_STEP_ANSWERS)
            continue;
        if (!fits(r, operation, response)) {
            r->out->answer = response;
            continue;
        }
        if (next == state)
            return true;
        r->changes |= (uint32_t)1 << operation;
    }
}

/* ---- moments ---- */

/* P6: those that have to be taken now. */
static set must_follow(const struct run *r, set done, unsigned now)
{
    return now < PL_MOST_POINTS ? r->points->at[now].with & r->all & ~done : 0;
}

/* The moment after `done`, the last of which is `now` (64: none is taken yet); P3. Returns an
   operation that is over and never had its answer; PL_MOST_CALLED: there is none. */
static unsigned see_moment(struct run *r, set done, unsigned now, uint32_t state, uint32_t *met)
{
    set before = now < PL_MOST_POINTS ? done & ~bit(now) : 0;
    bool inside = must_follow(r, done, now); /* P6: nothing is called here and returns */
    for (uint32_t rest = r->loose; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        bool returns = !(r->last[i] & ~done), begun = r->first[i] & done;
        bool over = begun && now < PL_MOST_POINTS && !(r->last[i] & ~before);
        if (over || (!begun && (!returns || inside)))
            continue;
        bool right = (begun && (*met >> i & 1)) || is_right(r, i, state);
        if (begun && right)
            *met |= (uint32_t)1 << i;
        if (returns && !right)
            return i;
    }
    return PL_MOST_CALLED;
}

/* `now` is about to be taken: the call of operations in whose B it is the first cannot wait any
   more, so the moment before it counts. */
static void begin_moments(struct run *r, set done, unsigned now, uint32_t state, uint32_t *met)
{
    for (uint32_t rest = r->loose & ~*met; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        if ((r->first[i] & bit(now)) && !(r->first[i] & done) && (r->last[i] & ~done) &&
            is_right(r, i, state))
            *met |= (uint32_t)1 << i;
    }
}

static void note_moment(struct pl_moments *m, unsigned operation, unsigned points)
{
    if (!m->single)
        return;
    m->loose[m->count] = (uint8_t)operation;
    m->after[m->count++] = (uint8_t)points;
}

/* P4: each as early as it can be, after those that return before its call. */
static void see_any_moment(struct run *r, set done, uint32_t state, uint32_t *met)
{
    uint32_t wrong = 0; /* in this state */
    for (bool more = true; more;) {
        more = false;
        for (uint32_t rest = r->loose & ~*met & ~wrong; rest; rest &= rest - 1) {
            unsigned i = (unsigned)__builtin_ctz(rest);
            if ((r->first[i] & ~done) || (r->last[i] & done) || (r->after[i] & ~*met))
                continue;
            more = true;
            bool right = is_right(r, i, state);
            *(right ? met : &wrong) |= (uint32_t)1 << i;
            if (right && r->moments)
                note_moment(r->moments, i, (unsigned)__builtin_popcountll(done));
        }
    }
}

/* An operation that has to have had its answer before `now` is taken; PL_MOST_CALLED: all have. */
static unsigned too_late(const struct run *r, unsigned now, uint32_t met)
{
    for (uint32_t rest = r->loose & ~met; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        if (now == PL_MOST_POINTS || (r->last[i] & bit(now)))
            return i;
    }
    return PL_MOST_CALLED;
}

/* ---- one order, then another ---- */

/* Points that can be taken next; the first one. */
static unsigned next_points(const struct run *r, set done, unsigned taken, unsigned *from, set *out)
{
    unsigned least = PL_MOST_POINTS;
    *out = 0;
    while (*from < r->sorted_count && (done >> r->sorted[*from] & 1))
        ++*from;
    for (unsigned k = *from; k < r->sorted_count; k++) {
        unsigned p = r->sorted[k];
        if (r->earlier_count[p] > taken)
            break;
        if ((done >> p & 1) || (r->earlier[p] & ~done))
            continue;
        least = least < PL_MOST_POINTS ? least : p;
        *out |= bit(p);
    }
    return least;
}

/* Can the call come after the point, in this order of the points, or the return before it? */
static bool is_outside(const struct run *r, unsigned now, set done)
{
    unsigned i = r->points->at[now].operation;
    bool returned = !(r->behaviour->order->pending >> i & 1);
    if (!r->points->clocked)
        return (r->first[i] | r->last[i]) & bit(now);
    return !(r->first[i] & (done | bit(now))) || (returned && !(r->last[i] & ~done));
}

/* Takes the point; the operation takes effect if it is the last of its points. */
static enum pl_decision take(struct run *r, unsigned now, set done, unsigned taken, uint32_t *state)
{
    const struct pl_point *p = &r->points->at[now];
    r->stats->points++;
    r->path[taken] = (uint8_t)now;
    if (r->of[p->operation] & ~done & ~bit(now))
        return PL_GOOD;
    if (is_outside(r, now, done))
        return mismatch(r, PL_MISMATCH_OUTSIDE, p->operation, now, taken + 1);
    unsigned found = step(r, p->operation, *state, state);
    if (!found)
        return mismatch(r, PL_MISMATCH_ANSWER, p->operation, now, taken + 1);
    return found == 1 ? PL_GOOD : PL_NEITHER;
}

static enum pl_decision no_moment(struct run *r, unsigned operation, unsigned taken)
{
    return mismatch(r, r->changes >> operation & 1 ? PL_MISMATCH_CHANGE : PL_MISMATCH_MOMENT,
                    operation, PL_MOST_POINTS, taken);
}

static enum pl_decision end(struct run *r, uint32_t state, uint32_t met, unsigned taken)
{
    bool untried = false;
    unsigned late = r->points->clocked ? PL_MOST_CALLED : too_late(r, PL_MOST_POINTS, met);
    if (late != PL_MOST_CALLED)
        return no_moment(r, late, taken);
    for (uint32_t rest = r->behaviour->stuck ? r->behaviour->order->pending : 0; rest;
         rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        if (!pl_blocks(r->machine, state, r->behaviour->called[i].invocation, &untried))
            return mismatch(r, PL_MISMATCH_WAITS, i, PL_MOST_POINTS, taken);
    }
    return untried ? PL_NEITHER : PL_GOOD;
}

static enum pl_decision follow(struct run *r, set done, unsigned now, uint32_t state, uint32_t met,
                               unsigned taken);

/* `now` is taken, then everything that can follow. */
static enum pl_decision go_on(struct run *r, set done, unsigned now, uint32_t state, uint32_t met,
                              unsigned taken)
{
    if (r->points->clocked) {
        begin_moments(r, done, now, state, &met);
    } else {
        unsigned late = too_late(r, now, met);
        if (late != PL_MOST_CALLED)
            return no_moment(r, late, taken);
    }
    enum pl_decision decision = take(r, now, done, taken, &state);
    return decision == PL_GOOD ? follow(r, done | bit(now), now, state, met, taken + 1) : decision;
}

static enum pl_decision follow(struct run *r, set done, unsigned now, uint32_t state, uint32_t met,
                               unsigned taken)
{
    unsigned from = 0, late = PL_MOST_CALLED;
    set next;
    if (r->points->clocked)
        late = see_moment(r, done, now, state, &met);
    else
        see_any_moment(r, done, state, &met);
    if (late != PL_MOST_CALLED)
        return no_moment(r, late, taken);
    if (done == r->all)
        return end(r, state, met, taken);
    unsigned only = next_points(r, done, taken, &from, &next);
    if (must_follow(r, done, now)) {
        only = (unsigned)__builtin_ctzll(must_follow(r, done, now));
        next = bit(only);
    }
    PL_ASSERT(only < PL_MOST_POINTS); /* the order has no cycle */
    if (next == bit(only))
        return go_on(r, done, only, state, met, taken);
    if (r->moments)
        r->moments->single = false;
    if (is_seen(r, done, state, met))
        return PL_GOOD;
    if ((++r->asked & 1023) == 0 && pl_check_over(r->budget))
        return PL_NEITHER;
    enum pl_decision decision = PL_GOOD;
    for (set rest = next; rest && decision == PL_GOOD; rest &= rest - 1)
        decision = go_on(r, done, (unsigned)__builtin_ctzll(rest), state, met, taken);
    return decision;
}

/* ---- what is asked ---- */

static void find_windows(struct run *r)
{
    for (unsigned i = 0; i < r->behaviour->order->operations; i++)
        for (set rest = r->all; rest; rest &= rest - 1) {
            unsigned k = (unsigned)__builtin_ctzll(rest);
            const struct pl_point *p = &r->points->at[k];
            bool clocked = r->points->clocked;
            uint64_t call = pl_event_bit(2 * i), ret = pl_event_bit(2 * i + 1);
            if ((clocked ? p->before : p->after) & call)
                r->first[i] |= bit(k);
            if ((clocked ? p->after : p->before) & ret)
                r->last[i] |= bit(k);
        }
}

/* Without a clock operations without a point are ordered among themselves, too, and with points
 * that somebody else passed by those points' operations. */
static void find_loose_order(struct run *r)
{
    struct pl_order closed;
    uint32_t before[PL_MOST_CALLED];
    if (r->points->clocked || !pl_order_close(r->behaviour->order, &closed))
        return;
    pl_order_operations(&closed, before);
    for (unsigned i = 0; i < closed.operations; i++)
        r->after[i] = before[i] & r->loose;
    for (uint32_t rest = r->loose; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        for (unsigned k = 0; k < closed.operations; k++) {
            r->first[i] |= before[i] >> k & 1 ? r->of[k] : 0;
            r->last[i] |= before[k] >> i & 1 ? r->of[k] : 0;
        }
    }
}

set pl_points_superseded(const struct pl_points *points)
{
    set superseded = 0;
    for (unsigned k = 0; k < points->count; k++)
        for (unsigned i = 0; i < points->count; i++)
            if (points->at[i].operation == points->at[k].operation &&
                (points->at[i].earlier >> k & 1) && !(points->at[k].earlier >> i & 1))
                superseded |= bit(k);
    return superseded;
}

static void find_earlier(struct run *r)
{
    for (set rest = r->all; rest; rest &= rest - 1) {
        unsigned k = (unsigned)__builtin_ctzll(rest);
        set access = (r->points->at[k].with & r->all) | bit(k);
        for (set each = access; each; each &= each - 1)
            r->earlier[k] |= r->points->at[__builtin_ctzll(each)].earlier;
        r->earlier[k] &= ~access & r->all;
        r->earlier[k] |= r->points->at[k].earlier & access & ~bit(k);
    }
}

static void prepare(struct run *r)
{
    uint32_t pending = r->behaviour->order->pending, fixed = 0;
    unsigned count[PL_MOST_POINTS + 1] = {0};
    for (unsigned k = 0; k < r->points->count; k++) {
        unsigned i = r->points->at[k].operation;
        if ((r->behaviour->stuck && (pending >> i & 1)) || (r->points->dropped >> k & 1))
            continue;
        r->all |= bit(k);
        r->of[i] |= bit(k);
        fixed |= (uint32_t)1 << i;
    }
    r->loose = pl_operations_all(r->behaviour->order) & ~pending & ~fixed;
    find_earlier(r);
    for (set rest = r->all; rest; rest &= rest - 1) {
        unsigned k = (unsigned)__builtin_ctzll(rest);
        r->earlier_count[k] = (uint8_t)__builtin_popcountll(r->earlier[k]);
        count[r->earlier_count[k]]++;
    }
    for (unsigned k = 0, sum = 0; k <= PL_MOST_POINTS; k++) {
        unsigned here = count[k];
        count[k] = sum;
        sum += here;
        r->sorted_count = sum;
    }
    for (set rest = r->all; rest; rest &= rest - 1) {
        unsigned k = (unsigned)__builtin_ctzll(rest);
        r->sorted[count[r->earlier_count[k]]++] = (uint8_t)k;
    }
    find_windows(r);
    find_loose_order(r);
}

/* Two points that come before each other. */
static bool has_cycle(struct run *r)
{
    for (set rest = r->all; rest; rest &= rest - 1) {
        unsigned k = (unsigned)__builtin_ctzll(rest);
        for (set e = r->earlier[k]; e; e &= e - 1) {
            unsigned i = (unsigned)__builtin_ctzll(e);
            if (!(r->earlier[i] >> k & 1))
                continue;
            (void)mismatch(r, PL_MISMATCH_CYCLE, r->points->at[k].operation, k, 0);
            r->out->other = i;
            return true;
        }
    }
    return false;
}

enum pl_decision pl_points_place(struct pl_machine *machine, const struct pl_behaviour *behaviour,
                                 const struct pl_points *points, const struct pl_budget *budget,
                                 struct pl_mismatch *out, struct pl_moments *moments,
                                 struct pl_points_stats *stats)
{
    struct run r = {.machine = machine,
                    .behaviour = behaviour,
                    .points = points,
                    .budget = budget,
                    .out = out,
                    .stats = stats,
                    .moments = moments};
    *out = (struct pl_mismatch){.kind = PL_MISMATCH_NONE};
    prepare(&r);
    if (!points->clocked && has_cycle(&r))
        return PL_BAD;
    if (moments)
        *moments =
            (struct pl_moments){.single = true, .points = (unsigned)__builtin_popcountll(r.all)};
    enum pl_decision decision = follow(&r, 0, PL_MOST_POINTS, machine->start, 0, 0);
    free(r.seen);
    if (moments)
        memcpy(moments->order, r.path, sizeof r.path);
    if (decision != PL_BAD)
        out->kind = PL_MISMATCH_NONE;
    return decision;
}

enum pl_decision pl_points_decide(struct pl_machine *machine, const struct pl_behaviour *behaviour,
                                  const struct pl_points *points, const struct pl_budget *budget,
                                  struct pl_mismatch *out, struct pl_points_stats *stats)
{
    struct pl_points asked = *points;
    if (!points->clocked)
        asked.dropped = pl_points_superseded(points);
    stats->behaviours++;
    return pl_points_place(machine, behaviour, &asked, budget, out, NULL, stats);
}
