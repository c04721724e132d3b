/* The load before an inner loop of the compare-exchange, and a way from it that comes to another
 * round of the outer loop, so to another load. That a round of the outer loop was made shows (n),
 * so the load of an outdated value may not be left out, though nothing comes of its
 * compare-exchange. z makes it so that no revisit would come of it. */
// pairs: no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x = 3, z;
static int rounds, seen;

static void *takes(void *argument)
{
    atomic_exchange(&x, 0);
    seen = atomic_fetch_add(&z, 2);
    return argument;
}

static void *tries(void *argument)
{
    int n = 0, old;
    for (;;) {
        old = atomic_load(&x);
        if (old > 2 && n < 1) {
            n++;
            continue;
        }
        while (!atomic_compare_exchange_strong(&x, &old, old + 1))
            ;
        break;
    }
    rounds = n;
    return argument;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, takes, NULL);
    pthread_create(&u, NULL, tries, NULL);
    atomic_store(&z, 1);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(!(rounds == 1 && seen == 0 && x == 1));
    return 0;
}
