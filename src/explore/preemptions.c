/*
 * First the past of each event is computed, as a number of events a thread: po, rf, co, fr and the
 * edges of create, join and unlock. Then a search through the downsets at which a thread was
 * switched away from, by growing cost: run one thread as far as it goes, pay 1 unless it cannot go
 * on. Stopping earlier is no use, because more events made never keep an event of the graph from
 * being made; but it can keep a thread waiting, for nothing: so a thread may also stop just before
 * it ends the wait of others that are still to come there (an unlock, a write that is waited for).
 * The search looks only at the events where a thread may stop: those that have more of other
 * threads in their past than the one before, and those that end a wait.
 */
#include "explore/preemptions.h"

#include <string.h>

enum { STATES = 1 << 17, SLOTS = 2 * STATES, NOBODY = 0xffff };

/* Why a thread may stop before an event: it may have to wait for others, it ends a wait of others.
 */
enum { DEPENDS = 1, RELEASES = 2 };

/* A downset, and how it was come by. */
struct state {
    _Alignas(8) uint16_t done[PL_GRAPH_THREADS];
    uint32_t from;  /* the state before */
    uint16_t moved; /* the thread that came so far */
    uint16_t expanded;
    uint32_t cost;
};

/* One exploration a process: no two calls at once. */
static struct {
    const struct pl_graph *g;
    const struct pl_preemptions *q;
    unsigned threads;
    unsigned bytes;                   /* of a downset: a multiple of 16 */
    uint32_t limit[PL_GRAPH_THREADS]; /* events of each thread that count */
    uint32_t taken[PL_GRAPH_THREADS];
    uint16_t before[PL_GRAPH_THREADS][PL_GRAPH_LENGTH][PL_GRAPH_THREADS];
    uint8_t look[PL_GRAPH_THREADS][PL_GRAPH_LENGTH]; /* DEPENDS, RELEASES */
    uint16_t stop[PL_GRAPH_THREADS]
                 [PL_GRAPH_LENGTH]; /* the next such event after it, or the limit */
    /* 1 + the last event of the thread that waits for something there, 0 = none */
    uint16_t waits[PL_GRAPH_LOCATIONS][PL_GRAPH_THREADS];
    struct state state[STATES];
    uint32_t states;
    uint32_t slot[SLOTS], slot_of[SLOTS]; /* 1 + state, valid if slot_of is this search */
    uint32_t search;
    uint32_t now[STATES], later[STATES]; /* to be expanded at this cost, at one more */
    uint32_t nows, laters;
    bool full; /* of states: not all orders were looked at */
    bool found;
    struct state end;
} w;

static bool counts(struct pl_ref e)
{
    return e.index < w.limit[e.thread];
}

static bool is_taken(struct pl_ref e)
{
    return e.index < w.taken[e.thread];
}

static const struct pl_node *node(unsigned thread, unsigned index)
{
    return &w.g->thread[thread].node[index];
}

static uint32_t made_by(unsigned t)
{
    return w.q->made ? w.q->made[t] : w.g->thread[t].count;
}

/* A read-modify-write is one step: 2 events. */
static unsigned width(const struct pl_node *n)
{
    bool whole = n->kind == PL_GRAPH_READ && (n->flags & PL_GRAPH_F_RMW) &&
                 n->self.index + 1u < w.limit[n->self.thread];
    return whole ? 2 : 1;
}

/* ---- which events count ---- */

/* A thread at whose end a request is not granted yet has not made it. Nor has one that stands still
 * at an update: who makes that writes back what is there, and that is to come after all else. */
static uint32_t without_request(unsigned t, uint32_t made)
{
    if (!made)
        return 0;
    const struct pl_node *n = node(t, made - 1);
    if (n->kind == PL_GRAPH_READ &&
        (pl_graph_awaits(n) || (n->flags & PL_GRAPH_F_LOCK) || pl_graph_is_half(n)))
        return made - 1;
    if (n->kind != PL_GRAPH_WRITE || !(n->flags & PL_GRAPH_F_LOCK))
        return made;
    const struct pl_node *unlock = pl_graph_awaited(w.g, n);
    bool granted = unlock == n ||
                   (unlock && (!w.q->made || unlock->self.index < w.q->made[unlock->self.thread]));
    return granted ? made : made - 2;
}

