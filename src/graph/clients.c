/* What a graph says of its clients: clients.h. */
#include "graph/clients.h"

#include <string.h>

typedef uint16_t view[PL_GRAPH_THREADS];

/* One projection a process: no two calls at once. */
static struct {
    const struct pl_graph *g;
    const struct pl_graph_call *call;
    unsigned calls;
    uint64_t points;                 /* those there are */
    uint64_t of[PL_GRAPH_THREADS];   /* of each thread */
    uint16_t index[PL_GRAPH_POINTS]; /* of the first event after each */
    uint8_t thread[PL_GRAPH_POINTS];
    view before[PL_GRAPH_POINTS]; /* of each point, events of each thread in its past */
} work;

static unsigned index_of(unsigned point)
{
    return point & 1 ? work.call[point / 2].ret : work.call[point / 2].call;
}

/* ---- sc: the past of each event ---- */

static view sc_past[PL_GRAPH_THREADS][PL_GRAPH_LENGTH];

/* Joins what is in the past of `from`, if that is known already. */
static bool add(uint16_t *to, const struct pl_node *from, const uint32_t *done)
{
    if (from->self.index >= done[from->self.thread])
        return false;
    pl_view_join(to, sc_past[from->self.thread][from->self.index]);
    return true;
}

/* The readers of the write before this one in co come before it; so does that write. */
static bool add_overwritten(uint16_t *to, const struct pl_graph *g, const struct pl_node *w,
                            const uint32_t *done)
{
    const struct pl_location *l = &g->location[w->location - 1];
    struct pl_ref r = l->readers;
    if (w->place > 0) {
        const struct pl_node *before = pl_at(g, l->co[w->place - 1]);
        if (!add(to, before, done))
            return false;
        r = before->readers;
    }
    for (; !pl_is_init(r); r = pl_at(g, r)->next)
        if (!(r.thread == w->self.thread && r.index < w->self.index) && !add(to, pl_at(g, r), done))
            return false;
    return true;
}

static bool add_event(const struct pl_graph *g, const struct pl_node *e, const uint32_t *done)
{
    static const view nothing;
    unsigned t = e->self.thread, i = e->self.index;
    uint16_t *mine = sc_past[t][i];
    const uint16_t *before = i ? e[-1].porf : nothing;
    memcpy(mine, i ? sc_past[t][i - 1] : nothing, sizeof(view));
    for (unsigned k = 0; k < g->threads; k++)
        if (k != t && e->porf[k] > before[k] && e->porf[k] > mine[k] &&
            !add(mine, &g->thread[k].node[e->porf[k] - 1], done))
            return false;
    if (e->kind == PL_GRAPH_WRITE && !add_overwritten(mine, g, e, done))
        return false;
    mine[t] = (uint16_t)(i + 1);
    return true;
}

/* An order of all events that respects every edge is there, because the graph is consistent. */
static void find_sc_pasts(const struct pl_graph *g)
{
    uint32_t done[PL_GRAPH_THREADS] = {0}, left = g->events;
    for (bool more = true; left && more;) {
        more = false;
        for (unsigned t = 0; t < g->threads; t++)
            while (done[t] < g->thread[t].count &&
                   add_event(g, &g->thread[t].node[done[t]], done)) {
                done[t]++;
                left--;
                more = true;
            }
    }
}

/* ---- from pasts of points to an order of points ---- */

/* The unlock that a lock waited for is not in the lock's views but in those of what follows. */
static const struct pl_node *unlock_at(const struct pl_node *last)
{
    if (last->kind != PL_GRAPH_WRITE || !(last->flags & PL_GRAPH_F_LOCK))
        return NULL;
    const struct pl_node *unlock = pl_graph_awaited(work.g, last);
    return unlock == last ? NULL : unlock;
}

enum past { PAST_HB, PAST_PORF, PAST_SC };

static const uint16_t *past_of(const struct pl_node *n, enum past which)
{
    return which == PAST_HB     ? n->hb
           : which == PAST_PORF ? n->porf
                                : sc_past[n->self.thread][n->self.index];
}

static void find_before(enum past which)
{
    for (uint64_t rest = work.points; rest; rest &= rest - 1) {
        unsigned p = (unsigned)__builtin_ctzll(rest), at = index_of(p);
        uint16_t *to = work.before[p];
        if (!at) {
            memset(to, 0, sizeof(view));
            continue;
        }
        const struct pl_node *last = &work.g->thread[work.call[p / 2].thread].node[at - 1],
                             *unlock = unlock_at(last);
        memcpy(to, past_of(last, which), sizeof(view));
        if (unlock && (which != PAST_HB || !(last->flags & PL_GRAPH_F_QUIET)))
            pl_view_join(to, past_of(unlock, which));
    }
}

