/* One thread changes x and changes it back until it is told to stop; the other waits to see it
 * changed, and tells. Whoever comes at the right moment goes on, so this is no livelock; that not
 * every execution is explored is said (rounds.sh). Where nobody tells it is one, and where x is
 * never what the other waits for nobody knows. */
// finding: -DNOBODY_CHANGES sc=livelock tso=livelock rc11=livelock
#include "rounds.h"

static atomic_int x, stop;

static void *changes(void *unused)
{
    while (!atomic_load(&stop)) {
#if defined XOR
        atomic_fetch_xor(&x, 1);
#elif defined ADD
        atomic_fetch_add(&x, 1);
        atomic_fetch_sub(&x, 1);
#elif defined EXCHANGE
        int zero = 0, one = 1;
        atomic_compare_exchange_strong(&x, &zero, 1);
        atomic_compare_exchange_strong(&x, &one, 0);
#endif
    }
    return unused;
}

static void *waits(void *unused)
{
    while (atomic_load(&x) != 1)
        ;
    atomic_store(&stop, 1);
    return unused;
}

int main(void)
{
    pthread_t a = start(changes, 0), b = start(waits, 0);
    finish(a);
    finish(b);
    return 0;
}
