/* The TruSt algorithm: runs, and the ways that are left; trust.h says how it is used. */
#include "explore/trust_internal.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "graph/whole.h"

static void *map(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void pl_trust_fail(struct pl_trust *x, const char *why)
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
    x->facts = x->own = map(sizeof *x->own);
    if (!x->item || !x->g || !x->own) {
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
        x->seen = pl_once_new(1 << 25);
    if (!x->seen)
        pl_trust_fail(x, "out of memory");
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
    pl_once_free(x->ended);
    pl_once_free(x->visited);
    if (x->own)
        (void)munmap(x->own, sizeof *x->own);
    if (x->item)
        (void)munmap(x->item, ITEMS * sizeof *x->item);
    (void)munmap(x, sizeof *x);
}

void pl_trust_set_facts(struct pl_trust *x, struct pl_facts *facts)
{
    x->facts = facts ? facts : x->own;
    x->no_pairs = pl_fact(&x->facts->pairs_not);
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

void pl_trust_push(struct pl_trust *x, struct item item)
{
    if (x->items == ITEMS) {
        pl_trust_fail(x, "more open alternatives than there is room for");
        return;
    }
    item.count = x->g->events;
    item.stamps = x->g->stamps;
    x->item[x->items++] = item;
}

/* The ways from place `first` on are those from one event. */
void pl_trust_end_ways(struct pl_trust *x, uint32_t first)
{
    if (x->probing && x->items > first && x->forks < PL_GRAPH_EVENTS)
        x->fork[x->forks++] = first;
}

/* How old a value the event may have to do with (graph.h). */
int pl_trust_lowest(struct pl_trust *x, struct pl_node *e)
{
    if (x->pulse)
        ++*x->pulse;
    int least = pl_graph_lowest(x->g, x->model, e);
    int twins = x->twins ? pl_trust_twin_place(x, e) : -1;
    return twins > least ? twins : least;
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
            pl_trust_drop_stations(x, UINT32_MAX);
            continue;
        }
        struct item way = x->item[--x->items];
        if (pl_trust_take(x, &way))
            return true;
    }
    return false;
}

static bool next_run(struct pl_trust *x, bool complete)
{
    x->learnt = true; /* if anything was: the first run is over */
    if (x->probing) {
        pl_trust_walk_on(x, complete);
        return !x->failure;
    }
    if (x->sample) {
        pl_sample_end(x->sample, x->g->events);
        pl_graph_clear(x->g);
        return !x->failure;
    }
    if (x->confirming)
        return pl_turns_confirm(x);
    return x->turning ? pl_turns_next_run(x) : pl_trust_next_run(x);
}

/* ---- runs ---- */

void pl_trust_sample(struct pl_trust *x, struct pl_sample *sample)
{
    x->sample = sample;
}

void pl_trust_forget_runs(struct pl_trust *x)
{
    x->depth = x->items = x->given[0] = 0;
    x->stations = 0;
    x->g = x->frame[0];
    x->counts = (struct pl_trust_counts){0};
    if (x->seen)
        pl_once_clear(x->seen);
    pl_graph_clear(x->g);
}

void pl_trust_restart(struct pl_trust *x, const struct pl_model *model)
{
    x->model = model ? model : x->model;
    pl_trust_forget_runs(x);
    x->failure = NULL;
    x->learnt = false;
    x->readers = 0;
    x->estimate = (struct pl_trust_estimate){0};
    memset(x->passing, 0, sizeof x->passing);
    x->weight = 1;
    x->forks = 0;
    pl_facts_begin_again(x->facts, x->mistaken);
    x->mistaken = false;
    x->helping.relied = 0;
    pl_trust_forget_left_out(x);
    x->twins = x->astray = false;
    memset(x->twin, 0, sizeof x->twin);
    x->is_twin = 0;
    if (x->bounded && !x->uncut)
        pl_turns_restart(x);
}

void pl_trust_begin(struct pl_trust *x)
{
    x->at = 0;
    x->current = 0;
    x->intends = 0;
    memset(x->made, 0, sizeof x->made);
    memset(x->heads, 0, sizeof x->heads);
    x->looped = x->over = x->fruitful = false;
    x->within = x->open = 0;
    x->asked = x->repeated = false;
    x->decided = 0;
    x->counts.runs++;
}