/* p comes before q if the first event after p is in the past of q. */
static void find_order(uint64_t *before)
{
    for (uint64_t to = work.points; to; to &= to - 1) {
        unsigned q = (unsigned)__builtin_ctzll(to), thread = work.call[q / 2].thread;
        const uint64_t own = work.of[thread];
        uint64_t row = own & (((uint64_t)1 << q) - 1);
        for (uint64_t from = work.points & ~own; from; from &= from - 1) {
            unsigned p = (unsigned)__builtin_ctzll(from);
            row |= (uint64_t)(work.before[q][work.thread[p]] > work.index[p]) << p;
        }
        before[q] = row;
    }
}

/* ---- C2 ---- */

/* Calls that happen before an event, returns it happens before: sets of invocations. */
struct around {
    uint32_t calls, returns;
};

static struct around around(const struct pl_node *n)
{
    struct around a = {0, 0};
    for (unsigned i = 0; i < work.calls; i++) {
        const struct pl_graph_call *c = &work.call[i];
        bool called = c->called && n->hb[c->thread] > c->call;
        bool returned = c->returned && work.before[2 * i + 1][n->self.thread] > n->self.index;
        a.calls |= (uint32_t)called << i;
        a.returns |= (uint32_t)returned << i;
    }
    return a;
}

static uint32_t bar(uint32_t *barred, const struct pl_node *n, uint32_t newer)
{
    struct around a = around(n);
    for (uint32_t rest = newer ? a.calls : 0; rest; rest &= rest - 1)
        barred[__builtin_ctz(rest)] |= newer;
    return a.returns;
}

/* From the newest write to the oldest: what each has to do with is older than all before. */
static void find_barred(uint32_t *barred)
{
    const struct pl_graph *g = work.g;
    for (uint32_t k = 0; k < g->locations; k++) {
        const struct pl_location *l = &g->location[k];
        uint32_t newer = 0;
        if (!l->uses || !l->writes)
            continue;
        for (int place = (int)l->writes - 1; place >= -1; place--) {
            const struct pl_node *w = place < 0 ? NULL : pl_at(g, l->co[place]);
            uint32_t these = w ? bar(barred, w, newer) : 0;
            for (struct pl_ref r = w ? w->readers : l->readers; !pl_is_init(r);
                 r = pl_at(g, r)->next)
                these |= bar(barred, pl_at(g, r), newer);
            newer |= these;
        }
    }
}

/* ---- C3 ---- */

static bool is_sc(const struct pl_node *n)
{
    return n->order == PL_SC && (pl_is_access(n) || n->kind == PL_GRAPH_FENCE);
}

/* Are there seq_cst events, and are they such that C3 is right? */
static bool has_sc(bool *exact)
{
    static uint8_t kinds[PL_GRAPH_LOCATIONS]; /* 1: seq_cst accesses there, 2: others */
    const struct pl_graph *g = work.g;
    bool any = false;
    for (uint32_t i = 0; i < g->events; i++) {
        const struct pl_node *n = pl_at(g, g->order[i]);
        any |= is_sc(n);
        if (n->kind == PL_GRAPH_FENCE && n->order == PL_SC)
            *exact = false;
    }
    if (!any)
        return false;
    memset(kinds, 0, g->locations);
    for (uint32_t i = 0; i < g->events; i++) {
        const struct pl_node *n = pl_at(g, g->order[i]);
        if (!pl_is_access(n))
            continue;
        kinds[n->location - 1] |= is_sc(n) ? 1 : 2;
        if (kinds[n->location - 1] == 3)
            *exact = false;
    }
    return true;
}

static bool same_location(const struct pl_node *a, const struct pl_node *b)
{
    return pl_is_access(a) && pl_is_access(b) && a->location == b->location;
}

static bool is_after(const struct pl_node *n, const struct pl_graph_call *c)
{
    const struct pl_node *unlock = unlock_at(n);
    return n->hb[c->thread] > c->call ||
           (unlock && !(n->flags & PL_GRAPH_F_QUIET) && unlock->hb[c->thread] > c->call);
}

/* 1 + the index of the first seq_cst event of another thread that the load before a call reaches
 * by sb≠loc;hb;sb≠loc: after an event that the call happens before, at another location. */
static unsigned reached_in(const struct pl_graph_thread *t, const struct pl_graph_call *c)
{
    unsigned from = 0;
    while (from < t->count && !is_after(&t->node[from], c))
        from++;
    bool several = false; /* of the events since then, not all are at one location */
    for (unsigned k = from + 1; k < t->count; k++) {
        const struct pl_node *n = &t->node[k];
        several = several || !same_location(&t->node[from], n);
        if (several && is_sc(n))
            return k + 1;
    }
    return 0;
}

