/* The TruSt algorithm; trust.h says how it is used. */
#include "explore/trust_internal.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "graph/whole.h"

/* One event of a script. The thread's number has room for whether it is known if another one, which
 * could have gone on, is left for it, and if so. */
enum { SCRIPT_BYTES = 6, THREAD = 0xfff, IS_KNOWN = 1 << 14, PREEMPTS = 1 << 15 };
struct step {
    uint16_t thread, a, b;
};

static void *map(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void fail(struct pl_trust *x, const char *why)
{
    if (!x->failure)
        x->failure = why;
}

struct pl_trust *pl_trust_new(const struct pl_model *model)
{
    struct pl_trust *x = map(sizeof *x);
    if (!x)
        return NULL;
    x->model = model;
    x->item = map(ITEMS * sizeof *x->item);
    x->frame[0] = x->g = pl_graph_new();
    if (!x->item || !x->g) {
        pl_trust_free(x);
        return NULL;
    }
#ifdef PLUMB_DEBUG
    pl_trust_prove(x);
#endif
    return x;
}

void pl_trust_prove(struct pl_trust *x)
{
    if (!x->seen)
        x->seen = pl_once_new();
    if (!x->seen)
        fail(x, "out of memory");
}

void pl_trust_set_pulse(struct pl_trust *x, volatile uint64_t *pulse)
{
    x->pulse = pulse;
}

void pl_trust_free(struct pl_trust *x)
{
    if (!x)
        return;
    for (uint32_t i = 0; i < FRAMES && x->frame[i]; i++)
        pl_graph_free(x->frame[i]);
    pl_once_free(x->seen);
    if (x->item)
        (void)munmap(x->item, ITEMS * sizeof *x->item);
    (void)munmap(x, sizeof *x);
}

const struct pl_graph *pl_trust_graph(const struct pl_trust *x)
{
    return x->g;
}

const struct pl_trust_counts *pl_trust_counts(const struct pl_trust *x)
{
    return &x->counts;
}

const char *pl_trust_failure(const struct pl_trust *x)
{
    return x->failure;
}

static void push(struct pl_trust *x, struct item item)
{
    if (x->items == ITEMS) {
        fail(x, "more open alternatives than there is room for");
        return;
    }
    item.count = x->g->events;
    item.stamps = x->g->stamps;
    x->item[x->items++] = item;
}

/* The ways from place `first` on are those from one event. */
static void end_ways(struct pl_trust *x, uint32_t first)
{
    if (x->probing && x->items > first && x->forks < PL_GRAPH_EVENTS)
        x->fork[x->forks++] = first;
}

/* How old a value the event may have to do with (graph.h). */
static int lowest(struct pl_trust *x, struct pl_node *e)
{
    if (x->pulse)
        ++*x->pulse;
    int least = pl_graph_lowest(x->g, x->model, e);
    int twins = x->twins ? pl_trust_twin_place(x, e) : -1;
    return twins > least ? twins : least;
}

/* ---- backward revisits ---- */

static bool previous(const struct pl_node *p, const struct pl_node *e, const struct pl_node *w)
{
    return p->stamp <= e->stamp || pl_in_porf(w, p->self);
}

/*
 * Was the event added the way a first visit adds it: a write last in co, a read from the
 * last write, among what is previous? Then, and only then, this graph is the one from which
 * the revisit is made, and no other makes the same (TruSt, section 3).
 */
static bool maximal(const struct pl_graph *g, const struct pl_node *e, const struct pl_node *w)
{
    if (e->kind == PL_GRAPH_CHOICE)
        return e->value == 0;
    if (!pl_is_access(e))
        return true;
    const struct pl_location *l = &g->location[e->location - 1];
    if (e->kind == PL_GRAPH_READ) {
        if (!pl_is_init(e->rf) && !previous(pl_at(g, e->rf), e, w))
            return false;
    } else {
        for (struct pl_ref r = e->readers; !pl_is_init(r); r = pl_at(g, r)->next)
            if (previous(pl_at(g, r), e, w))
                return false;
    }
    for (unsigned i = l->writes; i > (unsigned)(pl_place(g, e) + 1); i--)
        if (previous(pl_at(g, l->co[i - 1]), e, w))
            return false;
    return true;
}

/* Could the read take its value from the write instead, but for what would be deleted? */
static bool eligible(const struct pl_graph *g, const struct pl_node *r, const struct pl_node *w)
{
    return r->kind == PL_GRAPH_READ && !((r->flags ^ w->flags) & PL_GRAPH_F_LOCK) &&
           maximal(g, r, w);
}

/* The stamp of the last event outside the write's past that was not added as a first visit
 * does; of those with a stamp greater than `least`, or that. */
static uint32_t last_other(const struct pl_graph *g, const struct pl_node *w, uint32_t least)
{
    for (unsigned t = 0; t < g->threads; t++) {
        const struct pl_node *node = g->thread[t].node;
        for (unsigned k = g->thread[t].count; k > w->porf[t] && node[k - 1].stamp > least; k--)
            if (!maximal(g, &node[k - 1], w)) {
                least = node[k - 1].stamp; /* stamps grow along po */
                break;
            }
    }
    return least;
}

/*
 * Every read that could take its value from the new write instead; `w` is not yet in co. What was
 * added after the read and is not in the write's past is deleted then, and must be maximal: so
 * the read must be younger than the last event that is not. most: no younger reads than this.
 */
static void find_revisits(struct pl_trust *x, const struct pl_node *w, struct item way,
                          uint32_t most)
{
    const struct pl_graph *g = x->g;
    uint32_t least = UINT32_MAX;
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned t = 0; t < g->threads; t++) {
            const struct pl_node *r = pl_last_access(g, w->location, t, g->thread[t].count);
            for (; r && t != w->self.thread && !pl_in_porf(w, r->self); r = pl_before(r)) {
                if (pass == 1 && r->stamp < least)
                    break;
                if (r->stamp > most || !eligible(g, r, w))
                    continue;
                if (pass == 0) {
                    least = r->stamp < least ? r->stamp : least;
                    continue;
                }
                way.victim = r->self;
                push(x, way);
            }
        }
        if (least == UINT32_MAX)
            return;
        if (pass == 0)
            least = last_other(g, w, least);
    }
}

