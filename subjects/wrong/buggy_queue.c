/*
 * The bounded queue of Shann, Huang and Chen over an array. A cell is a value and a count of its
 * changes, exchanged as one; front and rear only ever go up and anybody moves them along. The
 * error: a dequeue reads front and the cell, and then looks whether the queue is empty. The cell
 * may have been empty when it was read and the queue not when it was looked at: the dequeue takes
 * the cell for one that another dequeue has emptied, and moves front past the value in it.
 *
 * Both operations wait, for room or for a value. (The story is in du Toit's thesis, where it is
 * BuggyQueue.)
 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef NOTHING_THERE
#define NOTHING_THERE continue
#endif

enum { ROOM = 4, EMPTY = 0 };

struct cell {
    int value, count;
};

static _Atomic(struct cell) cell[ROOM];
static atomic_int front, rear;

static bool change(_Atomic(struct cell) *c, struct cell from, int value)
{
    return atomic_compare_exchange_strong(c, &from, ((struct cell){value, from.count + 1}));
}

static void move_along(atomic_int *end, int from)
{
    atomic_compare_exchange_strong(end, &from, from + 1);
}

static void enq(int value)
{
    for (;;) {
        int r = atomic_load(&rear);
        struct cell c = atomic_load(&cell[r % ROOM]);
        if (r != atomic_load(&rear) || r == atomic_load(&front) + ROOM)
            continue;
        bool mine = c.value == EMPTY && change(&cell[r % ROOM], c, value);
        PLUMB_POINT_IF(mine);
        if (mine || c.value != EMPTY)
            move_along(&rear, r);
        if (mine)
            return;
    }
}

static int deq(void)
{
    for (;;) {
        int f = atomic_load(&front);
        struct cell c = atomic_load(&cell[f % ROOM]);
        if (f != atomic_load(&front))
            continue;
        if (f == atomic_load(&rear))
            NOTHING_THERE;
        bool mine = c.value != EMPTY && change(&cell[f % ROOM], c, EMPTY);
        PLUMB_POINT_IF(mine);
        if (mine || c.value == EMPTY)
            move_along(&front, f);
        if (mine)
            return c.value;
    }
}

PLUMB_CALL(enq(8))
PLUMB_CALL(enq(9))
PLUMB_CALL(deq())
PLUMB_DATA_INDEPENDENT(enq)