static void reached_from(const struct pl_graph_call *c, uint16_t *first)
{
    const struct pl_graph *g = work.g;
    for (unsigned t = 0; t < g->threads; t++) {
        unsigned k = c->call;
        if (t != c->thread) {
            first[t] = (uint16_t)reached_in(&g->thread[t], c);
            continue;
        }
        while (k < g->thread[t].count && !is_sc(&g->thread[t].node[k]))
            k++;
        first[t] = (uint16_t)(k < g->thread[t].count ? k + 1 : 0);
    }
}

static void find_global(const uint64_t *order, uint64_t *global)
{
    view past[PL_GRAPH_CALLS], first;
    const struct pl_graph_call *last = NULL;
    for (unsigned i = 0; i < work.calls; i++) {
        const struct pl_graph_call *c = &work.call[i];
        if (!c->returned)
            continue;
        bool on = last && last->thread == c->thread && last->ret <= c->ret;
        pl_rc11_past(work.g, c->thread, c->ret, on, past[i]);
        global[2 * i + 1] = order[2 * i + 1] & (uint64_t)0x5555555555555555;
        last = c;
    }
    for (unsigned j = 0; j < work.calls; j++) {
        if (!work.call[j].called)
            continue;
        reached_from(&work.call[j], first);
        for (unsigned i = 0; i < work.calls; i++)
            for (unsigned t = 0; work.call[i].returned && t < work.g->threads; t++)
                if (first[t] && past[i][t] >= first[t])
                    global[2 * i + 1] |= (uint64_t)1 << 2 * j;
    }
}

/* ---- all of it ---- */

/* Pairs of a call and a return only: a store of the client's, and a load after it in the same
 * thread, are not kept in order. */
static void find_tso_cause(uint64_t *cause)
{
    for (unsigned i = 0; i < work.calls; i++) {
        view past;
        if (!work.call[i].returned)
            continue;
        pl_tso_past(work.g, work.call[i].thread, work.call[i].ret, past);
        for (unsigned j = 0; j < work.calls; j++) {
            const struct pl_graph_call *c = &work.call[j];
            bool before = c->thread == work.call[i].thread ? j <= i : past[c->thread] > c->call;
            cause[2 * i + 1] |= (uint64_t)(c->called && before) << 2 * j;
        }
    }
}

static void begin(const struct pl_graph *g, const struct pl_graph_call *call, unsigned calls)
{
    work.g = g;
    work.call = call;
    work.calls = calls;
    work.points = 0;
    memset(work.of, 0, sizeof work.of);
    for (unsigned i = 0; i < calls; i++) {
        uint64_t points = (uint64_t)call[i].called << 2 * i;
        points |= (uint64_t)call[i].returned << (2 * i + 1);
        work.points |= points;
        work.of[call[i].thread] |= points;
        work.thread[2 * i] = work.thread[2 * i + 1] = call[i].thread;
        work.index[2 * i] = call[i].call;
        work.index[2 * i + 1] = call[i].ret;
    }
}

void pl_graph_passed(const struct pl_graph *g, const struct pl_graph_call *call, unsigned calls,
                     uint32_t *passed)
{
    uint64_t order[PL_GRAPH_POINTS] = {0};
    begin(g, call, calls);
    find_before(PAST_HB);
    find_order(order);
    for (unsigned j = 0; j < calls; j++) {
        passed[j] = 0;
        for (unsigned i = 0; i < calls; i++)
            passed[j] |= (uint32_t)(order[2 * j + 1] >> 2 * i & 1) << i;
    }
}

void pl_graph_clients(const struct pl_graph *g, const struct pl_model *model,
                      const struct pl_graph_call *call, unsigned calls, struct pl_clients *out)
{
    memset(out, 0, sizeof *out);
    out->exact = true;
    begin(g, call, calls);
    if (model == &pl_model_sc) {
        find_sc_pasts(g);
        find_before(PAST_SC);
        find_order(out->cause);
        memcpy(out->order, out->cause, sizeof out->order);
        return;
    }
    find_before(PAST_HB);
    find_order(out->order);
    if (model == &pl_model_tso) {
        find_tso_cause(out->cause);
        return;
    }
    find_barred(out->barred); /* with what happens before each point */
    find_before(PAST_PORF);
    find_order(out->cause);
    if (has_sc(&out->exact) && out->exact)
        find_global(out->order, out->global);
}