/* Likewise, with what the twins add to the write's past. */
static void push_revisits(struct pl_trust *x, struct pl_node *w, struct item way, uint32_t most)
{
    uint16_t past[PL_GRAPH_THREADS];
    memcpy(past, w->porf, sizeof past);
    pl_trust_close(x, w->porf);
    find_revisits(x, w, way, most);
    memcpy(w->porf, past, sizeof past);
}

/* May the write stand there: is it new enough, and no read-modify-write split? */
static bool may_stand(const struct pl_graph *g, const struct pl_node *w, unsigned place, int least)
{
    return (int)place > least && pl_graph_fits(g, w->location, place);
}

/* The places where a write may stand; the place of an update follows from what it reads. */
static void places(const struct pl_graph *g, const struct pl_node *w, unsigned *low, unsigned *high)
{
    *low = 0;
    *high = g->location[w->location - 1].writes;
    if (w->flags & PL_GRAPH_F_RMW)
        *low = *high = (unsigned)(pl_place(g, &w[-1]) + 1);
}

/* A new frame: the graph without what the revisit deletes, the victim reading the write; a way
 * for every place the write may stand at. */
static void open_revisit(struct pl_trust *x, struct pl_ref write, struct pl_ref victim)
{
    if (x->depth + 1 == FRAMES) {
        fail(x, "revisits are nested too deeply");
        return;
    }
    if (!x->frame[x->depth + 1])
        x->frame[x->depth + 1] = pl_graph_new();
    struct pl_graph *g = x->frame[x->depth + 1];
    if (!g) {
        fail(x, "out of memory");
        return;
    }
    uint16_t past[PL_GRAPH_THREADS];
    memcpy(past, pl_at(x->g, write)->porf, sizeof past);
    pl_trust_close(x, pl_at(x->g, write)->porf);
    pl_graph_revisit(g, x->g, pl_at(x->g, victim), pl_at(x->g, write));
    memcpy(pl_at(x->g, write)->porf, past, sizeof past);
    memcpy(pl_at(g, write)->porf, past, sizeof past);
    x->depth++;
    x->base[x->depth] = x->items;
    x->given[x->depth] = 0;
    x->g = g;
    x->counts.revisits++;
    struct pl_node *r = pl_at(g, victim), *w = pl_at(g, write);
    if (r->op != PL_OP_NONE) { /* its order follows from the value */
        uint64_t written;
        r->order = pl_graph_update(r, w->value, &written) ? r->order_ok : r->order_fail;
    }
    int least = lowest(x, w), other = lowest(x, r);
    least = other > least ? other : least;
    pl_graph_set_rf(g, r, write);
    unsigned low, high;
    places(g, w, &low, &high);
    for (unsigned place = low; place <= high; place++)
        if (may_stand(g, w, place, least))
            push(x, (struct item){
                        .kind = WAY_PLACE, .event = write, .victim = victim, .place = place});
}

/* ---- the ways not yet taken ---- */

static struct pl_node *add_update_write(struct pl_trust *x, struct pl_node *read)
{
    uint64_t value = 0;
    (void)pl_graph_update(read, read->value, &value);
    struct pl_node *w = pl_graph_add(x->g, read->self.thread, PL_GRAPH_WRITE, read->location);
    w->order = read->order;
    w->size = read->size;
    read->flags |= PL_GRAPH_F_RMW;
    w->flags = read->flags;
    w->value = value;
    pl_graph_set_release(x->g, w);
    return w;
}

