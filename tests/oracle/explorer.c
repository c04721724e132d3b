/* The explorer on the oracles' programs. */
#include "explorer.h"

#include <stdlib.h>
#include <string.h>

#include "explore/trust.h"

enum { LOCK_KEY = 1000 };

/* One run: where each thread is. */
struct machine {
    const struct or_program *p;
    struct pl_trust *x;
    int pc[OR_THREADS];
    int regs[OR_THREADS][OR_REGS];
    bool waiting[OR_THREADS]; /* for a lock it has asked for */
    bool stopped[OR_THREADS]; /* at a false assumption; the others go on */
    bool false_assumption;
    or_each_graph *each; /* or NULL */
    void *context;
    int twins; /* the first so many threads are the same, and may be renamed */
    int most;  /* preemptions: keep no others; 0 to keep all, else one more than that */
    /* 1: thread 0 of the explorer is a main that creates the threads and joins them */
    int main;
    int mains; /* steps it has made */
    bool begun[OR_THREADS], ended[OR_THREADS];
    uint64_t held[OR_THREADS]; /* the key of the lock it waits for before it asks, or 0 */
};

/* The explorer's name of a thread. */
static unsigned name_of(const struct machine *m, int t)
{
    return (unsigned)(t + m->main);
}

static unsigned order_of(enum or_order order)
{
    static const unsigned orders[] = {[OR_NA] = PL_RLX,  [OR_RLX] = PL_RLX, [OR_ACQ] = PL_ACQ,
                                      [OR_REL] = PL_REL, [OR_AR] = PL_AR,   [OR_SC] = PL_SC};
    return orders[order];
}

/* Past the operations that are no events. */
static void advance(struct machine *m, int t)
{
    const struct or_thread *thread = &m->p->thread[t];
    for (; m->pc[t] < thread->count; m->pc[t]++) {
        const struct or_op *op = &thread->ops[m->pc[t]];
        if (op->kind == OR_SKIP_IF)
            m->pc[t] += or_holds(op, m->regs[t]) ? op->skip : 0;
        else if (op->kind == OR_ASSUME)
            m->stopped[t] |= !or_holds(op, m->regs[t]);
        else
            return;
        m->false_assumption |= m->stopped[t];
        if (m->stopped[t])
            return;
    }
}

static void update(struct machine *m, int t, const struct or_op *op, enum pl_graph_op kind)
{
    struct pl_trust_access a = {
        .thread = name_of(m, t),
        .key = (uint64_t)op->loc + 1,
        .size = 4,
        .op = kind,
        .order = order_of(op->order),
        .order_fail = order_of(op->failure),
        .operand = (uint32_t)or_evaluate(op->value, m->regs[t]),
        .expected = (uint32_t)or_evaluate(op->expected, m->regs[t]),
    };
    bool ok;
    uint64_t old = pl_trust_update(m->x, &a, &ok);
    if (op->dest >= 0)
        m->regs[t][op->dest] = (int)(uint32_t)old;
}

static void step(struct machine *m, int t)
{
    const struct or_op *op = &m->p->thread[t].ops[m->pc[t]++];
    struct pl_trust_access a = {.thread = name_of(m, t),
                                .key = (uint64_t)op->loc + 1,
                                .size = 4,
                                .order = order_of(op->order)};
    switch (op->kind) {
    case OR_LOAD: {
        uint64_t value = pl_trust_read(m->x, &a);
        if (op->dest >= 0)
            m->regs[t][op->dest] = (int)(uint32_t)value;
        break;
    }
    case OR_STORE:
        pl_trust_write(m->x, &a, (uint32_t)or_evaluate(op->value, m->regs[t]));
        break;
    case OR_CAS:
        update(m, t, op, PL_OP_CAS);
        break;
    case OR_FADD:
        update(m, t, op, PL_OP_ADD);
        break;
    case OR_XCHG:
        update(m, t, op, PL_OP_EXCHANGE);
        break;
    case OR_FENCE:
        pl_trust_fence(m->x, name_of(m, t), order_of(op->order));
        break;
    case OR_LOCK:
        pl_trust_lock(m->x, name_of(m, t), (uint64_t)op->loc + LOCK_KEY, false);
        m->waiting[t] = true;
        break;
    case OR_UNLOCK:
        pl_trust_unlock(m->x, name_of(m, t), (uint64_t)op->loc + LOCK_KEY);
        break;
    case OR_SKIP_IF:
    case OR_ASSUME:
        break;
    }
    advance(m, t);
}

