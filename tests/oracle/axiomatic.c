/*
 * See axiomatic.h. In two stages:
 *
 *   sources  Threads are run as far as they go. One that comes to a read stops; its
 *            source is chosen among the initial write and all operations of the program
 *            that might write there, executed already or not. A chosen source that is
 *            not executed yet is waited for; one that turns out to be skipped, or to be
 *            a compare-and-swap that failed, drops the candidate. So the control flow
 *            follows the values, and each rf comes up exactly once: the run is
 *            determined by the choices, and the next read to choose for by the run.
 *            When all threads wait, rf closes a cycle with sb, which no model here has.
 *   orders   For each location every order of its writes; then the axioms are asked.
 *
 * Shortcuts, all of them consequences of axioms that every model here has; a test
 * switches them off and finds the same:
 *  S1 two read-modify-writes that write do not read from one write (atomicity);
 *  S2 mo agrees with sb on the writes of a thread to a location (coherence);
 *  S3 a read-modify-write comes right after its source in mo (atomicity).
 */
#include "axiomatic.h"

#include "models.h"

struct source {
    bool chosen;
    int thread, op; /* thread -1: the initial write */
};

struct run {
    int pc[OR_THREADS];
    bool done[OR_THREADS];
    struct source source[OR_THREADS]; /* of the read the thread stands before */
    int event_of[OR_THREADS][OR_OPS]; /* the event an operation made, -1: none (yet) */
    struct or_graph graph;
};

struct search {
    const struct or_program *p;
    enum or_model model;
    bool shortcuts;
    struct or_result *result;
    /* of the second stage */
    struct run *run;
    struct or_exec exec;
    int write_node[OR_THREADS][OR_OPS]; /* the node that writes, of an event; -1: none */
    int read_node[OR_THREADS][OR_OPS];
    struct or_ref order[OR_LOCS + OR_LOCKS][OR_TOTAL]; /* mo as chosen so far */
    int writes[OR_LOCS + OR_LOCKS];                    /* how many there are to order */
};

/* --- the second stage: orders of writes ------------------------------------------- */

static int init_node(int loc)
{
    return loc; /* the initial writes are the first nodes */
}

static int writer_of(const struct search *s, struct or_ref ref, int loc)
{
    return ref.thread < 0 ? init_node(loc) : s->write_node[ref.thread][ref.index];
}

static int add_node(struct or_exec *x, struct or_node node)
{
    PL_ASSERT(x->n < OR_EVENTS);
    x->node[x->n] = node;
    return x->n++;
}

static enum or_order read_part(enum or_order o)
{
    return o == OR_REL ? OR_RLX : o == OR_AR ? OR_ACQ : o;
}

static enum or_order write_part(enum or_order o)
{
    return o == OR_ACQ ? OR_RLX : o == OR_AR ? OR_REL : o;
}

static void add_event(struct search *s, int thread, int index)
{
    struct or_exec *x = &s->exec;
    const struct or_event *e = &s->run->graph.events[thread][index];
    struct or_node node = {.thread = thread, .loc = e->loc, .order = e->op->order};
    s->read_node[thread][index] = s->write_node[thread][index] = -1;
    if (e->kind == OR_EV_FENCE) {
        node.fence = true;
        node.loc = -1;
        (void)add_node(x, node);
        return;
    }
    bool lock = or_holds_lock(e->op->kind);
    bool reads = e->kind == OR_EV_READ || e->kind == OR_EV_UPDATE || e->kind == OR_EV_LOCK;
    bool writes = e->kind != OR_EV_READ;
    if (lock)
        node.loc = s->p->locs + e->loc;
    enum or_order order = e->op->order;
    if (lock)
        order = e->kind == OR_EV_LOCK ? OR_ACQ : OR_REL;
    else if (e->kind == OR_EV_READ && e->op->kind == OR_CAS)
        order = e->op->failure;
    node.locked = e->kind == OR_EV_LOCK || (or_reads(e->op->kind) && e->op->kind != OR_LOAD);
    if (reads) {
        node.read = true;
        node.order = read_part(order);
        s->read_node[thread][index] = add_node(x, node);
        node.read = false;
    }
    if (writes) {
        node.write = true;
        node.order = write_part(order);
        s->write_node[thread][index] = add_node(x, node);
        s->writes[node.loc]++;
    }
}

