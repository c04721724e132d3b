/*
 * A sum whose add(1) answers wrongly if all the other adds of a crowd came between its look and its
 * change, and add(4) was the first of them: seven calls at once, few orders of which show it, and
 * those are not among the first that are explored.
 */
#include <plumb.h>
#include <stdatomic.h>

enum { OTHERS = 2 + 3 + 4 + 5 + 6 + 7 };

static atomic_int sum;
static int first;

static plumb_result add(plumb_args a)
{
    int before = a.i[0] == 1 ? atomic_load(&sum) : -1;
    int old = atomic_fetch_add(&sum, (int)a.i[0]);
    if (old == 0)
        first = (int)a.i[0];
    return plumb_int(before == 0 && old == OTHERS && first == 4 ? 0 : old);
}

PLUMB_SUBJECT("crowd", .spec = "counter");
PLUMB_OP(add, .ints = {1, 2, 3, 4, 5, 6, 7});