/* ---- main, and how its threads begin and end ---- */

static bool main_can_go(const struct machine *m)
{
    int joins = m->mains - m->p->threads;
    return m->main && (joins < 0 || (joins < m->p->threads && m->ended[joins]));
}

static void main_step(struct machine *m)
{
    int n = m->mains++, threads = m->p->threads;
    if (n < threads)
        pl_trust_create(m->x, 0, name_of(m, n));
    else
        pl_trust_join(m->x, 0, name_of(m, n - threads));
}

/* With a bound: a lock that is held is not asked for. */
static bool must_wait(struct machine *m, int t)
{
    const struct or_thread *thread = &m->p->thread[t];
    const struct or_op *op = m->pc[t] < thread->count ? &thread->ops[m->pc[t]] : NULL;
    uint64_t key = op && op->kind == OR_LOCK ? (uint64_t)op->loc + LOCK_KEY : 0;
    m->held[t] = key && pl_trust_is_held(m->x, key) ? key : 0;
    if (m->held[t]) {
        const struct pl_trust_access request = {
            .thread = name_of(m, t), .key = key, .op = PL_OP_LOCK, .flags = PL_GRAPH_F_LOCK};
        pl_trust_attempt(m->x, &request);
        pl_trust_blocked(m->x, name_of(m, t));
    }
    return m->held[t] != 0;
}

/* Its step, of whatever kind. */
static void any_step(struct machine *m, int t)
{
    if (t < 0) {
        main_step(m);
    } else if (m->main && !m->begun[t]) {
        m->begun[t] = true;
        pl_trust_start(m->x, name_of(m, t), 0);
    } else if (m->main && m->pc[t] >= m->p->thread[t].count) {
        m->ended[t] = true;
        pl_trust_finish(m->x, name_of(m, t));
    } else if (!must_wait(m, t)) {
        step(m, t);
    }
}

/* Runs to the end; true: every thread is done. */
static bool run(struct machine *m)
{
    for (;;) {
        uint64_t enabled = main_can_go(m);
        bool done = true;
        for (int t = 0; t < m->p->threads; t++) {
            if (m->waiting[t] && pl_trust_locked(m->x, name_of(m, t)))
                m->waiting[t] = false;
            bool finished = m->pc[t] >= m->p->thread[t].count && !m->waiting[t];
            done &= finished;
            bool created = !m->main || t < m->mains;
            if (m->held[t] && pl_trust_is_held(m->x, m->held[t]))
                continue;
            m->held[t] = 0;
            if (created && !m->waiting[t] && !m->stopped[t] &&
                (!finished || (m->main && !m->ended[t])))
                enabled |= (uint64_t)1 << name_of(m, t);
        }
        if (!enabled || pl_trust_failure(m->x))
            return done;
        int next = (int)pl_trust_next(m->x, enabled) - m->main;
        if (pl_trust_is_spent(m->x))
            return false;
        any_step(m, next);
    }
}

/* ---- its graph in the oracles' words ---- */

struct numbering {
    struct or_ref of[OR_THREADS][3 * OR_OPS + 2]; /* event of an oracle for each of ours */
};

static const struct or_op *op_of(const struct or_program *p, uint64_t key)
{
    (void)p, (void)key;
    return NULL;
}

