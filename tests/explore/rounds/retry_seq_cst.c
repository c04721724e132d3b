/* The load before the loop is seq_cst, a failed compare-exchange only acquires. The word is
 * changed once, and who has read the change with acquire may still miss z = 1; who has read it
 * with seq_cst may not. */
// outcomes: sc=0,1,2,3,4,5,7 tso=0,1,2,3,4,5,7 rc11=0,1,2,3,4,5,6,7
#include "rounds.h"

static atomic_int y, z;
static int seen;

static void *change(void *unused)
{
    atomic_store(&y, 1);
    return unused;
}

static void *look(void *unused)
{
    atomic_store(&z, 1);
    seen = atomic_load(&y);
    return unused;
}

int main(void)
{
    pthread_t a = start(change, 0), b = start(look, 0);
    int old = atomic_load(&y);
    while (!atomic_compare_exchange_strong_explicit(&y, &old, old, memory_order_acq_rel,
                                                    memory_order_acquire))
        ;
    int late = atomic_load(&z);
    finish(a);
    finish(b);
    outcome(old * 4 + (seen == 0) * 2 + late);
    return 0;
}
