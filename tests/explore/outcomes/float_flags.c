/* What arithmetic has left in one thread is not seen by another, nor by the next execution. */
// link: -lm
#include <fenv.h>

#include "outcome.h"

static volatile double one = 1, zero = 0;
static atomic_int order, last, seen;

static void *divider(void *unused)
{
    volatile double result = one / zero;
    (void)result;
    atomic_store(&last, atomic_fetch_add(&order, 1));
    atomic_fetch_add(&seen, fetestexcept(FE_DIVBYZERO) ? 1 : 0);
    return unused;
}

static void *looker(void *unused)
{
    atomic_fetch_add(&order, 1);
    atomic_fetch_add(&seen, fetestexcept(FE_DIVBYZERO) ? 2 : 0);
    return unused;
}

int main(void)
{
    int before = fetestexcept(FE_DIVBYZERO) ? 8 : 0;
    pthread_t a = start(divider, 0), b = start(looker, 0);
    finish(a);
    finish(b);
    outcome(before + atomic_load(&seen) + 4 * atomic_load(&last));
    return 0;
}
