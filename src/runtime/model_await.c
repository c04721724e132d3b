/*
 * Loops that wait: a thread at an atomic operation that would end its round at the loop's head,
 * with nothing changed, waits before it instead.
 *
 * Who moves next is free, as far as the explorer goes, as long as it depends on the graph alone. So
 * a thread whose operation would find a value (the newest) with which the round is void, which a
 * trial tells (loops.h), lets the others go first. If nobody is left it makes its event, and stands
 * still for good: it reads the newest, so it is stuck if the rest of the round is. Other values
 * with which the round is void are not read at all: choose_rf() in trust.c says why.
 *
 *   before the event ──newest no longer idle──▶ event ──▶ goes on
 *          └──────────nobody else can go──────▶ event ──▶ stands
 *
 * A thread also stands at an event that the graph already has, if a revisit gave it such a value:
 * it reads a write that is younger than itself. When the next write comes there the graph is
 * changed in place, so that it reads that (inplace.c). Then the graph in which it goes on standing
 * is not explored, and nothing is lost by that, if no thread but those that have the new write in
 * their past can make an event any more:
 *
 *   Let r be the read, w what it reads, u the new write, after w in co. A write v revisits r, or
 *   deletes it by revisiting an older read, only if r is maximal: if v has w in its past (for w is
 *   younger than r) but not u. Whoever makes an event has u in his past; so a first revisit after u
 *   is by a v that has u in its past, of a read x that is younger than r (or r would be deleted).
 * What x reads is younger than x, so no write revisits x or deletes it without having v, and so u,
 * in its past, nor takes v away from it: it stays, and keeps r, w and u. So it goes on: in no graph
 * that comes of this one does r read anything else, its thread stands there in all of them.
 *
 * So that there are such moments, a write where a thread stands comes last: its thread lets all
 * others go first.
 *
 * A thread that waits before a load could read something outdated, without u in its past. Where an
 * update of the same location comes next, whatever it reads (a lock that is tested before it is
 * taken; found by trials, too), that is harmless: a read is nothing to the argument, and the update
 * writes only if it finds something that is not idle and nobody has taken. If there is no such
 * thing but u and what comes after it, its write has u in its past.
 */
#include <stdlib.h>

#include "runtime/left_out.h"
#include "runtime/loops.h"
#include "runtime/model_internal.h"
#include "runtime/station.h"

/* Bit per thread: before its event, and that it is to make it. */
static uint64_t waiting PL_STATE, forced PL_STATE;
static uint64_t waits_for[PL_GRAPH_THREADS];                 /* the location, by its key */
static const struct pl_awaiting *awaiting[PL_GRAPH_THREADS]; /* what it knows of the values there */
static uint64_t at_read PL_STATE; /* bit per thread: it stands at its read */
/* Bit per thread: before a write where another stands; no longer. */
static uint64_t late PL_STATE, late_now PL_STATE;
static bool off;

void pl_await_init(void)
{
    off = getenv("PLUMB_NO_WAITING") != NULL; /* for our own tests: nothing may depend on it */
}

void pl_await_begin(void)
{
    waiting = forced = at_read = late = late_now = 0;
}

void pl_await_keep(void)
{
    if (!waiting)
        return;
    pl_keep(waits_for, rt.nthreads * sizeof *waits_for);
    pl_keep(awaiting, rt.nthreads * sizeof *awaiting);
}

bool pl_await_is_off(void)
{
    return off;
}

bool pl_await_applies(void)
{
    return !off && !pl_model.looks_into_rounds && pl_loops_may_try() && pl_model_searches();
}

static const struct pl_location *location_of(const struct pl_graph *g, uint64_t key)
{
    for (uint32_t i = 0; i < g->locations; i++)
        if (g->location[i].uses && g->location[i].key == key)
            return &g->location[i];
    return NULL;
}

/* That of a global variable, which is not given back. */
static const struct pl_location *location_at(const struct pl_graph *g, uint64_t address)
{
    for (uint32_t i = 0; i < g->locations; i++)
        if (g->location[i].uses && g->location[i].key << 16 == address << 16)
            return &g->location[i];
    return NULL;
}

/* The round leads to a loop that waits until a location has another value, and is void then. Does
 * it find another value for good, so that its thread is not stuck there? */
static bool goes_past(const struct pl_trial *round)
{
    struct pl_trust *x = pl_model.explorer;
    const struct pl_graph *g = pl_trust_graph(x);
    const struct pl_location *l = location_at(g, round->place);
    if (!l || !l->writes || pl_at(g, l->co[l->writes - 1])->value == round->value)
        return false;
    bool was = l->initial == round->value;
    for (uint32_t i = 0; i < l->writes && !was; i++)
        was = pl_at(g, l->co[i])->value == round->value;
    return was && pl_trust_assume_once(x, (uint32_t)(l - g->location) + 1, round->value);
}