bool pl_trust_take(struct pl_trust *x, const struct item *way)
{
    struct pl_graph *g = x->g;
    pl_graph_cut(g, way->count);
    g->stamps = way->stamps;
    struct pl_node *e = pl_at(g, way->event);
    switch (way->kind) {
    case WAY_RF:
        pl_graph_set_rf(g, e, way->from);
        return true;
    case WAY_CO:
        pl_graph_remove_co(g, e);
        pl_graph_insert_co(g, e, way->place);
        return true;
    case WAY_PLACE:
        pl_graph_remove_co(g, e);
        pl_graph_insert_co(g, e, way->place);
        return true;
    case WAY_CHOICE:
        e->value = way->place;
        return true;
    case WAY_WHOLE:
        return true;
    case WAY_CONFLICT:
        pl_graph_set_rf(g, e, way->from);
        e = add_update_write(x, e);
        open_revisit(x, e->self, way->victim);
        return false;
    case WAY_REVISIT:
        open_revisit(x, way->event, way->victim);
        return false;
    }
    return false;
}

/* ---- walks ---- */

static void begin_walk(struct pl_trust *x)
{
    x->weight = 1;
    x->depth = x->items = x->forks = 0;
    x->g = x->frame[0];
    pl_graph_clear(x->g);
}

/* Which of so many; the walk stands for that many more. */
static uint32_t step_of_walk(struct pl_trust *x, uint32_t ways)
{
    x->weight *= ways;
    return pl_prng_below(&x->prng, ways);
}

/* A run is over: does the walk leave it at one of the forks, or was this its leaf? */
static void walk_on(struct pl_trust *x, bool complete)
{
    struct item way = {0};
    bool left = false;
    for (uint32_t i = 0; i < x->forks && !left; i++) {
        uint32_t end = i + 1 < x->forks ? x->fork[i + 1] : x->items;
        uint32_t taken = step_of_walk(x, end - x->fork[i] + 1);
        left = taken > 0;
        if (left)
            way = x->item[x->fork[i] + taken - 1];
    }
    x->items = x->base[x->depth] = x->forks = 0;
    if (left && pl_trust_take(x, &way))
        return;
    if (left && x->items) { /* a revisit: the write's place */
        way = x->item[step_of_walk(x, x->items)];
        x->items = x->base[x->depth] = 0;
        (void)pl_trust_take(x, &way);
        return;
    }
    x->estimate.walks++;
    if (!left && complete) {
        x->estimate.sum += x->weight;
        x->estimate.squares += x->weight * x->weight;
    }
    begin_walk(x);
}

void pl_trust_probe(struct pl_trust *x, uint64_t seed)
{
    x->probing = true;
    pl_prng_init(&x->prng, seed);
    begin_walk(x);
}

const struct pl_trust_estimate *pl_trust_estimate(const struct pl_trust *x)
{
    return &x->estimate;
}

/* ---- the next run ---- */

bool pl_trust_next_run(struct pl_trust *x)
{
    while (!x->failure) {
        if (x->items == x->base[x->depth] + x->given[x->depth]) {
            x->items = x->base[x->depth];
            x->given[x->depth] = 0;
            if (x->depth == 0)
                return false;
            x->g = x->frame[--x->depth];
            continue;
        }
        struct item way = x->item[--x->items];
        if (pl_trust_take(x, &way) && !pl_trust_leads_beyond(x))
            return true;
    }
    return false;
}

static bool next_run(struct pl_trust *x, bool complete)
{
    if (x->probing) {
        walk_on(x, complete);
        return !x->failure;
    }
    if (x->sample) {
        pl_sample_end(x->sample, x->g->events);
        pl_graph_clear(x->g);
        return !x->failure;
    }
    return pl_trust_next_run(x);
}

/* ---- runs ---- */

void pl_trust_sample(struct pl_trust *x, struct pl_sample *sample)
{
    x->sample = sample;
}

void pl_trust_restart(struct pl_trust *x, const struct pl_model *model)
{
    x->model = model ? model : x->model;
    x->depth = x->items = x->given[0] = 0;
    x->g = x->frame[0];
    x->counts = (struct pl_trust_counts){0};
    if (x->seen)
        pl_once_clear(x->seen);
    x->estimate = (struct pl_trust_estimate){0};
    x->weight = 1;
    x->forks = 0;
    x->twins = x->astray = false;
    memset(x->twin, 0, sizeof x->twin);
    pl_graph_clear(x->g);
}

void pl_trust_begin(struct pl_trust *x)
{
    x->at = 0;
    x->current = 0;
    memset(x->made, 0, sizeof x->made);
    x->counts.runs++;
}

bool pl_trust_end(struct pl_trust *x, bool complete)
{
    if (!x->failure && x->at < x->g->events)
        fail(x, "the program does not repeat itself: it ended earlier than before");
    if (complete && !pl_trust_is_beyond(x))
        x->counts.executions++;
    else if (!complete)
        x->counts.blocked++;
    if (complete && x->seen && !x->sample && !x->probing && !x->failure &&
        !pl_once_add(x->seen, pl_graph_hash(x->g)))
        fail(x, "an execution was explored twice: an error in Plumbline, please report it");
    return next_run(x, complete);
}