static void translate(const struct machine *m, struct or_graph *out)
{
    const struct pl_graph *g = pl_trust_graph(m->x);
    const unsigned first = (unsigned)m->main;
    struct numbering number;
    memset(&number, 0, sizeof number);
    or_graph_init(out);
    memcpy(out->regs, m->regs, sizeof out->regs);
    for (int t = 0; t < m->p->threads; t++)
        out->blocked[t] = m->held[t] ? (int)(m->held[t] - LOCK_KEY) : -1;
    for (unsigned t = 0; t + first < g->threads; t++) {
        const struct pl_graph_thread *of = &g->thread[t + first];
        for (unsigned k = 0; k < of->count; k++) {
            const struct pl_node *n = &of->node[k];
            int loc = n->location ? (int)g->location[n->location - 1].key : 0;
            bool update = (n->flags & PL_GRAPH_F_RMW) != 0;
            number.of[t][k] = (struct or_ref){(int)t, out->counts[t]};
            if (n->kind == PL_GRAPH_BEGIN || n->kind == PL_GRAPH_END)
                continue;
            if (n->kind == PL_GRAPH_READ && update)
                continue; /* its write stands for both */
            if ((n->flags & PL_GRAPH_F_LOCK) && m->waiting[t] && k + 1 == of->count) {
                out->blocked[t] = loc - LOCK_KEY;
                continue;
            }
            struct or_event *e = &out->events[t][out->counts[t]++];
            *e = (struct or_event){.rf = {-1, 0}, .op = op_of(m->p, 0)};
            if (n->kind == PL_GRAPH_FENCE) {
                e->kind = OR_EV_FENCE;
            } else if (n->kind == PL_GRAPH_UNLOCK) {
                e->kind = OR_EV_UNLOCK;
                e->loc = loc - LOCK_KEY;
            } else if (n->flags & PL_GRAPH_F_LOCK) {
                e->kind = OR_EV_LOCK;
                e->loc = loc - LOCK_KEY;
            } else {
                e->kind = n->kind == PL_GRAPH_READ ? OR_EV_READ
                          : update                 ? OR_EV_UPDATE
                                                   : OR_EV_WRITE;
                e->loc = loc - 1;
                e->read = (int)(uint32_t)(n->kind == PL_GRAPH_READ ? n->value
                                          : update                 ? n[-1].value
                                                                   : 0);
                e->written = n->kind == PL_GRAPH_WRITE ? (int)(uint32_t)n->value : 0;
            }
        }
    }
    for (unsigned t = 0; t + first < g->threads; t++) /* now that every event has its number */
        for (unsigned k = 0; k < g->thread[t + first].count; k++) {
            const struct pl_node *n = &g->thread[t + first].node[k];
            bool update = (n->flags & PL_GRAPH_F_RMW) && n->kind == PL_GRAPH_WRITE;
            const struct pl_node *read = update ? n - 1 : n;
            if (read->kind != PL_GRAPH_READ ||
                (n->kind == PL_GRAPH_READ && (n->flags & PL_GRAPH_F_RMW)))
                continue;
            if (number.of[t][k].index >= out->counts[t])
                continue; /* a lock it waits for */
            struct or_event *e = &out->events[t][number.of[t][k].index];
            if (n->flags & PL_GRAPH_F_LOCK) {
                const struct pl_node *unlock = pl_graph_awaited(g, n);
                if (unlock && unlock != n)
                    e->rf = number.of[unlock->self.thread - first][unlock->self.index];
            } else if (!pl_is_init(read->rf)) {
                e->rf = number.of[read->rf.thread - first][read->rf.index];
            }
        }
    for (unsigned i = 0; i < g->locations; i++) {
        int key = (int)g->location[i].key;
        for (unsigned k = 0; k < g->location[i].writes; k++) {
            struct pl_ref w = g->location[i].co[k];
            struct or_ref r = number.of[w.thread - first][w.index];
            if (key < LOCK_KEY)
                out->co[key - 1][out->co_counts[key - 1]++] = r;
            else if (r.index < out->counts[w.thread - first])
                out->lock_order[key - LOCK_KEY][out->lock_counts[key - LOCK_KEY]++] = r;
        }
    }
}

/* ---- renaming ---- */

static struct or_ref renamed(struct or_ref r, const int *name)
{
    return r.thread < 0 ? r : (struct or_ref){name[r.thread], r.index};
}

/* A value of a thread's own (OR_OWN, program.h) has another name if its thread has. */
static int renamed_value(int value, const int *name)
{
    int owner = value / OR_OWN - 1;
    return owner < 0 || owner >= OR_THREADS ? value : value % OR_OWN + (name[owner] + 1) * OR_OWN;
}

