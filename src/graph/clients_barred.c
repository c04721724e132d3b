/*
 * Which edges of clients coherence bars: C2 of clients.h. Of each event the calls that happen
 * before it and the returns it happens before are one word, operations in two halves:
 *
 *     63            32 31             0
 *     │ 0 │  returns  │ 0 │   calls   │
 *
 * These words are joined for each value, of what wrote it and of its readers, and then a location
 * is gone through by its coherence order:
 *
 *     co:        initial ──▶ w ──▶ w'           a call before something at a place (w, or r) bars
 *     readers:     r          r'                the returns after something at a later one (w', r')
 *
 * B1  Between two projections `ends`, `written` and `initial` are 0: what is noted there is taken
 *     away when it is read, so that nothing has to be cleared. Of `ends` that is at the events of
 *     the thread and behind the last, and no view has more; every write stands in some co.
 */
#include <string.h>

#include "graph/clients_internal.h"

#define work pl_clients_work

/* ends[v][t]: the returns that happen after so many events of the thread, and no more. */
static uint64_t ends[PL_GRAPH_LENGTH + 1][PL_GRAPH_THREADS];

/* What is around those that have to do with a value: by the event that wrote it, by location. */
static uint64_t written[PL_GRAPH_THREADS][PL_GRAPH_LENGTH];
static uint64_t initial[PL_GRAPH_LOCATIONS];

static void note_return(unsigned i, const struct pl_graph_thread *thread)
{
    static const uint16_t nothing[PL_GRAPH_THREADS];
    const unsigned threads = work.g->threads;
    uint16_t joined[PL_GRAPH_THREADS];
    const uint16_t *view = nothing;
    const uint64_t bit = (uint64_t)1 << (32 + i);
    if (work.call[i].ret) {
        const struct pl_node *last = &thread->node[work.call[i].ret - 1],
                             *unlock = pl_clients_unlock(last);
        view = last->hb;
        if (unlock && !(last->flags & PL_GRAPH_F_QUIET)) {
            memcpy(joined, last->hb, sizeof joined);
            pl_view_join(joined, unlock->hb);
            view = joined;
        }
    }
    for (unsigned t = 0; t < threads; t++)
        ends[view[t]][t] |= bit;
}

static inline uint64_t take(uint64_t *word)
{
    uint64_t points = *word;
    *word = 0; /* B1 */
    return points;
}

/* The calls whose first event after them is in the view. */
static inline uint64_t called_in(const uint16_t *view, unsigned first, unsigned end)
{
    uint64_t calls = 0;
    for (unsigned t = first; t < end; t++)
        calls |= work.called[view[t]][t];
    return calls;
}

/* So many events of a thread that makes no calls happen before all calls. They bar nothing: what
 * has calls before it comes after them in happens-before, and is not older. */
static uint32_t before_all(unsigned t)
{
    uint32_t least = work.of[t] ? 0 : PL_GRAPH_LENGTH;
    for (unsigned k = work.first; k < work.end && least; k++) {
        if (!work.of[k])
            continue;
        bool begun = work.index[__builtin_ctzll(work.of[k])] > 0; /* before its first call */
        uint32_t before = begun ? work.g->thread[k].node->hb[t] : 0;
        least = before < least ? before : least;
    }
    return least;
}

/* The word of each access of the thread, to the value it has to do with. What happens before an
 * access is what does before the last one, and its own thread's, unless its thread has gained more.
 * Every return is after the beginning of the thread, if only of nothing, and ends once. */
static void add_thread(unsigned t, uint64_t around)
{
    static const uint32_t none;
    _Static_assert(PL_GRAPH_READ == 0 && PL_GRAPH_WRITE == 1, "accesses come first");
    const unsigned first = work.first, end = work.end;
    const bool active = t >= first && t < end;
    const struct pl_graph_thread *thread = &work.g->thread[t];
    const uint32_t from = before_all(t); /* and no return is after fewer of them */
    const struct pl_node *n = thread->node + from, *last = thread->node + thread->count;
    const uint32_t *own = active ? &work.called[1 + from][t] : &none;
    const size_t each = active ? PL_GRAPH_THREADS : 0;
    uint64_t *ending = &ends[from][t];
    bool gained = false;
    for (; n < last; n++, own += each, ending += PL_GRAPH_THREADS) {
        around ^= take(ending);
        gained |= n->gained;
        if (n->kind > PL_GRAPH_WRITE)
            continue;
        around |= *own;
        if (gained)
            around |= called_in(n->hb, first, end);
        gained = false;
        struct pl_ref value = n->self;
        if (n->kind == PL_GRAPH_READ) {
            value = n->rf;
            if (pl_is_init(value)) {
                initial[n->location - 1] |= around;
                continue;
            }
        }
        written[value.thread][value.index] |= around;
    }
    *ending = 0;
}

/* From the calls that happen before something at a place, the returns are barred that something
 * newer happens before: most of them by the oldest such place. */
static void bar_at(const struct pl_location *l, uint64_t *first, uint32_t left, uint32_t *barred)
{
    static uint32_t at[PL_GRAPH_LENGTH + 1], newer[PL_GRAPH_LENGTH + 1];
    const uint32_t writes = l->writes;
    uint32_t returns = 0;
    for (uint32_t k = writes; k > 0; k--) {
        uint64_t around = take(&written[l->co[k - 1].thread][l->co[k - 1].index]);
        at[k] = (uint32_t)around;
        newer[k] = returns;
        returns |= (uint32_t)(around >> 32);
    }
    at[0] = (uint32_t)take(first);
    newer[0] = returns;
    for (uint32_t k = 0; k < writes && left && newer[k]; k++) {
        uint32_t calls = at[k] & left;
        left &= ~calls;
        for (; calls; calls &= calls - 1)
            barred[__builtin_ctz(calls)] |= newer[k];
    }
}

void pl_clients_find_barred(uint32_t *barred)
{
    const struct pl_graph *g = work.g;
    uint64_t returns = 0;
    uint32_t calls = 0;
    for (unsigned i = 0; i < work.calls; i++) {
        calls |= (uint32_t)work.call[i].called << i;
        barred[i] = 0;
        if (work.call[i].returned) {
            returns |= (uint64_t)1 << (32 + i);
            note_return(i, &g->thread[work.call[i].thread]);
        }
    }
    for (unsigned t = 0; t < g->threads; t++)
        add_thread(t, returns);
    for (uint32_t k = 0; k < g->locations; k++)
        if (g->location[k].uses)
            bar_at(&g->location[k], &initial[k], calls, barred);
}
