/* Counter1 of Line-Up's section 2: inc takes no lock. (Atomic accesses, so that it is no data
 * race, which would be reported first.) */
#include <stdatomic.h>

static _Atomic int count;

static void inc(void)
{
    atomic_store(&count, atomic_load(&count) + 1);
}

static int get(void)
{
    return atomic_load(&count);
}