/* The execution but for mo. False: inconsistent whatever mo is. */
static bool build(struct search *s)
{
    struct or_exec *x = &s->exec;
    int places = s->p->locs + s->p->locks;
    x->n = 0;
    for (int l = 0; l < places; l++) {
        (void)add_node(x, (struct or_node){.write = true, .thread = -1, .loc = l, .order = OR_NA});
        s->writes[l] = 0;
    }
    const struct or_graph *g = &s->run->graph;
    for (int t = 0; t < s->p->threads; t++)
        for (int i = 0; i < g->counts[t]; i++)
            add_event(s, t, i);
    x->sb = x->rf = x->rmw = or_empty(x->n);
    for (int a = 0; a < x->n; a++)
        for (int b = a < places ? places : a + 1; b < x->n; b++)
            if (a < places || x->node[a].thread == x->node[b].thread)
                or_relate(&x->sb, a, b);
    for (int t = 0; t < s->p->threads; t++) {
        for (int i = 0; i < g->counts[t]; i++) {
            int read = s->read_node[t][i], write = s->write_node[t][i];
            if (read < 0)
                continue;
            or_relate(&x->rf, writer_of(s, g->events[t][i].rf, x->node[read].loc), read);
            if (write >= 0)
                or_relate(&x->rmw, read, write);
        }
    }
    return or_exec_derive(x);
}

/* Threads that wait for a lock must wait for ever: nobody gives it back. */
static bool waits_are_for_ever(const struct search *s)
{
    const struct or_graph *g = &s->run->graph;
    for (int t = 0; t < s->p->threads; t++) {
        if (g->blocked[t] < 0)
            continue;
        int place = s->p->locs + g->blocked[t], count = s->writes[place];
        if (count == 0)
            return false;
        struct or_ref last = s->order[place][count - 1];
        if (g->events[last.thread][last.index].kind != OR_EV_LOCK)
            return false;
    }
    return true;
}

static void judge(struct search *s)
{
    struct or_exec *x = &s->exec;
    int places = s->p->locs + s->p->locks;
    x->mo = or_empty(x->n);
    for (int l = 0; l < places; l++) {
        for (int i = 0; i < s->writes[l]; i++) {
            int node = writer_of(s, s->order[l][i], l);
            or_relate(&x->mo, init_node(l), node);
            for (int j = 0; j < i; j++)
                or_relate(&x->mo, writer_of(s, s->order[l][j], l), node);
        }
    }
    if (!or_consistent(x, s->model) || !waits_are_for_ever(s))
        return;
    struct or_graph *g = &s->run->graph;
    for (int l = 0; l < s->p->locs; l++) {
        g->co_counts[l] = s->writes[l];
        memcpy(g->co[l], s->order[l], sizeof g->co[l]);
    }
    for (int l = 0; l < s->p->locks; l++) {
        g->lock_counts[l] = 0;
        for (int i = 0; i < s->writes[s->p->locs + l]; i++) {
            struct or_ref ref = s->order[s->p->locs + l][i];
            if (g->events[ref.thread][ref.index].kind == OR_EV_LOCK)
                g->lock_order[l][g->lock_counts[l]++] = ref;
        }
    }
    (void)or_result_add(s->result, s->p, g, or_racy(x));
}

static bool same_ref(struct or_ref a, struct or_ref b)
{
    return a.thread == b.thread && (a.thread < 0 || a.index == b.index);
}