static void rename_threads(const struct or_graph *g, const int *name, struct or_graph *out)
{
    *out = *g;
    for (int t = 0; t < OR_THREADS; t++) {
        out->counts[name[t]] = g->counts[t];
        out->blocked[name[t]] = g->blocked[t];
        for (int r = 0; r < OR_REGS; r++)
            out->regs[name[t]][r] = renamed_value(g->regs[t][r], name);
        memcpy(out->events[name[t]], g->events[t], sizeof g->events[t]);
        for (int k = 0; k < g->counts[t]; k++) {
            struct or_event *e = &out->events[name[t]][k];
            e->rf = renamed(e->rf, name);
            e->read = renamed_value(e->read, name);
            e->written = renamed_value(e->written, name);
        }
    }
    for (int l = 0; l < OR_LOCS; l++)
        for (int k = 0; k < g->co_counts[l]; k++)
            out->co[l][k] = renamed(g->co[l][k], name);
    for (int l = 0; l < OR_LOCKS; l++)
        for (int k = 0; k < g->lock_counts[l]; k++)
            out->lock_order[l][k] = renamed(g->lock_order[l][k], name);
}

/* Of all names the twins can have, those with the first text. */
static void try_names(const struct machine *m, const struct or_graph *g, int *name, int from,
                      struct pl_strbuf *best, struct or_graph *out)
{
    for (int i = from; i < m->twins; i++) {
        int kept = name[from];
        name[from] = name[i];
        name[i] = kept;
        try_names(m, g, name, from + 1, best, out);
        name[i] = name[from];
        name[from] = kept;
    }
    if (from < m->twins)
        return;
    struct or_graph other;
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    rename_threads(g, name, &other);
    or_graph_render(&other, m->p, &text);
    if (!best->length || strcmp(text.text, best->text) < 0) {
        *out = other;
        pl_strbuf_clear(best);
        pl_strbuf_add(best, text.text);
    }
    pl_strbuf_release(&text);
}

static void canonical(const struct machine *m, struct or_graph *g)
{
    int name[OR_THREADS];
    struct or_graph out = *g;
    struct pl_strbuf best;
    pl_strbuf_init(&best);
    for (int t = 0; t < OR_THREADS; t++)
        name[t] = t;
    try_names(m, g, name, 0, &best, &out);
    *g = out;
    pl_strbuf_release(&best);
}

/* Runs it once; false: it was the last time. */
static bool run_once(struct machine *m, struct or_result *result)
{
    memset(m->pc, 0, sizeof m->pc);
    memset(m->regs, 0, sizeof m->regs);
    memset(m->waiting, 0, sizeof m->waiting);
    memset(m->stopped, 0, sizeof m->stopped);
    memset(m->begun, 0, sizeof m->begun);
    memset(m->ended, 0, sizeof m->ended);
    memset(m->held, 0, sizeof m->held);
    m->mains = 0;
    m->false_assumption = false;
    pl_trust_begin(m->x);
    for (int t = 0; t < m->p->threads; t++)
        advance(m, t);
    bool complete = run(m);
    bool learns = m->p->threads != 3; /* both ways are explored */
    if (complete && learns && pl_trust_learn(m->x))
        return true;
    if (m->false_assumption || pl_trust_failure(m->x) || pl_trust_is_spent(m->x))
        return pl_trust_give_up(m->x);
    if (pl_trust_was_there(m->x))
        return pl_trust_end(m->x, complete);
    struct or_graph g;
    translate(m, &g);
    if (m->twins)
        canonical(m, &g);
    if (result && (!m->most || (int)pl_trust_preemptions(
                                   m->x, &(struct pl_trust_ending){.last = -1}) < m->most))
        (void)or_result_add(result, m->p, &g, false);
    if (m->each && complete) {
        struct pl_strbuf outcome;
        pl_strbuf_init(&outcome);
        or_graph_render_outcome(&g, m->p, &outcome);
        m->each(m->context, pl_trust_graph(m->x), outcome.text);
        pl_strbuf_release(&outcome);
    }
    return pl_trust_end(m->x, complete);
}

static struct or_explored explored(struct machine *m)
{
    const struct pl_trust_counts *c = pl_trust_counts(m->x);
    struct or_explored out = {
        pl_trust_failure(m->x),  c->executions, c->blocked, c->runs, c->beyond,
        pl_trust_is_astray(m->x)};
    pl_trust_free(m->x);
    return out;
}