/* True: the caller returns *trial to the program. */
static bool find_idle(struct pl_awaiting *w, const struct pl_trust_access *a, uint64_t *trial)
{
    bool may_go_past = pl_model_may_leave_out();
    w->idle_count = 0;
    w->vain = false;
    for (unsigned i = 0; i < w->values; i++) {
        if (pl_trust_changes(a, w->value[i]))
            continue;
        if (pl_loops_try(&w->round, NULL)) {
            *trial = w->value[i];
            return true;
        }
        if (w->round.is_void && w->round.in_vain) {
            w->vain = w->vain || i == 0;
            w->round.is_void = i > 0 && may_go_past && goes_past(&w->round);
        }
        if (!w->round.is_void)
            continue;
        pl_out_round(w->round.since);
        pl_out_touches(w->round.since, a->key << 16 >> 16, a->size, a->op != PL_OP_NONE);
        if (w->round.in_vain)
            pl_out_touches(w->round.since, w->round.place, 8, false);
        w->idle_round[w->idle_count] = w->round;
        w->idle[w->idle_count++] = w->value[i];
    }
    return false;
}

static const struct pl_trial *round_with(const struct pl_awaiting *w, uint64_t value)
{
    for (unsigned i = 0; i < w->idle_count; i++)
        if (w->idle[i] == value)
            return &w->idle_round[i];
    return NULL;
}

static bool is_same_update(const struct pl_trust_access *a, const struct pl_trust_access *b)
{
    return a->key == b->key && a->size == b->size && a->op == b->op && a->operand == b->operand &&
           a->expected == b->expected;
}

/* With which values, bit per value, is the round void if the load finds the i-th of them and the
 * update after it one of these? True: as above. */
static bool find_next_idle(struct pl_awaiting *w, unsigned i, uint32_t *idle, uint64_t *trial)
{
    for (unsigned k = 0; k < w->values; k++) {
        if (pl_trust_changes(&w->next, w->value[k]))
            continue;
        if (pl_loops_try(&w->round, &w->value[k])) {
            *trial = w->value[i];
            return true;
        }
        *idle |= (uint32_t)w->round.is_void << k;
    }
    return false;
}

/* What comes after a load that finds something outdated and not idle; see struct pl_awaiting.
 * True: as above. */
static bool find_next(struct pl_awaiting *w, const struct pl_trust_access *a, uint64_t *trial)
{
    bool known = false;
    for (unsigned i = 1; i < w->values && !w->update; i++) {
        struct pl_trust_access next;
        uint32_t idle = 0;
        if (round_with(w, w->value[i]))
            continue;
        if (pl_loops_try(&w->round, NULL)) {
            *trial = w->value[i];
            return true;
        }
        if (!pl_loops_tried_update(&next) || next.key != a->key || next.size != a->size ||
            (known && !is_same_update(&next, &w->next)))
            return false;
        w->next = next;
        if (find_next_idle(w, i, &idle, trial))
            return true;
        if (known && idle != w->next_idle)
            return false;
        w->next_idle = idle;
        known = true;
    }
    w->leads_to_update = known;
    return false;
}

bool pl_await(struct pl_awaiting *w, struct pl_trust_access *a, uint64_t *trial, uint64_t pc)
{
    struct pl_trust *x = pl_model.explorer;
    uint64_t self = (uint64_t)1 << a->thread;
    w->update = a->op != PL_OP_NONE;
    for (;;) {
        const struct pl_node *last = pl_trust_next_is_last(x, a->thread);
        bool fresh = pl_trust_is_fresh(x, a->thread);
        w->values = fresh ? pl_trust_values(x, a, w->value, PL_AWAIT_VALUES) : last != NULL;
        if (last)
            w->value[0] = last->value;
        if (find_idle(w, a, trial))
            return true;
        a->idle = w->idle;
        a->idle_count = w->idle_count;
        if (!fresh || (forced & self) || !(w->vain || round_with(w, w->value[0])) ||
            pl_trust_is_mistaken(x))
            return false;
        w->leads_to_update = false;
        if (!w->vain && find_next(w, a, trial))
            return true;
        waiting |= self;
        waits_for[a->thread] = a->key;
        awaiting[a->thread] = w;
        pl_trust_attempt(x, a);
        (void)pl_block(PL_EVENT_SPIN, NULL, 0, pc);
        pl_model_refresh(a); /* it may be other memory by now, or given back: then that is seen */
    }
}

bool pl_await_is_idle(const struct pl_awaiting *w, uint64_t value)
{
    return round_with(w, value) != NULL;
}

bool pl_await_stands(const struct pl_awaiting *w, uint64_t value, uint64_t pc)
{
    const struct pl_trial *round = round_with(w, value);
    uint64_t self = (uint64_t)1 << rt.self->id;
    forced &= ~self;
    if (!round)
        return false;
    at_read |= self;
    pl_model_stand(round->since, round->same, pc);
    at_read &= ~self;
    return true;
}

