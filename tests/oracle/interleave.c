/* See interleave.h. */
#include "interleave.h"

#include <string.h>

enum { PLACES = OR_LOCS + OR_LOCKS };

struct buffered {
    struct or_ref ref;
    int place; /* a location, or OR_LOCS + a lock */
};

struct machine {
    int pc[OR_THREADS];
    struct or_ref last[PLACES]; /* what memory holds: the write; of a lock LOCK or UNLOCK */
    struct buffered buffer[OR_THREADS][OR_OPS];
    int waiting[OR_THREADS]; /* entries of the buffer */
    int running;             /* who made the last step, -1: nobody */
    int preemptions;
    struct or_graph graph;
};

struct walk {
    const struct or_program *p;
    bool buffers;
    int most; /* preemptions; -1: any number */
    struct or_result *result;
    struct or_set seen; /* states, where there are buffers */
    unsigned long ends;
};

static const struct or_op *next_op(const struct walk *w, const struct machine *m, int thread)
{
    int pc = m->pc[thread];
    return pc < w->p->thread[thread].count ? &w->p->thread[thread].ops[pc] : NULL;
}

/* What nobody else can see is done at once. False: an assumption does not hold. */
static bool run_local(const struct walk *w, struct machine *m, int thread)
{
    const struct or_op *op;
    while ((op = next_op(w, m, thread)) && !or_makes_event(op->kind)) {
        bool holds = or_holds(op, m->graph.regs[thread]);
        if (op->kind == OR_ASSUME && !holds)
            return false;
        m->pc[thread] += 1 + (op->kind == OR_SKIP_IF && holds ? op->skip : 0);
    }
    return true;
}

/* A store, or one half of a lock, reaches memory. */
static void commit(struct machine *m, struct or_ref ref, int place)
{
    struct or_graph *g = &m->graph;
    m->last[place] = ref;
    if (place < OR_LOCS)
        g->co[place][g->co_counts[place]++] = ref;
    else if (g->events[ref.thread][ref.index].kind == OR_EV_LOCK)
        g->lock_order[place - OR_LOCS][g->lock_counts[place - OR_LOCS]++] = ref;
}

static void flush_one(struct machine *m, int thread)
{
    struct buffered first = m->buffer[thread][0];
    m->waiting[thread]--;
    memmove(m->buffer[thread], m->buffer[thread] + 1,
            (size_t)m->waiting[thread] * sizeof m->buffer[thread][0]);
    commit(m, first.ref, first.place);
}

static struct or_ref visible(const struct machine *m, int thread, int place)
{
    for (int i = m->waiting[thread]; i-- > 0;)
        if (m->buffer[thread][i].place == place)
            return m->buffer[thread][i].ref;
    return m->last[place];
}

/* T3 to T6: done only with an empty buffer, straight in memory. */
static bool drains(const struct or_op *op)
{
    if (op->kind == OR_STORE || op->kind == OR_FENCE)
        return op->order == OR_SC;
    return op->kind == OR_LOCK || (or_reads(op->kind) && op->kind != OR_LOAD);
}

static bool is_free(const struct machine *m, int lock)
{
    struct or_ref last = m->last[OR_LOCS + lock];
    return last.thread < 0 || m->graph.events[last.thread][last.index].kind == OR_EV_UNLOCK;
}

static bool can_step(const struct walk *w, const struct machine *m, int thread)
{
    const struct or_op *op = next_op(w, m, thread);
    if (!op || (drains(op) && m->waiting[thread] > 0))
        return false;
    return op->kind != OR_LOCK || is_free(m, op->loc);
}

static void do_read(struct machine *m, int thread, struct or_event *e)
{
    e->rf = visible(m, thread, e->loc);
    e->read = e->rf.thread < 0 ? 0 : m->graph.events[e->rf.thread][e->rf.index].written;
}