/* Is it a step for which a thread waits, at times? */
static bool may_wait(const struct pl_node *n)
{
    return n->kind == PL_GRAPH_READ &&
           (n->await != PL_AWAIT_NONE || (n->flags & (PL_GRAPH_F_SPIN | PL_GRAPH_F_LOCK)));
}

/* The step after its last one that the thread had to wait with. A request is one already. */
static const struct pl_node *attempted(unsigned t)
{
    return w.q->next && !w.q->kindly && w.limit[t] == made_by(t) ? w.q->next[t] : NULL;
}

static void set_limits(void)
{
    w.threads = w.g->threads;
    w.bytes = (w.threads + 7) / 8 * 16;
    memset(w.waits, 0, w.g->locations * sizeof *w.waits);
    for (unsigned t = 0; t < w.threads; t++) {
        w.limit[t] = without_request(t, made_by(t));
        for (unsigned k = 0; k < made_by(t); k++) {
            const struct pl_node *n = node(t, k);
            if (may_wait(n))
                w.waits[n->location - 1][t] = (uint16_t)(k + 1);
        }
        const struct pl_node *next = attempted(t);
        if (next && next->location)
            w.waits[next->location - 1][t] = (uint16_t)(made_by(t) + 1);
    }
}

/* ---- the past of each event ---- */

/* Adds an event to the past `view`, if it is one that counts; false: its own is not known yet. */
static bool add_past(uint16_t *view, struct pl_ref e)
{
    if (pl_is_init(e) || !counts(e))
        return true;
    if (!is_taken(e))
        return false;
    pl_view_join(view, w.before[e.thread][e.index]);
    if (view[e.thread] < e.index + 1)
        view[e.thread] = (uint16_t)(e.index + 1);
    return true;
}

/* The write before in co and its readers; but not the read of the same read-modify-write. */
static bool past_of_write(uint16_t *view, const struct pl_node *n)
{
    const struct pl_location *l = &w.g->location[n->location - 1];
    int place = n->place - 1;
    while (place >= 0 && !counts(l->co[place]))
        place--;
    struct pl_ref reader = place < 0 ? l->readers : pl_at(w.g, l->co[place])->readers;
    if (place >= 0 && !add_past(view, l->co[place]))
        return false;
    for (; !pl_is_init(reader); reader = pl_at(w.g, reader)->next)
        if (reader.thread != n->self.thread && !add_past(view, reader))
            return false;
    return true;
}

static struct pl_ref creation(const struct pl_node *begin)
{
    uint64_t creator = begin->value;
    if (creator >= w.threads)
        return PL_INIT;
    for (unsigned k = 0; k < w.limit[creator]; k++)
        if (node((unsigned)creator, k)->kind == PL_GRAPH_CREATE &&
            node((unsigned)creator, k)->value == begin->self.thread)
            return node((unsigned)creator, k)->self;
    return PL_INIT;
}

static bool past_of_event(uint16_t *view, const struct pl_node *n)
{
    switch ((enum pl_graph_kind)n->kind) {
    case PL_GRAPH_READ:
        return add_past(view, n->rf);
    case PL_GRAPH_WRITE: {
        const struct pl_node *unlock = n->flags & PL_GRAPH_F_LOCK ? pl_graph_awaited(w.g, n) : NULL;
        if (unlock && unlock != n && !add_past(view, unlock->self))
            return false;
        return n->place == PL_NOWHERE || past_of_write(view, n);
    }
    case PL_GRAPH_BEGIN:
        return add_past(view, creation(n));
    case PL_GRAPH_JOIN:
        return n->value >= w.threads || !w.limit[n->value] ||
               add_past(view, node((unsigned)n->value, w.limit[n->value] - 1)->self);
    case PL_GRAPH_FENCE:
    case PL_GRAPH_CREATE:
    case PL_GRAPH_END:
    case PL_GRAPH_UNLOCK:
    case PL_GRAPH_CHOICE:
        return true;
    }
    return true;
}

static bool past_of_edges(uint16_t *view, const struct pl_node *n)
{
    for (unsigned i = 0; i < w.q->edges; i++) {
        const struct pl_trust_edge *e = &w.q->edge[i];
        if (e->after.thread == n->self.thread && e->after.index == n->self.index &&
            !add_past(view, e->before))
            return false;
    }
    return true;
}