struct or_explored or_explore(const struct or_program *p, enum or_model model,
                              struct or_result *result)
{
    struct machine m = {.p = p, .x = pl_trust_new(pl_model_named(or_model_name(model)))};
    if (!m.x)
        return (struct or_explored){.failure = "no memory"};
    pl_trust_prove(m.x);
    while (run_once(&m, result))
        continue;
    return explored(&m);
}

struct or_explored or_explore_each(const struct or_program *p, enum or_model model,
                                   or_each_graph *each, void *context)
{
    struct machine m = {.p = p,
                        .x = pl_trust_new(pl_model_named(or_model_name(model))),
                        .each = each,
                        .context = context};
    if (!m.x)
        return (struct or_explored){.failure = "no memory"};
    while (run_once(&m, NULL))
        continue;
    return explored(&m);
}

struct or_explored or_explore_twins(const struct or_program *p, enum or_model model, int twins,
                                    bool symmetry, struct or_result *result)
{
    struct machine m = {
        .p = p, .x = pl_trust_new(pl_model_named(or_model_name(model))), .twins = twins};
    if (!m.x)
        return (struct or_explored){.failure = "no memory"};
    pl_trust_prove(m.x);
    for (int t = 1; symmetry && t < twins; t++)
        pl_trust_twin(m.x, (unsigned)t, (unsigned)t - 1);
    while (run_once(&m, result))
        continue;
    return explored(&m);
}

struct or_explored or_explore_bounded(const struct or_program *p, int most, bool with_main,
                                      struct or_result *result)
{
    struct machine m = {
        .p = p, .x = pl_trust_new(&pl_model_sc), .most = most + 1, .main = with_main};
    if (!m.x)
        return (struct or_explored){.failure = "no memory"};
    pl_trust_prove(m.x);
    pl_trust_bound(m.x, (unsigned)most);
    while (run_once(&m, result))
        continue;
    return explored(&m);
}

struct or_explored or_sample(const struct or_program *p, enum or_model model, unsigned long samples,
                             enum pl_sample_kind kind, struct or_result *result)
{
    struct machine m = {.p = p, .x = pl_trust_new(pl_model_named(or_model_name(model)))};
    struct pl_sample sample;
    if (!m.x)
        return (struct or_explored){.failure = "no memory"};
    pl_sample_init(&sample, kind, 3);
    pl_trust_sample(m.x, &sample);
    for (unsigned long i = 0; i < samples; i++) {
        pl_sample_begin(&sample, i);
        if (!run_once(&m, result))
            break;
    }
    return explored(&m);
}

struct or_explored or_explore_in_pieces(const struct or_program *p, enum or_model model,
                                        struct or_result *result)
{
    enum { ROOM = 1 << 16, PIECES = 1 << 14 };
    static struct {
        uint64_t bytes;
        uint8_t *work;
    } piece[PIECES];
    static uint8_t room[ROOM];
    unsigned first = 0, pieces = 0;
    struct or_explored sum = {0};
    do {
        struct machine m = {.p = p, .x = pl_trust_new(pl_model_named(or_model_name(model)))};
        bool more = m.x != NULL;
        if (first < pieces) {
            more = pl_trust_receive(m.x, piece[first].work, piece[first].bytes);
            free(piece[first++].work);
        }
        while (more) {
            more = run_once(&m, result);
            uint64_t used = pieces < PIECES ? pl_trust_give(m.x, room, ROOM) : 0;
            if (!used)
                continue;
            piece[pieces].work = malloc(used);
            memcpy(piece[pieces].work, room, used);
            piece[pieces++].bytes = used;
        }
        struct or_explored one = explored(&m);
        sum.failure = sum.failure ? sum.failure : one.failure;
        sum.executions += one.executions;
        sum.blocked += one.blocked;
        sum.runs += one.runs;
    } while (first < pieces);
    return sum;
}

double or_estimate(const struct or_program *p, enum or_model model, unsigned long walks)
{
    struct machine m = {.p = p, .x = pl_trust_new(pl_model_named(or_model_name(model)))};
    struct or_result ignored;
    or_result_init(&ignored);
    pl_trust_probe(m.x, 1);
    while (pl_trust_estimate(m.x)->walks < walks && run_once(&m, &ignored))
        continue;
    or_result_release(&ignored);
    double sum = pl_trust_estimate(m.x)->sum;
    pl_trust_free(m.x);
    return sum / (double)walks;
}