/* ---- writes where somebody stands ---- */

static const struct pl_node *read_of(unsigned t)
{
    return pl_trust_last(pl_model.explorer, t);
}

static bool somebody_stands_at(uint64_t address)
{
    const struct pl_graph *g = pl_trust_graph(pl_model.explorer);
    for (uint64_t left = at_read; left; left &= left - 1) {
        const struct pl_node *r = read_of((unsigned)__builtin_ctzll(left));
        if (g->location[r->location - 1].key << 16 == address << 16)
            return true;
    }
    return false;
}

bool pl_await_be_late(uint64_t address, uint64_t pc)
{
    uint64_t self = (uint64_t)1 << rt.self->id;
    bool was = false;
    while (pl_unlikely(at_read != 0) && !(late_now & self) &&
           pl_trust_is_fresh(pl_model.explorer, rt.self->id) && somebody_stands_at(address)) {
        late |= self;
        was = true;
        (void)pl_block(PL_EVENT_SPIN, NULL, 0, pc);
    }
    late_now &= ~self;
    return was;
}

static uint64_t value_at(const struct pl_graph *g, const struct pl_location *l, int place)
{
    return place < 0 ? l->initial : pl_at(g, l->co[place])->value;
}

static bool next_is_idle(const struct pl_awaiting *w, uint64_t value)
{
    for (unsigned k = 0; k < w->values; k++)
        if (w->value[k] == value)
            return w->next_idle >> k & 1;
    return false;
}

static bool is_free(const struct pl_graph *g, const struct pl_location *l, int place)
{
    return pl_graph_fits(g, (uint32_t)(l - g->location) + 1, (unsigned)(place + 1));
}

/* The thread waits before a load, and an update comes next: could that one go on with what is at
 * this place? */
static bool next_goes_on_with(const struct pl_graph *g, const struct pl_awaiting *w,
                              const struct pl_location *l, int place)
{
    uint64_t value = value_at(g, l, place);
    return !next_is_idle(w, value) && (!pl_trust_changes(&w->next, value) || is_free(g, l, place));
}

/* Could the thread, which waits, go on with what is at this place of co? */
static bool goes_on_with(const struct pl_graph *g, unsigned t, const struct pl_location *l,
                         int place)
{
    const struct pl_awaiting *w = awaiting[t];
    if (round_with(w, value_at(g, l, place)))
        return false;
    if (!w->leads_to_update)
        return !w->update || is_free(g, l, place);
    for (int next = place; next < (int)l->writes; next++) /* it finds nothing older */
        if (next_goes_on_with(g, w, l, next))
            return true;
    return false;
}

/* An update that waits, and would read what another has taken, makes no event, but perhaps a
 * revisit: of a read that is younger than w, and not in its own past (`last`: what its thread made
 * last)? */
static bool may_revisit_after(const struct pl_graph *g, const struct pl_location *l,
                              const struct pl_node *w, const struct pl_node *last)
{
    for (unsigned k = 0; k < g->threads; k++) {
        const struct pl_node *n = pl_last_access(g, (uint32_t)(l - g->location) + 1, k, ~0u);
        for (; n && n->stamp > w->stamp; n = pl_before(n))
            if (n->kind == PL_GRAPH_READ && !(at_read >> k & 1) && !pl_in_porf(last, n->self))
                return true;
    }
    return false;
}

/* Could an update of the thread that would read what is at this place write, or revisit such a
 * read, without having u in its past? */
static bool may_update_without(const struct pl_graph *g, unsigned t, const struct pl_location *l,
                               int place, const struct pl_node *u, const struct pl_node *w)
{
    const struct pl_node *from = place < 0 ? NULL : pl_at(g, l->co[place]);
    if (from && pl_in_porf(from, u->self))
        return false;
    return is_free(g, l, place) || (from && pl_in_porf(from, w->self)) ||
           may_revisit_after(g, l, w, read_of(t));
}

/* Could the thread, which waits before an event, make a write that does not have u in its past, or
 * such a revisit? A read is nothing to anybody else. */
static bool may_go_without(unsigned t, const struct pl_node *u, const struct pl_node *w)
{
    const struct pl_graph *g = pl_trust_graph(pl_model.explorer);
    const struct pl_location *l = location_of(g, waits_for[t]);
    const struct pl_awaiting *a = awaiting[t];
    if (!l || pl_in_porf(read_of(t), w->self))
        return true;
    for (int place = (int)l->writes - 1; place >= -1; place--) {
        const struct pl_node *from = place < 0 ? NULL : pl_at(g, l->co[place]);
        if ((from && pl_in_porf(from, u->self)) || round_with(a, value_at(g, l, place)))
            continue;
        if (!a->update && (!a->leads_to_update || (from && pl_in_porf(from, w->self))))
            return true;
        if (a->update && may_update_without(g, t, l, place, u, w))
            return true;
        for (int next = place; a->leads_to_update && next < (int)l->writes; next++)
            if (!next_is_idle(a, value_at(g, l, next)) &&
                (!pl_trust_changes(&a->next, value_at(g, l, next)) ||
                 may_update_without(g, t, l, next, u, w)))
                return true;
    }
    return false;
}