static void do_op(const struct walk *w, struct machine *m, int thread)
{
    const struct or_op *op = &w->p->thread[thread].ops[m->pc[thread]++];
    struct or_event e = {.op = op, .loc = op->loc, .rf.thread = -1};
    int *regs = m->graph.regs[thread];
    if (or_reads(op->kind))
        do_read(m, thread, &e);
    switch (op->kind) {
    case OR_LOAD:
        e.kind = OR_EV_READ;
        break;
    case OR_STORE:
        e.kind = OR_EV_WRITE;
        e.written = or_evaluate(op->value, regs);
        break;
    case OR_CAS:
        e.kind = OR_EV_READ;
        if (e.read == or_evaluate(op->expected, regs)) {
            e.kind = OR_EV_UPDATE;
            e.written = or_evaluate(op->value, regs);
        }
        break;
    case OR_FADD:
    case OR_XCHG:
        e.kind = OR_EV_UPDATE;
        e.written = or_evaluate(op->value, regs) + (op->kind == OR_FADD ? e.read : 0);
        break;
    case OR_FENCE:
        e.kind = OR_EV_FENCE;
        break;
    case OR_LOCK:
        e.kind = OR_EV_LOCK;
        break;
    case OR_UNLOCK:
        e.kind = OR_EV_UNLOCK;
        break;
    case OR_SKIP_IF:
    case OR_ASSUME:
        pl_bug(__FILE__, __LINE__, "not an event");
    }
    if (op->dest >= 0)
        regs[op->dest] = e.read;
    struct or_ref ref = {thread, m->graph.counts[thread]++};
    m->graph.events[ref.thread][ref.index] = e;
    if (e.kind == OR_EV_READ || e.kind == OR_EV_FENCE)
        return;
    int place = or_holds_lock(op->kind) ? OR_LOCS + op->loc : op->loc;
    if (w->buffers && !drains(op))
        m->buffer[thread][m->waiting[thread]++] = (struct buffered){ref, place};
    else
        commit(m, ref, place);
}

/* Nobody can move: whoever is not done waits for a lock. */
static void finish(struct walk *w, struct machine *m)
{
    for (int t = 0; t < w->p->threads; t++) {
        const struct or_op *op = next_op(w, m, t);
        m->graph.blocked[t] = op ? op->loc : -1;
    }
    w->ends++;
    (void)or_result_add(w->result, w->p, &m->graph, false);
}

/* The graph so far says all: who executed what, and (co) what has left the buffers. */
static bool seen_before(struct walk *w, const struct machine *m)
{
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    or_graph_render(&m->graph, w->p, &text);
    for (int t = 0; t < w->p->threads; t++)
        pl_strbuf_addf(&text, "%d ", m->waiting[t]); /* unlocks are not in co */
    bool fresh = or_set_add(&w->seen, text.text);
    pl_strbuf_release(&text);
    return !fresh;
}

/* By the definition: another thread made the last step, and could make the next. */
static bool preempts(const struct walk *w, const struct machine *m, int thread)
{
    return m->running >= 0 && m->running != thread && can_step(w, m, m->running);
}

static void walk_from(struct walk *w, struct machine *m)
{
    if (w->buffers && seen_before(w, m))
        return;
    bool moved = false;
    for (int t = 0; t < w->p->threads; t++) {
        if (can_step(w, m, t)) {
            struct machine next = *m;
            moved = true;
            next.preemptions += preempts(w, m, t);
            next.running = t;
            do_op(w, &next, t);
            if (w->most >= 0 && next.preemptions > w->most)
                continue;
            if (run_local(w, &next, t))
                walk_from(w, &next);
        }
        if (m->waiting[t] > 0) {
            struct machine next = *m;
            moved = true;
            flush_one(&next, t);
            walk_from(w, &next);
        }
    }
    if (!moved)
        finish(w, m);
}

static unsigned long interleave(const struct or_program *p, bool buffers, int most,
                                struct or_result *result)
{
    struct walk w = {.p = p, .buffers = buffers, .most = most, .result = result};
    struct machine m = {.running = -1};
    or_set_init(&w.seen);
    or_graph_init(&m.graph);
    for (int l = 0; l < PLACES; l++)
        m.last[l].thread = -1;
    bool possible = true;
    for (int t = 0; t < p->threads; t++)
        possible = possible && run_local(&w, &m, t);
    if (possible)
        walk_from(&w, &m);
    or_set_release(&w.seen);
    return w.ends;
}

unsigned long or_interleave(const struct or_program *p, enum or_model model,
                            struct or_result *result)
{
    PL_ASSERT(model == OR_MODEL_SC || model == OR_MODEL_TSO);
    return interleave(p, model == OR_MODEL_TSO, -1, result);
}

unsigned long or_interleave_bounded(const struct or_program *p, int most, struct or_result *result)
{
    return interleave(p, false, most, result);
}