bool pl_trust_end(struct pl_trust *x, bool complete)
{
    if (x->over || x->open) /* a thread that failed does not come to its compare-exchange */
        return pl_trust_give_up(x);
    if (!x->failure && x->at < x->g->events)
        pl_trust_fail(x, "the program does not repeat itself: it ended earlier than before");
    bool again = complete && pl_trust_was_there(x);
    if (complete && (!again || x->confirming) && !pl_trust_is_beyond(x))
        x->counts.executions += !again;
    else if (!complete && !x->confirming)
        x->counts.blocked++;
    if (complete && x->seen && !x->repeated && !x->sample && !x->probing && !x->failure &&
        !pl_once_add(x->seen, pl_graph_hash(x->g)))
        pl_trust_fail(x,
                      "an execution was explored twice: an error in Plumbline, please report it");
    return next_run(x, complete);
}

bool pl_trust_give_up(struct pl_trust *x)
{
    x->counts.blocked += !x->spent && !x->confirming && !x->fruitful;
    return next_run(x, false);
}

/* Who moves next, as the script says; false: it does not, or the thread cannot. */
__attribute__((noinline, cold)) static bool follows_script(struct pl_trust *x, uint64_t enabled)
{
    struct step s;
    if (x->at < x->g->events || !pl_trust_script_next(x, &s))
        return false;
    unsigned t = s.thread & THREAD;
    x->yields = (s.thread & (IS_KNOWN | PREEMPTS)) == IS_KNOWN;
    if (t >= 64 || !(enabled >> t & 1))
        return false;
    x->current = t;
    return true;
}

unsigned pl_trust_next(struct pl_trust *x, uint64_t enabled)
{
    if (x->script && follows_script(x, enabled))
        return x->current;
    if (x->at < x->g->events) {
        unsigned t = x->g->order[x->at].thread;
        if (enabled >> t & 1)
            return x->current = t;
        pl_trust_fail(
            x, "the program does not repeat itself: a thread is blocked that was not before");
    }
    if (x->sample && !x->script)
        return x->current = pl_sample_pick(x->sample, x->g, x->at, enabled);
    if (x->turning)
        return x->current = pl_turns_next(x, enabled);
    if (enabled & x->within) /* P4 of pairs.c */
        return x->current = (unsigned)__builtin_ctzll(enabled & x->within);
    uint64_t others = enabled & ~pl_trust_must_wait(x, enabled);
    enabled =
        others ? others : enabled; /* who waits before a read, or comes to wait there likewise */
    others = x->readers ? enabled & ~pl_trust_only_read(x, enabled) : 0;
    enabled = others ? others : enabled;
    /* Not who was asked last: it may have found that it has to wait, which no event shows. */
    x->current = x->g->events ? x->g->order[x->g->events - 1].thread : 0;
    if (!(enabled >> x->current & 1))
        x->current = (unsigned)__builtin_ctzll(enabled);
    return x->current;
}

/* ---- what the target asks about a run ---- */

unsigned pl_trust_made(const struct pl_trust *x, unsigned thread)
{
    return x->made[thread];
}

bool pl_trust_goes_on(const struct pl_trust *x, unsigned thread)
{
    if (x->script && thread < PL_GRAPH_THREADS && x->made[thread] < x->scripted[thread])
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

struct pl_ref pl_trust_overwriter(const struct pl_trust *x, uint32_t location, struct pl_ref write)
{
    const struct pl_location *l = &x->g->location[location - 1];
    uint32_t place = pl_is_init(write) ? 0 : (uint32_t)pl_at(x->g, write)->place + 1;
    for (uint32_t i = place; i < l->writes; i++)
        if (l->co[i].index < x->made[l->co[i].thread])
            return l->co[i];
    return PL_INIT;
}

bool pl_trust_is_stale(const struct pl_trust *x, uint32_t location, struct pl_ref write)
{
    return !pl_is_init(pl_trust_overwriter(x, location, write));
}

bool pl_trust_is_latest(const struct pl_trust *x, unsigned thread)
{
    const struct pl_node *n = pl_trust_last(x, thread);
    return !pl_trust_is_stale(x, n->location, n->self);
}