bool pl_trust_give_up(struct pl_trust *x)
{
    x->counts.blocked++;
    return next_run(x, false);
}

static struct step script_at(const struct pl_trust *x, uint64_t i)
{
    const uint8_t *p = x->script + i * SCRIPT_BYTES;
    return (struct step){(uint16_t)(p[0] | p[1] << 8), (uint16_t)(p[2] | p[3] << 8),
                         (uint16_t)(p[4] | p[5] << 8)};
}

/* The script's word on the event that has just been added. */
static bool scripted(const struct pl_trust *x, struct step *out)
{
    if (!x->script || x->at == 0 || x->at > x->script_events)
        return false;
    *out = script_at(x, x->at - 1);
    return true;
}

/* Place in co among the writes that come before it in the order. */
static uint16_t early_place(const struct pl_graph *g, const struct pl_node *w,
                            const struct pl_ref *order, uint32_t until)
{
    const struct pl_location *l = &g->location[w->location - 1];
    uint16_t place = 0;
    for (uint32_t i = 0; i < l->writes && !pl_same(l->co[i], w->self); i++)
        for (uint32_t k = 0; k < until; k++)
            place = (uint16_t)(place + pl_same(order[k], l->co[i]));
    return place;
}

uint64_t pl_trust_write_script(const struct pl_trust *x, const struct pl_ref *order,
                               const bool *preempts, uint32_t count, uint8_t *out, uint64_t room)
{
    uint64_t used = 0;
    for (uint32_t i = 0; i < count && used + SCRIPT_BYTES <= room; i++) {
        const struct pl_node *n = pl_at(x->g, order[i]);
        struct step s = {n->self.thread, 0, 0};
        if (preempts)
            s.thread = (uint16_t)(s.thread | IS_KNOWN | (preempts[i] ? PREEMPTS : 0));
        if (n->kind == PL_GRAPH_READ)
            s.a = n->rf.thread, s.b = n->rf.index;
        else if (n->kind == PL_GRAPH_WRITE)
            s.a = early_place(x->g, n, order, i);
        else if (n->kind == PL_GRAPH_CHOICE)
            s.a = (uint16_t)n->value;
        const uint16_t words[] = {s.thread, s.a, s.b};
        for (unsigned k = 0; k < 3; k++) {
            out[used++] = (uint8_t)words[k];
            out[used++] = (uint8_t)(words[k] >> 8);
        }
    }
    return used;
}

uint64_t pl_trust_save(const struct pl_trust *x, unsigned late, uint8_t *out, uint64_t room)
{
    static struct pl_ref
        order[PL_GRAPH_EVENTS]; /* one exploration a process: no two calls at once */
    if (x->script && x->at == x->script_events && room >= x->script_events * SCRIPT_BYTES) {
        memcpy(out, x->script, x->script_events * SCRIPT_BYTES);
        return x->script_events * SCRIPT_BYTES;
    }
    if (pl_graph_sc_order(x->g, x->made, late, order) < x->at) /* weak: as it was found */
        memcpy(order, x->g->order, x->at * sizeof *order);
    return pl_trust_write_script(x, order, NULL, x->at, out, room);
}

void pl_trust_script(struct pl_trust *x, const uint8_t *bytes, uint64_t count)
{
    x->script = bytes;
    x->script_events = count / SCRIPT_BYTES;
}

bool pl_trust_is_scripted(const struct pl_trust *x)
{
    return x->script != NULL;
}

unsigned pl_trust_next(struct pl_trust *x, uint64_t enabled)
{
    if (x->script && x->at >= x->g->events && x->at < x->script_events) {
        struct step s = script_at(x, x->at);
        unsigned t = s.thread & THREAD;
        x->yields = (s.thread & (IS_KNOWN | PREEMPTS)) == IS_KNOWN;
        if (t < 64 && (enabled >> t & 1))
            return x->current = t;
    }
    if (x->at < x->g->events) {
        unsigned t = x->g->order[x->at].thread;
        if (enabled >> t & 1)
            return x->current = t;
        fail(x, "the program does not repeat itself: a thread is blocked that was not before");
    }
    if (x->sample && !x->script)
        return x->current = pl_sample_pick(x->sample, x->g, x->at, enabled);
    uint64_t others = enabled & ~pl_trust_must_wait(x, enabled);
    enabled =
        others ? others : enabled; /* who waits before a read, or comes to wait there likewise */
    if (!(enabled >> x->current & 1))
        x->current = (unsigned)__builtin_ctzll(enabled);
    return x->current;
}

/* ---- events ---- */