/* May the event be the next in mo of the place, after `placed` others? */
static bool may_follow(const struct search *s, int place, int placed, struct or_ref ref)
{
    const struct or_exec *x = &s->exec;
    int node = s->write_node[ref.thread][ref.index];
    if (node < 0 || x->node[node].loc != place)
        return false;
    for (int i = 0; i < placed; i++)
        if (same_ref(s->order[place][i], ref))
            return false;
    if (!s->shortcuts)
        return true;
    int mine = 0; /* S2: how many of the thread's earlier ones are there? */
    for (int i = 0; i < placed; i++)
        mine += s->order[place][i].thread == ref.thread;
    for (int i = 0; i < ref.index; i++) {
        int other = s->write_node[ref.thread][i];
        mine -= other >= 0 && x->node[other].loc == place;
    }
    if (mine != 0)
        return false;
    struct or_ref last = placed ? s->order[place][placed - 1] : (struct or_ref){.thread = -1};
    return s->read_node[ref.thread][ref.index] < 0 || /* S3 */
           same_ref(s->run->graph.events[ref.thread][ref.index].rf, last);
}

static void place_writes(struct search *s, int place, int placed)
{
    while (place < s->p->locs + s->p->locks && placed == s->writes[place]) {
        place++;
        placed = 0;
    }
    if (place == s->p->locs + s->p->locks) {
        judge(s);
        return;
    }
    for (int t = 0; t < s->p->threads; t++) {
        for (int i = 0; i < s->run->graph.counts[t]; i++) {
            struct or_ref ref = {t, i};
            if (!may_follow(s, place, placed, ref))
                continue;
            s->order[place][placed] = ref;
            place_writes(s, place, placed + 1);
        }
    }
}

/* --- the first stage: sources of reads --------------------------------------------- */

enum progress { MOVED, STANDS, DROPPED };

static bool takes_source(enum or_kind kind)
{
    return or_reads(kind) || kind == OR_LOCK;
}

/* The source's event, if it is known by now to have written. */
static enum progress find_source(const struct run *run, struct source source, struct or_ref *out)
{
    *out = (struct or_ref){.thread = -1};
    if (source.thread < 0)
        return MOVED;
    int index = run->event_of[source.thread][source.op];
    if (index < 0) {
        bool passed = run->done[source.thread] || run->pc[source.thread] > source.op;
        return passed ? DROPPED : STANDS;
    }
    enum or_event_kind kind = run->graph.events[source.thread][index].kind;
    *out = (struct or_ref){source.thread, index};
    return kind == OR_EV_READ ? DROPPED : MOVED; /* READ: a compare-and-swap that failed */
}

/* S1. Of a LOCK too: it is a read-modify-write. */
static bool taken(const struct search *s, const struct run *run, const struct or_event *e)
{
    if (!s->shortcuts || (e->kind != OR_EV_UPDATE && e->kind != OR_EV_LOCK))
        return false;
    for (int t = 0; t < s->p->threads; t++) {
        for (int i = 0; i < run->graph.counts[t]; i++) {
            const struct or_event *other = &run->graph.events[t][i];
            if (other->kind == e->kind && other->loc == e->loc && same_ref(other->rf, e->rf))
                return true;
        }
    }
    return false;
}

/* Fills kind, read and written from the operation and its source. */
static void perform(const struct run *run, int thread, struct or_event *e)
{
    const struct or_op *op = e->op;
    const int *regs = run->graph.regs[thread];
    if (takes_source(op->kind) && e->rf.thread >= 0)
        e->read = run->graph.events[e->rf.thread][e->rf.index].written;
    int value = or_evaluate(op->value, regs);
    switch (op->kind) {
    case OR_LOAD:
        e->kind = OR_EV_READ;
        break;
    case OR_STORE:
        e->kind = OR_EV_WRITE;
        e->written = value;
        break;
    case OR_CAS:
        e->kind = e->read == or_evaluate(op->expected, regs) ? OR_EV_UPDATE : OR_EV_READ;
        e->written = e->kind == OR_EV_UPDATE ? value : 0;
        break;
    case OR_FADD:
    case OR_XCHG:
        e->kind = OR_EV_UPDATE;
        e->written = op->kind == OR_FADD ? e->read + value : value;
        break;
    case OR_FENCE:
        e->kind = OR_EV_FENCE;
        break;
    case OR_LOCK:
        e->kind = OR_EV_LOCK;
        break;
    case OR_UNLOCK:
        e->kind = OR_EV_UNLOCK;
        break;
    case OR_SKIP_IF:
    case OR_ASSUME:
        pl_bug(__FILE__, __LINE__, "not an event");
    }
}

