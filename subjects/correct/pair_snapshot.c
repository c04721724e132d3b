/*
 * A few cells that are written one at a time, two of which can be read together. A cell is a value
 * and its version, written as one word. The reader reads the first cell, the second, and the first
 * again: if its version is the same, the two values were there together when the second was read.
 * All is seq_cst: of two threads that write a cell each and then read both, one sees both.
 */
#include <plumb.h>
#include <stdatomic.h>

enum { CELLS = 4, NONE = 0 };
enum answer { NO = 0, YES = 1 }; /* both cells have been written */

#ifndef CHANGED
#define CHANGED continue
#endif

static _Atomic unsigned long cell[CELLS]; /* version above, value below */

static unsigned value_of(unsigned long c)
{
    return (unsigned)(c & 0xffffffff);
}

static void write_cell(int i, unsigned value)
{
    unsigned long old = atomic_load(&cell[i]), new;
    do
        new = ((old >> 32) + 1) << 32 | value;
    while (!atomic_compare_exchange_weak(&cell[i], &old, new));
    PLUMB_POINT();
}

static enum answer read_pair(int i, int j, unsigned *left, unsigned *right)
{
    for (;;) {
        unsigned long first = atomic_load(&cell[i]);
        unsigned long second = atomic_load(&cell[j]);
        if (first != atomic_load(&cell[i]))
            CHANGED;
        *left = value_of(first);
        *right = value_of(second);
        return *left != NONE && *right != NONE ? YES : NO;
    }
}

/* Whether both are there, without the values. */
static enum answer has_pair(int i, int j)
{
    unsigned left, right;
    return read_pair(i, j, &left, &right);
}

PLUMB_CALL(write_cell(1, 101))
PLUMB_CALL(write_cell(3, 201))
PLUMB_CALL(write_cell(1, 301))
PLUMB_CALL(has_pair(1, 3))
