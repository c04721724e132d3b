/*
 * A queue whose take may answer "empty" though the queue is not: the place of the next value to
 * take is fetched and added to before it is known that there is a value. Two takes on a queue of
 * one value: the second has skipped a cell, and the value put there later is never found.
 */
#include <plumb.h>
#include <stdatomic.h>

enum { ROOM = 24 };

static _Atomic int cell[ROOM]; /* 0: none */
static atomic_int head, tail;

static plumb_result enq(plumb_args a)
{
    atomic_store(&cell[atomic_fetch_add(&tail, 1)], (int)a.i[0]);
    return plumb_ok();
}

static plumb_result deq(plumb_args a)
{
    (void)a;
    if (atomic_load(&head) >= atomic_load(&tail))
        return plumb_empty();
    int value = atomic_exchange(&cell[atomic_fetch_add(&head, 1)], 0);
    return value ? plumb_int(value) : plumb_empty();
}

PLUMB_SUBJECT("null-queue", .spec = "fifo");
PLUMB_OP(enq, .ints = {1, 2, 3, 4}, .data_independent = 1);
PLUMB_OP(deq);
PLUMB_FACTOR(deq = 2, enq = 0)
