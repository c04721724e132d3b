/* A store between a load and its compare-exchange, to a place that others know of by then, in a
 * round that fails: another thread reads it, and the thread goes away without an exchange. */
// pairs: no
// pairs: -DSECOND no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top = 5, shown, flag;
static int got = -1, seen = -1;

static void *first(void *argument)
{
    atomic_store(&shown, 0);
    atomic_store(&flag, 1);
    for (;;) {
        int old = atomic_load(&top);
        atomic_store(&shown, old);
        if (old == 9)
            break;
        if (atomic_compare_exchange_strong(&top, &old, 6))
            break;
    }
    return argument;
}

static void *second(void *argument)
{
    if (atomic_load(&flag)) {
        got = atomic_exchange(&top, 9);
        seen = atomic_load(&shown);
    }
    return argument;
}

int main(void)
{
    pthread_t t, u;
#ifdef SECOND
    pthread_create(&u, NULL, second, NULL);
    pthread_create(&t, NULL, first, NULL);
#else
    pthread_create(&t, NULL, first, NULL);
    pthread_create(&u, NULL, second, NULL);
#endif
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(!(got == 5 && seen == 5));
    return 0;
}