/* Can the step end a wait of others? */
static bool releases(const struct pl_node *n)
{
    bool writes = n->kind == PL_GRAPH_WRITE || width(n) == 2;
    if (n->kind != PL_GRAPH_UNLOCK && (!writes || (n->flags & PL_GRAPH_F_LOCK)))
        return false;
    for (unsigned i = 0; i < w.threads; i++)
        if (i != n->self.thread && w.waits[n->location - 1][i])
            return true;
    return false;
}

/* The next step of the thread, if the past of all before it is known. */
static bool take_next(unsigned t)
{
    uint32_t k = w.taken[t];
    if (k >= w.limit[t])
        return false;
    uint16_t view[PL_GRAPH_THREADS] = {0};
    if (k)
        memcpy(view, w.before[t][k - 1], w.bytes);
    unsigned events = width(node(t, k));
    for (unsigned i = 0; i < events; i++)
        if (!past_of_event(view, node(t, k + i)) || !past_of_edges(view, node(t, k + i)))
            return false;
    view[t] = (uint16_t)k;
    for (unsigned i = 0; i < events; i++)
        memcpy(w.before[t][k + i], view, w.bytes);
    view[t] = k ? w.before[t][k - 1][t] : 0;
    bool depends = !k || memcmp(view, w.before[t][k - 1], w.bytes) != 0;
    w.look[t][k] = (depends ? DEPENDS : 0) | (releases(node(t, k)) ? RELEASES : 0);
    w.look[t][k + events - 1] = events > 1 ? 0 : w.look[t][k];
    w.taken[t] += events;
    return true;
}

static void set_stops(void)
{
    for (unsigned t = 0; t < w.threads; t++) {
        uint16_t next = (uint16_t)w.limit[t];
        for (unsigned k = w.limit[t]; k-- > 0;) {
            w.stop[t][k] = next;
            next = w.look[t][k] ? (uint16_t)k : next;
        }
    }
}

static bool compute_pasts(void)
{
    memset(w.taken, 0, sizeof w.taken);
    for (bool more = true; more;) {
        more = false;
        for (unsigned t = 0; t < w.threads; t++)
            while (take_next(t))
                more = true;
    }
    for (unsigned t = 0; t < w.threads; t++)
        if (w.taken[t] < w.limit[t])
            return false;
    set_stops();
    return true;
}

/* ---- what a thread can do in a downset ---- */

static bool is_enabled(const uint16_t *done, unsigned t)
{
    if (done[t] >= w.limit[t])
        return false;
    typedef int16_t lanes __attribute__((vector_size(16), may_alias, aligned(2)));
    typedef uint64_t halves __attribute__((vector_size(16)));
    const uint16_t *before = w.before[t][done[t]];
    for (unsigned i = 0; i < w.bytes / sizeof *done; i += 8) { /* no number has more than 15 bits */
        halves less = (halves)(*(const lanes *)(done + i) < *(const lanes *)(before + i));
        if (less[0] | less[1])
            return false;
    }
    return true;
}

/* The newest write of a location, or NULL. */
static const struct pl_node *newest(const uint16_t *done, uint32_t location)
{
    const struct pl_location *l = &w.g->location[location - 1];
    for (uint32_t i = l->writes; i > 0; i--)
        if (l->co[i - 1].index < done[l->co[i - 1].thread])
            return pl_at(w.g, l->co[i - 1]);
    return NULL;
}

static bool is_held(const uint16_t *done, uint32_t location)
{
    const struct pl_node *lock = newest(done, location);
    for (unsigned k = lock ? lock->self.index + 1u : 0; lock && k < done[lock->self.thread]; k++)
        if (node(lock->self.thread, k)->kind == PL_GRAPH_UNLOCK &&
            node(lock->self.thread, k)->location == location)
            return false;
    return lock != NULL;
}

/* Would the read, made now, find nothing that lets its thread go on? In a loop that waits: another
 * value than the one it leaves with, and nothing changed. */
static bool finds_nothing(const uint16_t *done, const struct pl_node *read)
{
    const struct pl_node *write = newest(done, read->location);
    struct pl_node now = *read;
    uint64_t written;
    now.value = write ? write->value : w.g->location[read->location - 1].initial;
    if (read->await != PL_AWAIT_NONE)
        return pl_graph_awaits(&now);
    if (pl_graph_is_half(read)) /* with this its thread stands still */
        return now.value == read->value;
    return (read->flags & PL_GRAPH_F_SPIN) && now.value != read->value &&
           (!pl_graph_update(&now, now.value, &written) || written == now.value);
}

