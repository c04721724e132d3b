/*
 * The unbounded k-FIFO queue (Kirsch, Lippautz, Payer): the bounded one's segments
 * (quasi_k_fifo_bounded.c) in a list that grows at the tail as Michael and Scott's queue does.
 * Whoever leaves a segment behind with the head marks it first: a put into a marked segment
 * takes its value out again, unless somebody has it already.
 *
 * The head's version is in the low bits of its address. Segments are not freed.
 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef K
#define K 2 /* the factor; 0: an exact queue */
#endif

enum { SLOTS = K + 1, ALIGNED = 64 };

#define VERSION ((uint64_t)1 << 32) /* of a slot, above its value */

struct segment {
    _Atomic uint64_t slot[SLOTS]; /* 0 below the version: free */
    atomic_int deleted;
    _Atomic(struct segment *) next;
};

static _Atomic uintptr_t head; /* address and version */
static _Atomic(struct segment *) tail;

static struct segment *segment_new(void)
{
    struct segment *s = aligned_alloc(ALIGNED, ALIGNED);
    for (int i = 0; i < SLOTS; i++)
        atomic_init(&s->slot[i], 0);
    atomic_init(&s->deleted, 0);
    atomic_init(&s->next, NULL);
    return s;
}

static void setup(void)
{
    struct segment *s = segment_new();
    atomic_init(&head, (uintptr_t)s);
    atomic_init(&tail, s);
}

static struct segment *address(uintptr_t word)
{
    return (struct segment *)(word & ~(uintptr_t)(ALIGNED - 1));
}

/* A slot that is free, the first; or any that is not. -1: there is none. */
static int find(struct segment *s, bool taken, uint64_t *was)
{
    uint64_t seen[SLOTS];
    int count = 0, at[SLOTS];
    for (int i = 0; i < SLOTS; i++) {
        seen[i] = atomic_load(&s->slot[i]);
        if (((uint32_t)seen[i] != 0) == taken)
            at[count++] = i;
    }
    if (!count)
        return -1;
    int chosen = at[taken && count > 1 ? plumb_choose(count) : 0];
    *was = seen[chosen];
    return chosen;
}

static void advance_tail(struct segment *from)
{
    struct segment *next = atomic_load(&from->next);
    if (!next) {
        struct segment *made = segment_new();
        if (atomic_compare_exchange_strong(&from->next, &next, made))
            next = made;
        else
            free(made);
    }
    atomic_compare_exchange_strong(&tail, &from, next);
}

static void advance_head(uintptr_t from)
{
    struct segment *s = address(from);
    atomic_store(&s->deleted, 1);
    atomic_compare_exchange_strong(&head, &from, (uintptr_t)atomic_load(&s->next));
}

static bool committed(struct segment *s, int at, uint64_t mine)
{
#ifdef UNCOMMITTED
    (void)s, (void)at, (void)mine;
    return true;
#else
    uintptr_t now = atomic_load(&head), newer;
    uint64_t expected = mine;
    if (atomic_load(&s->slot[at]) != mine) /* taken */
        return true;
    if (!atomic_load(&s->deleted)) {
        if (address(now) != s && !atomic_load(&s->deleted)) /* before the head: not marked yet */
            return true;
        newer = (uintptr_t)address(now) | ((now + 1) & (ALIGNED - 1));
        if (address(now) == s && atomic_compare_exchange_strong(&head, &now, newer))
            return true;
    }
    return !atomic_compare_exchange_strong(&s->slot[at], &expected, (mine / VERSION + 1) * VERSION);
#endif
}

static plumb_result enq(plumb_args a)
{
    for (;;) {
        struct segment *last = atomic_load(&tail);
        uint64_t was;
        int at = find(last, false, &was);
        if (last != atomic_load(&tail))
            continue;
        if (at < 0) {
            advance_tail(last);
            continue;
        }
        uint64_t mine = (was / VERSION + 1) * VERSION + (uint32_t)a.i[0];
        if (atomic_compare_exchange_strong(&last->slot[at], &was, mine) &&
            committed(last, at, mine))
            return plumb_ok();
    }
}

static plumb_result deq(plumb_args a)
{
    (void)a;
    for (;;) {
        uintptr_t first = atomic_load(&head);
        uint64_t was;
        int at = find(address(first), true, &was);
        struct segment *last = atomic_load(&tail);
        if (first != atomic_load(&head))
            continue;
        if (at >= 0) {
            if (address(first) == last)
                advance_tail(last);
            if (atomic_compare_exchange_strong(&address(first)->slot[at], &was,
                                               (was / VERSION + 1) * VERSION))
                return plumb_int((uint32_t)was);
        } else if (address(first) == last && last == atomic_load(&tail)) {
            return plumb_empty();
        } else {
            advance_head(first);
        }
    }
}

PLUMB_SUBJECT("k-fifo", .setup = setup, .spec = "fifo");
PLUMB_OP(enq, .ints = {1, 2, 3, 4, 5, 6, 7}, .data_independent = 1);
PLUMB_OP(deq);
PLUMB_FACTOR(deq = 2, enq = 0)