static bool is_fresh(const struct pl_trust *x, unsigned thread)
{
    return thread >= x->g->threads || x->made[thread] >= x->g->thread[thread].count;
}

bool pl_trust_is_fresh(const struct pl_trust *x, unsigned thread)
{
    return is_fresh(x, thread);
}

const struct pl_node *pl_trust_next_is_last(const struct pl_trust *x, unsigned thread)
{
    const struct pl_node *n = &x->g->thread[thread].node[x->made[thread]];
    bool last = !is_fresh(x, thread) && x->made[thread] + 1 == x->g->thread[thread].count;
    return last && n->kind == PL_GRAPH_READ && !(n->flags & PL_GRAPH_F_LOCK) ? n : NULL;
}

/* The event of this thread that the graph already has, or NULL when it is a new one. */
static struct pl_node *known(struct pl_trust *x, unsigned thread, enum pl_graph_kind kind,
                             uint64_t key)
{
    struct pl_graph *g = x->g;
    if (is_fresh(x, thread)) {
        if (g->events == PL_GRAPH_EVENTS || thread >= PL_GRAPH_THREADS ||
            (thread < g->threads && g->thread[thread].count == PL_GRAPH_LENGTH))
            fail(x, "an execution is longer than there is room for; --unroll N bounds the rounds "
                    "of loops");
        x->astray = x->astray || pl_trust_must_wait(x, (uint64_t)1 << (thread & 63));
        return NULL;
    }
    struct pl_node *n = &g->thread[thread].node[x->made[thread]++];
    x->at++;
    if (n->kind != kind || (n->location ? g->location[n->location - 1].key : 0) != key)
        fail(x, "the program does not repeat itself: an event differs from before");
    return n;
}

const struct pl_node *pl_trust_repeat(struct pl_trust *x, unsigned thread, enum pl_graph_kind kind,
                                      uint64_t address, uint64_t value)
{
    const struct pl_graph *g = x->g;
    uint64_t written;
    if (is_fresh(x, thread))
        return NULL;
    const struct pl_node *n = &g->thread[thread].node[x->made[thread]];
    if (n->kind != kind || g->location[n->location - 1].key << 16 != address << 16)
        return NULL;
    if (kind == PL_GRAPH_WRITE && n->value != value)
        return NULL;
    bool update = (n->flags & PL_GRAPH_F_RMW) != 0;
    if (n->op != PL_OP_NONE && !update && pl_graph_update(n, n->value, &written))
        return NULL; /* its write is still to come */
    x->made[thread] += 1u + update;
    x->at += 1u + update;
    return n + update;
}

static struct pl_node *added(struct pl_trust *x, struct pl_node *n)
{
    x->made[n->self.thread]++;
    x->at++;
    return n;
}

/*
 * An update reads what another has taken already: it cannot write, but what its write could do
 * to other reads is kept as ways. (In no other case is the write impossible: it comes right
 * after what was read, and the read already precedes all that is co-after that.)
 */
static void push_conflicts(struct pl_trust *x, struct pl_node *read)
{
    struct item way = {.kind = WAY_CONFLICT, .event = read->self, .from = read->rf};
    uint32_t first = x->items, count = x->g->events, stamps = x->g->stamps;
    /* The other update must be the victim, or be deleted. */
    const struct pl_location *l = &x->g->location[read->location - 1];
    const struct pl_node *taker = pl_at(x->g, l->co[pl_place(x->g, read) + 1]);
    push_revisits(x, add_update_write(x, read), way, taker[-1].stamp);
    pl_graph_cut(x->g, count);
    x->g->stamps = stamps;
    for (uint32_t i = first; i < x->items; i++) { /* they start from before the write */
        x->item[i].count = count;
        x->item[i].stamps = stamps;
    }
}

/* What the script says the read reads. */
static struct pl_ref scripted_rf(const struct pl_graph *g, const struct pl_node *read,
                                 struct step step)
{
    struct pl_ref from = {step.a, step.b};
    if (!pl_is_init(from) &&
        (from.thread >= g->threads || from.index >= g->thread[from.thread].count ||
         pl_at(g, from)->kind != PL_GRAPH_WRITE || pl_at(g, from)->location != read->location))
        return PL_INIT; /* the program has changed: the finding will not show */
    return from;
}

/* `lowest` of an update for either way it may end: the order decides. */
static void lowest_of(struct pl_trust *x, struct pl_node *read, int *writing, int *reading)
{
    if (read->op != PL_OP_NONE)
        read->order = read->order_ok;
    *writing = *reading = lowest(x, read);
    if (read->op == PL_OP_NONE || (read->order_ok == PL_SC) == (read->order_fail == PL_SC))
        return;
    read->order = read->order_fail;
    *reading = lowest(x, read);
}

/* Of the possibilities that come by, is the n-th the one to take? Each is in the end with the
 * same probability; under sc it is the first, the newest: the order of events has decided. */
