/*
 * Races with rounds that are left out: what the runtime sees of them. The argument is in
 * explore/left_out.c.
 *
 * A round is also left out when its graph is given up, because nothing can come of it
 * (pl_round_is_hopeless()): whatever others would still have done in it they do in another, but
 * there the round is not. So it is not given up if the round is a risk: if it has accessed memory
 * that others access so that it could race. What those do is noted by granule, and when something
 * is seen that makes a round a risk that was given up, the search begins again.
 */
#ifndef PL_RUNTIME_LEFT_OUT_H
#define PL_RUNTIME_LEFT_OUT_H

#include "explore/trust.h"
#include "runtime/model.h"
#include "runtime/shadow.h"

/*
 * Memory has names by halves of granules, for a lock of four bytes often stands beside what it
 * guards: of the heap the arena, and where there (heap.c), else the cell; and a bit for the half.
 */
enum { PL_OUT_HALF = 2 };
static inline uint64_t pl_out_name_of(const struct pl_cell *c)
{
    uint64_t offset = (uint64_t)c - (uint64_t)pl_cell_of(PL_HEAP);
    const uint64_t arena = (uint64_t)PL_ARENA_BYTES / 8 * sizeof *c;
    if (offset >= (PL_HEAP_END - PL_HEAP) / 8 * sizeof *c)
        return (uint64_t)c;
    uint64_t index = offset / arena;
    offset = offset % arena - index * PL_ARENA_SKEW / 8 * sizeof *c;
    return PL_TRUST_IN_ARENA(index, offset);
}
/* The bytes of the access in the granule where it begins; 0: an object, of any size. */
static inline uint8_t pl_out_mask(uint64_t address, unsigned size)
{
    unsigned bytes = size && size < 8 ? (1u << size) - 1 : 0xffu;
    return (uint8_t)(bytes << (address & 7));
}

/* Threads may be renamed, so that a mark is not where it seems. */
extern bool pl_out_renames;

/* What threads have done to a half, in any execution, is a fact; several may share one. */
/* Both halves of the granule of this name, one after the other. */
static inline struct pl_fact_half *pl_out_halves(uint64_t name)
{
    if (pl_out_renames)
        name = pl_trust_of_any(name);
    return &pl_facts.half[(name * 0x9e3779b97f4a7c15u) >> 50 & ~(uint64_t)1];
}
/* Those of the threads that are others than the running one, as far as that can be told. */
static inline uint32_t pl_out_others(uint32_t threads)
{
    return pl_out_renames ? threads : threads & ~((uint32_t)1 << (rt.self->id & 31));
}

/* The running thread reads plainly. */
void pl_out_read_slow(uint64_t name, struct pl_fact_half *g);
static inline void pl_out_read_half(uint64_t name, struct pl_fact_half *g)
{
    uint32_t mark = pl_trust_mark(name, rt.self->id);
    if (pl_unlikely(pl_out_renames || !(rt.wire->passing.mark[mark] & PL_TRUST_READS) ||
                    !(g->reads >> (rt.self->id & 31) & 1) || pl_out_others(g->stores | g->updates)))
        pl_out_read_slow(name, g);
}
static inline void pl_out_read(const struct pl_cell *c, uint8_t mask)
{
    uint64_t name = pl_out_name_of(c);
    struct pl_fact_half *g = pl_out_halves(name);
    if (mask & 0xf)
        pl_out_read_half(name, &g[0]);
    if (mask & 0xf0)
        pl_out_read_half(name | PL_OUT_HALF, &g[1]);
}

/* It writes plainly (fresh: the first to do so since malloc), or frees. */
void pl_out_store_slow(struct pl_fact_half *g, uint64_t address);
static inline void pl_out_store(const struct pl_cell *c, uint8_t mask, uint64_t address, bool fresh)
{
    struct pl_fact_half *g = pl_out_halves(pl_out_name_of(c));
    uint32_t had = (mask & 0xf ? g[0].stores : ~0u) & (mask & 0xf0 ? g[1].stores : ~0u);
    if (pl_likely(had >> (rt.self->id & 31) & 1) || fresh || rt.nthreads <= 1)
        return;
    if (mask & 0xf)
        pl_out_store_slow(&g[0], address);
    if (mask & 0xf0)
        pl_out_store_slow(&g[1], address);
}

/* It has made this event. */
void pl_out_update_slow(struct pl_fact_half *g);
static inline void pl_out_update(uint64_t address, unsigned size)
{
    if (pl_unlikely(size > 8))
        pl_out_update(address + 8, size - 8);
    struct pl_fact_half *g = pl_out_halves(pl_out_name_of(pl_cell_of(address)));
    const bool low = !(address & 4), high = !low || size > 4;
    uint32_t had = (low ? g[0].updates : ~0u) & (high ? g[1].updates : ~0u);
    if (pl_likely(had >> (rt.self->id & 31) & 1))
        return;
    if (low)
        pl_out_update_slow(&g[0]);
    if (high)
        pl_out_update_slow(&g[1]);
}

/* Has the running thread accessed memory atomically since then that others write plainly? Those who
 * do so from now on find that it has; then there are no pairs any more (explore/pairs.c). */
bool pl_out_may_race(unsigned since);

/* A graph is to be given up for the round of the running thread since then: is that a risk? */
bool pl_out_is_risk(unsigned since);

/* A round of the running thread is left out, since it had made so many events. In such a round it
 * accesses that memory atomically, or would have; it has written it plainly. */
void pl_out_round(unsigned since);
void pl_out_inner(unsigned place, unsigned since); /* in one that began at that place */
void pl_out_touches(unsigned since, uint64_t address, unsigned size, bool write);
void pl_out_stores(unsigned since, uint64_t address); /* that byte, and those beside it */
/* The running thread, which knows more than happens before (pl_thread.loose), accesses the bytes of
 * the granule plainly, or frees them; has made this event. */
void pl_out_plain(const struct pl_cell *c, uint8_t mask, uint64_t address, bool write);
void pl_out_atomic(const struct pl_node *n);

#endif
