/*
 * A sum whose add(1) answers wrongly if all the other adds of a crowd came between its look and its
 * change; and each of the seven makes steps that have nothing to do with it, so that drawing
 * executions shows the fault at once and exploring them in turn does not in a lifetime.
 */
#include <plumb.h>
#include <stdatomic.h>

enum { OTHERS = 2 + 3 + 4 + 5 + 6 + 7, STEPS = 6 };

static atomic_int sum, steps;

static plumb_result add(plumb_args a)
{
    int before = atomic_load(&sum);
    for (int i = 0; i < STEPS; i++)
        atomic_fetch_add(&steps, 1);
    int old = atomic_fetch_add(&sum, (int)a.i[0]);
#ifdef RIGHT
    before = -1;
#endif
    return plumb_int(a.i[0] == 1 && before == 0 && old >= OTHERS ? 0 : old);
}

PLUMB_SUBJECT("noisy", .spec = "counter");
PLUMB_OP(add, .ints = {1, 2, 3, 4, 5, 6, 7});
