/* Races with rounds that are left out: what the runtime sees of them. The argument is in
 * explore/left_out.c. */
#ifndef PL_RUNTIME_LEFT_OUT_H
#define PL_RUNTIME_LEFT_OUT_H

#include "explore/trust.h"
#include "runtime/shadow.h"

static inline uint64_t pl_out_name(const struct pl_cell *c)
{
    uint64_t first = (uint64_t)pl_cell_of(PL_HEAP), bytes = (PL_HEAP_END - PL_HEAP) * sizeof *c / 8;
    return (uint64_t)c | ((uint64_t)c - first < bytes ? PL_TRUST_HEAP : 0);
}

/* Threads may be renamed, so that a mark is not where it seems. */
extern bool pl_out_renames;
/* The running thread reads plainly. */
void pl_out_read_slow(const struct pl_cell *c);
static inline void pl_out_read(const struct pl_cell *c)
{
    uint32_t mark = pl_trust_mark(pl_out_name(c), rt.self->id);
    if (pl_unlikely(pl_out_renames || !(rt.wire->passing.mark[mark] & PL_TRUST_READS)))
        pl_out_read_slow(c);
}

/* A round of the running thread is left out, since it had made so many events. In such a round it
 * accesses that memory atomically, or would have; it has written it plainly. */
void pl_out_round(unsigned since);
void pl_out_touches(uint64_t address, bool write);
void pl_out_stores(uint64_t address);
/* The running thread, which knows more than happens before (pl_thread.loose), accesses the granule
 * plainly, or frees it; has made this event. */
void pl_out_plain(const struct pl_cell *c, uint64_t address, bool write);
void pl_out_atomic(const struct pl_node *n);

#endif