/* Of those who wait, one who could go on with something outdated. */
static uint64_t who_could_go_on(void)
{
    const struct pl_graph *g = pl_trust_graph(pl_model.explorer);
    for (uint64_t left = waiting; left; left &= left - 1) {
        unsigned t = (unsigned)__builtin_ctzll(left);
        const struct pl_location *l = location_of(g, waits_for[t]);
        for (int place = l ? (int)l->writes - 1 : -2; place >= -1; place--)
            if (goes_on_with(g, t, l, place))
                return (uint64_t)1 << t;
    }
    return 0;
}

/* Does every event that can still be made have u in its past? */
static bool all_go_with(const struct pl_node *u, const struct pl_node *w)
{
    for (unsigned t = 0; t < rt.nthreads; t++) {
        uint64_t bit = (uint64_t)1 << t;
        if (t == rt.self->id || rt.thread[t].state == PL_THREAD_FINISHED)
            continue;
        if (rt.thread[t].state != PL_THREAD_BLOCKED) {
            if (!pl_trust_made(pl_model.explorer, t) || !pl_in_porf(read_of(t), u->self))
                return false;
        } else if ((late & bit) || (rt.timed & bit) || pl_model_may_stir(t) ||
                   ((waiting & bit) && may_go_without(t, u, w))) {
            return false;
        }
    }
    return true;
}

/* The oldest read at which a thread stands that the new write has made outdated. */
static const struct pl_node *outdated_by(const struct pl_graph *g, const struct pl_node *u)
{
    const struct pl_node *oldest = NULL;
    for (uint64_t left = at_read; left; left &= left - 1) {
        const struct pl_node *r = read_of((unsigned)__builtin_ctzll(left));
        if (r->location == u->location && pl_place(g, r) < u->place && !pl_is_init(r->rf) &&
            pl_at(g, r->rf)->stamp > r->stamp && (!oldest || r->stamp < oldest->stamp))
            oldest = r;
    }
    return oldest;
}

/* Returns whether the graph was changed in place. */
static bool revisit(void)
{
    struct pl_trust *x = pl_model.explorer;
    const struct pl_graph *g = pl_trust_graph(x);
    const struct pl_node *u = pl_trust_last(x, rt.self->id), *r = outdated_by(g, u);
    unsigned before[PL_GRAPH_THREADS];
    if (!r || !pl_same(g->order[g->events - 1], u->self) || !all_go_with(u, pl_at(g, r->rf)))
        return false;
    for (unsigned t = 0; t < g->threads; t++)
        before[t] = pl_trust_made(x, t);
    if (!pl_trust_revisit_here(x, r, at_read))
        pl_leave(); /* its thread stands there for good */
    for (uint64_t left = at_read; left; left &= left - 1) {
        unsigned t = (unsigned)__builtin_ctzll(left);
        if (pl_trust_made(x, t) == before[t])
            continue;
        at_read &= ~((uint64_t)1 << t);
        pl_model_go_on(t);
    }
    return true;
}

bool pl_await_written(uint64_t address)
{
    bool changed = pl_unlikely(at_read != 0) && revisit();
    for (uint64_t left = waiting; pl_unlikely(left != 0); left &= left - 1) {
        unsigned t = (unsigned)__builtin_ctzll(left);
        if (waits_for[t] << 16 != address << 16)
            continue;
        waiting &= ~((uint64_t)1 << t);
        pl_wake(t);
    }
    return changed;
}

void pl_await_go_on(unsigned thread)
{
    uint64_t self = (uint64_t)1 << thread;
    if (!((waiting | late) & self))
        return;
    waiting &= ~self;
    late &= ~self;
    pl_wake(thread);
}

bool pl_model_waits(void)
{
    return (waiting | late) != 0;
}

/* Those first who can go on with something outdated: then a write that comes last finds them at
 * their read, where it can be changed. */
uint64_t pl_await_stir(void)
{
    uint64_t open = late ? who_could_go_on() : 0, wait = open ? open : waiting & -waiting;
    uint64_t stirred = late && !open ? late & -late : wait;
    if (late && !open)
        late_now |= stirred;
    else
        forced |= stirred;
    late &= ~stirred;
    waiting &= ~stirred;
    pl_wake_all(stirred);
    return stirred;
}