static bool taken(struct pl_trust *x, unsigned n)
{
    return n == 1 || (x->model != &pl_model_sc && pl_sample_below(x->sample, n) == 0);
}

static bool is_idle(const struct pl_trust_access *a, uint64_t value)
{
    for (unsigned i = 0; i < a->idle_count; i++)
        if (a->idle[i] == value)
            return true;
    return false;
}

/*
 * What a read may take. Of the outdated values those are left out with which its thread would
 * stand still for good:
 * - a step on an object that awaits another value;
 * - the last read r of a round that is then void. Such an r is never revisited, nor deleted by a
 *   revisit, for it is not maximal; but if r belongs to an update that writes back what it read, a
 *   revisit by that write may delete what is newer. Its victim v is older than r and reads what
 *   comes after r, so it is not maximal either, for any write that does not have r in its past; so
 *   again nothing deletes v, and r stays. Hence the thread stands there in every graph that comes
 *   of this one. What the others do in such a graph they do as well where the thread has not made r
 *   yet: nobody but reads of the same value, which are there before r, can tell the difference.
 */
static void choose_rf(struct pl_trust *x, struct pl_node *read, const struct pl_trust_access *a)
{
    struct pl_graph *g = x->g;
    const struct pl_location *l = &g->location[read->location - 1];
    struct pl_ref first = PL_INIT;
    unsigned found = 0;
    struct step step;
    if (scripted(x, &step)) {
        pl_graph_set_rf(g, read, scripted_rf(g, read, step));
        return;
    }
    int writing, reading;
    uint32_t items = x->items;
    lowest_of(x, read, &writing, &reading);
    for (int place = (int)l->writes - 1; place >= writing || place >= reading; place--) {
        struct pl_ref from = place < 0 ? PL_INIT : l->co[place];
        uint64_t written;
        read->value = place < 0 ? l->initial : pl_at(g, from)->value;
        if (place != (int)l->writes - 1 && (pl_graph_awaits(read) || is_idle(a, read->value)))
            continue;
        bool writes = pl_graph_update(read, read->value, &written);
        if (place < (writes ? writing : reading))
            continue;
        bool fits = !writes || pl_graph_fits(g, read->location, (unsigned)(place + 1));
        if (x->sample) {
            found += fits;
            if (fits && taken(x, found))
                first = from;
        } else if (!fits) {
            pl_graph_set_rf(g, read, from);
            push_conflicts(x, read);
        } else if (!found) {
            first = from, found = 1;
        } else {
            push(x, (struct item){.kind = WAY_RF, .event = read->self, .from = from});
        }
    }
    if (!found)
        fail(x, "no consistent value for a read: the memory model is not extensible");
    end_ways(x, items);
    pl_graph_set_rf(g, read, first);
}

static void choose_co(struct pl_trust *x, struct pl_node *w)
{
    unsigned low, high, first = 0, found = 0;
    struct step step;
    if (scripted(x, &step)) {
        uint32_t most = x->g->location[w->location - 1].writes;
        pl_graph_insert_co(x->g, w, step.a < most ? step.a : most);
        return;
    }
    uint32_t items = x->items;
    if (!x->sample)
        push_revisits(x, w, (struct item){.kind = WAY_REVISIT, .event = w->self}, UINT32_MAX);
    places(x->g, w, &low, &high);
    int least = w->flags & PL_GRAPH_F_RMW ? -1 : lowest(x, w); /* an update's read was asked */
    for (unsigned place = high + 1; place-- > low;) {
        if (!may_stand(x->g, w, place, least))
            continue;
        found++;
        if (x->sample ? taken(x, found) : found == 1)
            first = place;
        else if (!x->sample)
            push(x, (struct item){.kind = WAY_CO, .event = w->self, .place = place});
    }
    if (!found)
        fail(x, "no consistent place for a write: the memory model is not extensible");
    end_ways(x, items);
    pl_graph_insert_co(x->g, w, first);
}

bool pl_trust_ready(struct pl_trust *x, const struct pl_trust_access *a)
{
    if (!x->sample || x->script || !is_fresh(x, a->thread))
        return true;
    const struct pl_location *l = &x->g->location[pl_graph_location(x->g, a->key, a->initial) - 1];
    uint64_t value = l->writes ? pl_at(x->g, l->co[l->writes - 1])->value : l->initial;
    struct pl_node read = {.op = (uint8_t)a->op,
                           .await = (uint8_t)a->await,
                           .size = (uint8_t)a->size,
                           .operand = a->operand,
                           .expected = a->expected,
                           .value = value};
    return !pl_graph_awaits(&read);
}

uint64_t pl_trust_read(struct pl_trust *x, const struct pl_trust_access *a)
{
    struct pl_node *n = known(x, a->thread, PL_GRAPH_READ, a->key);
    if (n || x->failure)
        return n ? n->value : 0;
    uint32_t location = pl_graph_location(x->g, a->key, a->initial);
    n = added(x, pl_graph_add(x->g, a->thread, PL_GRAPH_READ, location));
    n->order = n->order_ok = (uint8_t)a->order;
    n->size = (uint8_t)a->size;
    n->await = (uint8_t)a->await;
    n->expected = a->expected;
    choose_rf(x, n, a);
    return n->value;
}

