// Threads that create threads: two parents with two children each, joined last first; all six add
// to one location: 6!.
// counts: sc=720 tso=720 rc11=720
#include "threads.h"

static atomic_int x;

static void *child(void *unused)
{
    atomic_fetch_add(&x, 1);
    return unused;
}

static void *parent(void *unused)
{
    pthread_t children[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&children[i], NULL, child, NULL);
    atomic_fetch_add(&x, 1);
    pthread_join(children[1], NULL);
    pthread_join(children[0], NULL);
    return unused;
}

int main(void)
{
    start_all(2, parent);
    join_all(2);
    assert(atomic_load(&x) == 6);
    return 0;
}
