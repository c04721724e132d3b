/*
 * The bounded k-FIFO queue (Kirsch, Lippautz, Payer): a ring of segments of K+1 slots. A put takes
 * any free slot of the segment at the tail, a take any value of the segment at the head; a segment
 * that is full is left behind by the tail, one that is empty by the head. Segments are numbered for
 * ever, their slots are those of the number modulo SEGMENTS; a slot has a version, so that one that
 * was used again is not taken for what it was.
 *
 * A take that finds head and tail in one segment first moves the tail on: into a segment from which
 * was taken nothing more is put. So what is in one segment comes out in any order, K+1 values at
 * most, and segments one after the other: K-quasi linearizable.
 *
 * A put whose segment is left behind meanwhile has to find out whether its value counts
 * (`committed`): behind the head it takes it out again, unless somebody has it already; in the head
 * segment it renews the head's version, so that whoever found the segment empty before does not
 * leave it. With -DUNCOMMITTED it believes that all is well (as wrong/quasi_k_fifo.c).
 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef K
#define K 2 /* the factor; 0: an exact queue */
#endif

enum { SLOTS = K + 1, SEGMENTS = 12 / SLOTS };

#define VERSION ((uint64_t)1 << 32) /* above the value, or the number of the segment */
#define LOW(x)  ((uint32_t)(x))

static _Atomic uint64_t slot[SEGMENTS][SLOTS]; /* 0 below the version: free */
static _Atomic uint64_t head;                  /* version and number */
static _Atomic uint32_t tail;

/* A slot of the segment that is free, the first; or any that is not. -1: there is none. */
static int find(uint32_t segment, bool taken, uint64_t *was)
{
    uint64_t seen[SLOTS];
    int count = 0, at[SLOTS];
    for (int i = 0; i < SLOTS; i++) {
        seen[i] = atomic_load(&slot[segment % SEGMENTS][i]);
        if ((LOW(seen[i]) != 0) == taken)
            at[count++] = i;
    }
    if (!count)
        return -1;
    int chosen = at[taken && count > 1 ? plumb_choose(count) : 0];
    *was = seen[chosen];
    return chosen;
}

static void advance_head(uint64_t from)
{
    atomic_compare_exchange_strong(&head, &from, (from & ~(uint64_t)UINT32_MAX) + LOW(from + 1));
}

static bool committed(uint32_t segment, int at, uint64_t mine)
{
#ifdef UNCOMMITTED
    (void)segment, (void)at, (void)mine;
    return true;
#else
    _Atomic uint64_t *my_slot = &slot[segment % SEGMENTS][at];
    uint64_t now = atomic_load(&head), expected = mine, free = (mine / VERSION + 1) * VERSION;
    if (atomic_load(my_slot) != mine) /* taken */
        return true;
    if (segment > LOW(now))
        return true;
    if (segment == LOW(now) && atomic_compare_exchange_strong(&head, &now, now + VERSION))
        return true;
    return !atomic_compare_exchange_strong(my_slot, &expected, free);
#endif
}

static plumb_result enq(plumb_args a)
{
    for (;;) {
        uint32_t last = atomic_load(&tail);
        uint64_t first = atomic_load(&head), was;
        int at = find(last, false, &was);
        if (last != atomic_load(&tail))
            continue;
        if (at >= 0) {
            uint64_t mine = (was / VERSION + 1) * VERSION + (uint32_t)a.i[0];
            if (atomic_compare_exchange_strong(&slot[last % SEGMENTS][at], &was, mine) &&
                committed(last, at, mine))
                return plumb_ok();
            continue;
        }
        if (last + 1 - LOW(first) == SEGMENTS) { /* the next segment is the head's */
            if (find(LOW(first), true, &was) >= 0 && first == atomic_load(&head))
                return plumb_bool(false);
            advance_head(first);
        }
        atomic_compare_exchange_strong(&tail, &last, last + 1);
    }
}

static plumb_result deq(plumb_args a)
{
    (void)a;
    for (;;) {
        uint64_t first = atomic_load(&head), was;
        int at = find(LOW(first), true, &was);
        uint32_t last = atomic_load(&tail);
        if (first != atomic_load(&head))
            continue;
        if (at >= 0) {
            if (LOW(first) == last)
                atomic_compare_exchange_strong(&tail, &last, last + 1);
            uint64_t free = (was / VERSION + 1) * VERSION;
            if (atomic_compare_exchange_strong(&slot[LOW(first) % SEGMENTS][at], &was, free))
                return plumb_int(LOW(was));
        } else if (LOW(first) == last && last == atomic_load(&tail)) {
            return plumb_empty();
        } else {
            advance_head(first);
        }
    }
}

PLUMB_SUBJECT("bounded-k-fifo", .spec = "fifo");
PLUMB_OP(enq, .ints = {1, 2, 3, 4, 5, 6, 7}, .data_independent = 1);
PLUMB_OP(deq);
PLUMB_FACTOR(deq = 2, enq = 0)