static bool is_ended(const uint16_t *done, unsigned t)
{
    return done[t] && node(t, done[t] - 1u)->kind == PL_GRAPH_END;
}

/* Is the value at the location the one with which a thread that is about to read there goes round
 * its loop again? */
static bool goes_round(const uint16_t *done, const struct pl_node *read)
{
    const struct pl_node *write = newest(done, read->location);
    return read->value == (write ? write->value : w.g->location[read->location - 1].initial);
}

/* Does the thread stop there for nothing? */
static bool cannot_go_on(const uint16_t *done, unsigned t)
{
    bool request = w.limit[t] < made_by(t), at_end = done[t] >= w.limit[t];
    const struct pl_node *n = at_end && !request ? attempted(t) : node(t, done[t]);
    if (at_end && !n)
        return w.q->kindly || w.q->last < 0 || is_ended(done, t) || (w.q->waiting >> t & 1);
    if (at_end && w.q->kindly)
        return true;
    if (at_end && !request && (n->flags & PL_GRAPH_F_SPIN))
        return goes_round(done, n);
    if (n->kind == PL_GRAPH_JOIN)
        return n->value < w.threads && !is_ended(done, (unsigned)n->value);
    if (n->kind != PL_GRAPH_READ)
        return false;
    if (n->flags & PL_GRAPH_F_LOCK)
        return is_held(done, n->location);
    return finds_nothing(done, n);
}

/* Does somebody else who waits for something at the location still come there? */
static bool ends_a_wait(const uint16_t *done, unsigned t, uint32_t location)
{
    for (unsigned i = 0; i < w.threads; i++)
        if (i != t && done[i] < w.waits[location - 1][i])
            return true;
    return false;
}

/* ---- the search ---- */

static uint32_t hash_of(const uint16_t *done)
{
    uint64_t h = 0, word;
    for (unsigned t = 0; t < w.threads; t += 4) {
        memcpy(&word, done + t, sizeof word);
        h = (h ^ word) * 0x9e3779b97f4a7c15u;
    }
    return (uint32_t)(h >> 32);
}

static bool same(const uint16_t *a, const uint16_t *b)
{
    uint64_t x, y, differ = 0;
    for (unsigned t = 0; t < w.threads; t += 4) {
        memcpy(&x, a + t, sizeof x);
        memcpy(&y, b + t, sizeof y);
        differ |= x ^ y;
    }
    return !differ;
}

/* The state of a downset, perhaps a new one; NULL: no room. */
static struct state *state_of(const uint16_t *done)
{
    uint32_t i = hash_of(done) % SLOTS;
    for (; w.slot_of[i] == w.search; i = (i + 1) % SLOTS)
        if (same(w.state[w.slot[i]].done, done))
            return &w.state[w.slot[i]];
    if (w.states == STATES) {
        w.full = true;
        return NULL;
    }
    struct state *s = &w.state[w.states];
    memcpy(s->done, done, w.bytes);
    s->cost = UINT32_MAX;
    s->expanded = 0;
    w.slot_of[i] = w.search;
    w.slot[i] = w.states++;
    return s;
}

static void reach(const uint16_t *done, const struct state *from, unsigned moved, unsigned paid)
{
    struct state *s = state_of(done);
    if (!s || s->cost <= from->cost + paid)
        return;
    s->cost = from->cost + paid;
    s->from = (uint32_t)(from - w.state);
    s->moved = (uint16_t)moved;
    uint32_t number = (uint32_t)(s - w.state);
    if (paid ? w.laters < STATES : w.nows < STATES)
        *(paid ? &w.later[w.laters++] : &w.now[w.nows++]) = number;
    else
        w.full = true;
}

static bool is_end(const uint16_t *done, unsigned moved)
{
    uint64_t whole = w.q->last < 0 ? ~(uint64_t)0 : w.q->whole | (uint64_t)1 << w.q->last;
    for (unsigned t = 0; t < w.threads; t++)
        if ((whole >> t & 1) && done[t] < w.limit[t])
            return false;
    return w.q->last < 0 || (unsigned)w.q->last == moved;
}

