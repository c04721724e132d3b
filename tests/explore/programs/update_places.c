// counts: sc=22 tso=22 rc11=22
// A store that an update takes instead of an older one, and that can stand before or after the
// store of a third thread: the update is repeated from its read for each of the two places, with
// its write to come. (30 interleavings of five accesses; in 16 of them the two loads are
// neighbours, and the same but for their order: 22.)
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int x;

static void *store(void *unused)
{
    atomic_store(&x, 5);
    return unused;
}

static void *update(void *unused)
{
    atomic_fetch_add(&x, 1);
    (void)atomic_load(&x);
    return unused;
}

static void *store_and_load(void *unused)
{
    atomic_store(&x, 7);
    (void)atomic_load(&x);
    return unused;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, store, NULL);
    pthread_create(&t[1], NULL, update, NULL);
    pthread_create(&t[2], NULL, store_and_load, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