void pl_trust_write(struct pl_trust *x, const struct pl_trust_access *a, uint64_t value)
{
    struct pl_node *n = known(x, a->thread, PL_GRAPH_WRITE, a->key);
    if (n || x->failure) {
        if (n && n->value != value)
            fail(x, "the program does not repeat itself: it writes another value than before");
        return;
    }
    uint32_t location = pl_graph_location(x->g, a->key, a->initial);
    n = added(x, pl_graph_add(x->g, a->thread, PL_GRAPH_WRITE, location));
    n->order = (uint8_t)a->order;
    n->size = (uint8_t)a->size;
    n->value = value;
    n->flags = a->flags;
    pl_graph_set_release(x->g, n);
    choose_co(x, n);
}

const struct pl_node *pl_trust_update_read(struct pl_trust *x, const struct pl_trust_access *a)
{
    struct pl_node *r = known(x, a->thread, PL_GRAPH_READ, a->key);
    if (!r && !x->failure) {
        uint32_t location = pl_graph_location(x->g, a->key, a->initial);
        r = added(x, pl_graph_add(x->g, a->thread, PL_GRAPH_READ, location));
        r->size = (uint8_t)a->size;
        r->op = (uint8_t)a->op;
        r->order_ok = (uint8_t)a->order;
        r->order_fail = (uint8_t)a->order_fail;
        r->operand = a->operand;
        r->expected = a->expected;
        r->await = (uint8_t)a->await;
        r->flags = a->flags;
        choose_rf(x, r, a);
    }
    return x->failure ? NULL : r;
}

bool pl_trust_update_write(struct pl_trust *x, const struct pl_trust_access *a)
{
    struct pl_node *r = &x->g->thread[a->thread].node[x->made[a->thread] - 1];
    uint64_t written;
    bool ok = pl_graph_update(r, r->value, &written);
    if (ok && !known(x, a->thread, PL_GRAPH_WRITE, a->key))
        choose_co(x, added(x, add_update_write(x, r)));
    return ok;
}

uint64_t pl_trust_update(struct pl_trust *x, const struct pl_trust_access *a, bool *ok)
{
    const struct pl_node *r = pl_trust_update_read(x, a);
    *ok = r && pl_trust_update_write(x, a);
    return r ? r->value : 0;
}

bool pl_trust_changes(const struct pl_trust_access *a, uint64_t value)
{
    struct pl_node read = {.op = (uint8_t)a->op,
                           .size = (uint8_t)a->size,
                           .operand = a->operand,
                           .expected = a->expected};
    uint64_t written;
    return pl_graph_update(&read, value, &written) && written != value;
}

unsigned pl_trust_values(struct pl_trust *x, const struct pl_trust_access *a, uint64_t *out,
                         unsigned room)
{
    const struct pl_location *l = &x->g->location[pl_graph_location(x->g, a->key, a->initial) - 1];
    unsigned count = 0;
    for (int place = (int)l->writes - 1; place >= -1 && count < room; place--) {
        uint64_t value = place < 0 ? l->initial : pl_at(x->g, l->co[place])->value;
        unsigned i = 0;
        while (i < count && out[i] != value)
            i++;
        if (i == count)
            out[count++] = value;
    }
    return count;
}

/* An event without a location. */
static struct pl_node *plain_event(struct pl_trust *x, unsigned thread, enum pl_graph_kind kind,
                                   uint64_t value)
{
    struct pl_node *n = known(x, thread, kind, 0);
    if (!n && !x->failure) {
        n = added(x, pl_graph_add(x->g, thread, kind, 0));
        n->value = value;
    }
    return n;
}

void pl_trust_fence(struct pl_trust *x, unsigned thread, unsigned order)
{
    bool fresh = is_fresh(x, thread);
    struct pl_node *n = plain_event(x, thread, PL_GRAPH_FENCE, 0);
    if (!n || !fresh)
        return;
    n->order = (uint8_t)order;
    pl_graph_set_rf(x->g, n, PL_INIT);
}

void pl_trust_start(struct pl_trust *x, unsigned thread, int creator)
{
    bool fresh = is_fresh(x, thread);
    struct pl_node *n = plain_event(x, thread, PL_GRAPH_BEGIN, (uint64_t)creator);
    if (!n || !fresh || creator < 0)
        return;
    pl_graph_add_create(x->g, n);
}

void pl_trust_create(struct pl_trust *x, unsigned thread, unsigned created)
{
    (void)plain_event(x, thread, PL_GRAPH_CREATE, created);
}

void pl_trust_finish(struct pl_trust *x, unsigned thread)
{
    (void)plain_event(x, thread, PL_GRAPH_END, 0);
}