/* Everything that one turn of the thread can come to. */
static void run_thread(const struct state *from, unsigned t)
{
    uint16_t done[PL_GRAPH_THREADS];
    memcpy(done, from->done, w.bytes);
    for (;;) {
        done[t] = w.stop[t][done[t]];
        if (done[t] == w.limit[t])
            break;
        unsigned look = w.look[t][done[t]];
        if ((look & DEPENDS) && !is_enabled(done, t))
            break;
        if ((look & RELEASES) && ends_a_wait(done, t, node(t, done[t])->location))
            reach(done, from, t, 1);
    }
    if (is_end(done, t)) {
        w.found = true;
        w.end = *from;
        memcpy(w.end.done, done, w.bytes);
        w.end.from = (uint32_t)(from - w.state);
        w.end.moved = (uint16_t)t;
        return;
    }
    reach(done, from, t, !cannot_go_on(done, t));
}

static void expand(struct state *s)
{
    s->expanded = 1;
    for (unsigned t = w.threads; t > 0 && !w.found; t--) /* the last one is expanded first */
        if (is_enabled(s->done, t - 1))
            run_thread(s, t - 1);
}

/* Returns the cost of the end, or of the first states left when there is no cheaper end. */
static unsigned find_end(void)
{
    uint16_t none[PL_GRAPH_THREADS] = {0};
    w.states = w.nows = w.laters = 0;
    w.full = w.found = false;
    if (++w.search == 0)
        w.search = 1;
    struct state *root = state_of(none);
    root->cost = 0;
    root->moved = NOBODY;
    w.now[w.nows++] = 0;
    for (unsigned cost = 0; cost <= w.q->most; cost++) {
        while (w.nows && !w.found) {
            struct state *s = &w.state[w.now[--w.nows]];
            if (s->cost == cost && !s->expanded)
                expand(s);
        }
        if (w.found || w.full)
            return cost;
        if (!w.laters)
            return cost; /* no events at all */
        memcpy(w.now, w.later, w.laters * sizeof *w.now);
        w.nows = w.laters;
        w.laters = 0;
    }
    return w.q->most + 1;
}

static bool prepare(const struct pl_graph *g, const struct pl_preemptions *question)
{
    w.g = g;
    w.q = question;
    set_limits();
    return compute_pasts();
}

unsigned pl_preemptions_least(const struct pl_graph *g, const struct pl_preemptions *question)
{
    return prepare(g, question) ? find_end() : 0;
}

/* ---- the order ---- */

/* The events from downset to downset, one thread's at a time, written from the last on. */
static uint32_t write_turns(struct pl_ref *order, bool *preempts)
{
    uint32_t at = PL_GRAPH_EVENTS;
    for (const struct state *s = &w.end; s->moved != NOBODY; s = &w.state[s->from]) {
        const struct state *from = &w.state[s->from];
        for (unsigned k = s->done[s->moved]; k > from->done[s->moved]; k--) {
            order[--at] = node(s->moved, k - 1)->self;
            preempts[at] = false;
        }
        preempts[at] = from->moved != NOBODY && from->cost > w.state[from->from].cost;
    }
    uint32_t count = PL_GRAPH_EVENTS - at;
    memmove(order, order + at, count * sizeof *order);
    memmove(preempts, preempts + at, count * sizeof *preempts);
    return count;
}

/* Requests that were not granted come last, each after the one that it reads: a thread may ask for
 * a lock behind another that waits for it as well. */
static uint32_t write_requests(struct pl_ref *order, bool *preempts, uint32_t count)
{
    for (uint32_t i = 0; i < w.g->events; i++) {
        struct pl_ref e = w.g->order[i];
        if (counts(e) || e.index >= made_by(e.thread))
            continue;
        order[count] = e;
        preempts[count++] = false;
    }
    return count;
}

unsigned pl_preemptions_order(const struct pl_graph *g, const struct pl_preemptions *question,
                              struct pl_ref *order, bool *preempts, uint32_t *count)
{
    *count = 0;
    if (!prepare(g, question))
        return 0;
    unsigned least = find_end();
    if (!w.found)
        return least;
    *count = write_turns(order, preempts);
    if (question->last < 0)
        *count = write_requests(order, preempts, *count);
    return least;
}