static enum progress step(const struct search *s, struct run *run, int thread)
{
    int pc = run->pc[thread];
    const struct or_op *op = &s->p->thread[thread].ops[pc];
    int *regs = run->graph.regs[thread];
    if (op->kind == OR_ASSUME && !or_holds(op, regs))
        return DROPPED;
    struct or_event e = {.op = op, .loc = op->loc, .rf.thread = -1};
    if (takes_source(op->kind)) {
        if (!run->source[thread].chosen)
            return STANDS;
        enum progress found = find_source(run, run->source[thread], &e.rf);
        if (found != MOVED)
            return found;
        run->source[thread].chosen = false;
    }
    run->pc[thread]++;
    if (op->kind == OR_SKIP_IF && or_holds(op, regs))
        run->pc[thread] += op->skip;
    if (or_makes_event(op->kind)) {
        perform(run, thread, &e);
        if (taken(s, run, &e))
            return DROPPED;
        if (op->dest >= 0)
            regs[op->dest] = e.read;
        int index = run->graph.counts[thread]++;
        run->graph.events[thread][index] = e;
        run->event_of[thread][pc] = index;
    }
    return MOVED;
}

/* Runs all threads until each is done or stands. False: the candidate is dropped. */
static bool advance(const struct search *s, struct run *run)
{
    bool moved = true;
    while (moved) {
        moved = false;
        for (int t = 0; t < s->p->threads; t++) {
            while (!run->done[t]) {
                if (run->pc[t] == s->p->thread[t].count) {
                    run->done[t] = moved = true;
                    break;
                }
                enum progress progress = step(s, run, t);
                if (progress == DROPPED)
                    return false;
                if (progress == STANDS)
                    break;
                moved = true;
            }
        }
    }
    return true;
}

static void explore(struct search *s, const struct run *before);

static void choose(struct search *s, const struct run *run, int reader)
{
    int pc = run->pc[reader];
    const struct or_op *op = &s->p->thread[reader].ops[pc];
    struct run next = *run;
    next.source[reader] = (struct source){.chosen = true, .thread = -1};
    explore(s, &next);
    for (int t = 0; t < s->p->threads; t++) {
        /* Its own later operations would close a cycle. */
        int limit = t == reader ? pc : s->p->thread[t].count;
        for (int i = 0; i < limit; i++) {
            const struct or_op *other = &s->p->thread[t].ops[i];
            bool source =
                op->kind == OR_LOCK ? other->kind == OR_UNLOCK : or_may_write(other->kind);
            if (!source || other->loc != op->loc)
                continue;
            next = *run;
            next.source[reader] = (struct source){.chosen = true, .thread = t, .op = i};
            explore(s, &next);
        }
    }
    if (op->kind == OR_LOCK) {
        next = *run;
        next.done[reader] = true;
        next.graph.blocked[reader] = op->loc;
        explore(s, &next);
    }
}

static void explore(struct search *s, const struct run *before)
{
    struct run run = *before;
    if (!advance(s, &run))
        return;
    bool all_done = true;
    for (int t = 0; t < s->p->threads; t++) {
        if (!run.done[t] && !run.source[t].chosen) {
            choose(s, &run, t);
            return;
        }
        all_done = all_done && run.done[t];
    }
    if (!all_done) /* a cycle of sb and rf */
        return;
    s->run = &run;
    if (build(s))
        place_writes(s, 0, 0);
    s->run = NULL;
}

void or_axiomatic(const struct or_program *p, enum or_model model,
                  const struct or_axiomatic_options *options, struct or_result *result)
{
    struct search s = {.p = p, .model = model, .result = result};
    s.shortcuts = !options || !options->no_shortcuts;
    struct run run = {0};
    or_graph_init(&run.graph);
    for (int t = 0; t < OR_THREADS; t++)
        for (int i = 0; i < OR_OPS; i++)
            run.event_of[t][i] = -1;
    explore(&s, &run);
}