void pl_trust_join(struct pl_trust *x, unsigned thread, unsigned joined)
{
    bool fresh = is_fresh(x, thread);
    struct pl_node *n = plain_event(x, thread, PL_GRAPH_JOIN, joined);
    if (n && fresh && x->g->thread[joined].count)
        pl_graph_add_past(n, &x->g->thread[joined].node[x->g->thread[joined].count - 1]);
}

void pl_trust_lock(struct pl_trust *x, unsigned thread, uint64_t key, bool quiet)
{
    struct pl_trust_access a = {.thread = thread, .key = key, .op = PL_OP_LOCK, .operand = 1};
    bool ok;
    a.flags = quiet ? PL_GRAPH_F_LOCK | PL_GRAPH_F_QUIET : PL_GRAPH_F_LOCK;
    (void)pl_trust_update(x, &a, &ok);
}

bool pl_trust_locked(struct pl_trust *x, unsigned thread)
{
    unsigned made = x->made[thread];
    const struct pl_node *n = made ? &x->g->thread[thread].node[made - 1] : NULL;
    if (!n || n->kind != PL_GRAPH_WRITE || !(n->flags & PL_GRAPH_F_LOCK))
        return true;
    const struct pl_node *unlock = pl_graph_awaited(x->g, n);
    return unlock == n || (unlock && unlock->self.index < x->made[unlock->self.thread]);
}

void pl_trust_unlock(struct pl_trust *x, unsigned thread, uint64_t key)
{
    struct pl_node *n = known(x, thread, PL_GRAPH_UNLOCK, key);
    if (n || x->failure)
        return;
    uint32_t location = pl_graph_location(x->g, key, 0);
    n = added(x, pl_graph_add(x->g, thread, PL_GRAPH_UNLOCK, location));
    for (unsigned k = n->self.index; k > 0; k--) { /* the lock it ends */
        const struct pl_node *lock = &x->g->thread[thread].node[k - 1];
        if (lock->kind == PL_GRAPH_WRITE && lock->location == location) {
            n->other = lock->self.index;
            break;
        }
    }
}

unsigned pl_trust_choose(struct pl_trust *x, unsigned thread, unsigned n)
{
    bool fresh = is_fresh(x, thread);
    struct pl_node *e = plain_event(x, thread, PL_GRAPH_CHOICE, 0);
    uint32_t items = x->items;
    if (!e)
        return 0;
    struct step step;
    if (fresh && scripted(x, &step))
        e->value = step.a < n ? step.a : 0;
    else if (fresh && x->sample)
        e->value = pl_sample_below(x->sample, n);
    else
        for (unsigned i = 1; fresh && i < n; i++)
            push(x, (struct item){.kind = WAY_CHOICE, .event = e->self, .place = i});
    end_ways(x, items);
    return (unsigned)e->value;
}

unsigned pl_trust_made(const struct pl_trust *x, unsigned thread)
{
    return x->made[thread];
}

bool pl_trust_goes_on(const struct pl_trust *x, unsigned thread)
{
    for (uint64_t i = x->at; x->script && i < x->script_events; i++)
        if ((script_at(x, i).thread & THREAD) == thread)
            return true;
    return thread < x->g->threads && x->made[thread] < x->g->thread[thread].count;
}

bool pl_trust_is_weak(const struct pl_trust *x)
{
    return !pl_graph_is_sc(x->g);
}

const struct pl_node *pl_trust_last(const struct pl_trust *x, unsigned thread)
{
    return &x->g->thread[thread].node[x->made[thread] - 1];
}

const struct pl_node *pl_trust_awaited(const struct pl_trust *x, unsigned thread)
{
    const struct pl_node *n = pl_trust_last(x, thread), *unlock = pl_graph_awaited(x->g, n);
    return unlock == n ? NULL : unlock;
}

bool pl_trust_waits(const struct pl_trust *x, unsigned thread, bool *for_ever)
{
    const struct pl_node *n = x->made[thread] ? pl_trust_last(x, thread) : NULL;
    if (!n || n->kind != PL_GRAPH_READ || !pl_graph_awaits(n))
        return false;
    *for_ever = !pl_trust_is_stale(x, n->location, n->rf);
    return true;
}

bool pl_trust_is_stale(const struct pl_trust *x, uint32_t location, struct pl_ref write)
{
    const struct pl_location *l = &x->g->location[location - 1];
    int place = pl_is_init(write) ? -1 : pl_at(x->g, write)->place;
    for (uint32_t i = l->writes; (int)i > place + 1; i--)
        if (l->co[i - 1].index < x->made[l->co[i - 1].thread])
            return true;
    return false;
}

bool pl_trust_is_latest(const struct pl_trust *x, unsigned thread)
{
    const struct pl_node *n = pl_trust_last(x, thread);
    return !pl_trust_is_stale(x, n->location, n->self);
}
