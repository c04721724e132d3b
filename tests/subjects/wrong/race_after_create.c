// expect: data-race
/* What main writes after it has created the thread is not ordered before what the thread does. The
 * thread looks only when the write is over, so nothing else tells. */
#include "../help.h"
#include <stdatomic.h>

int data;
atomic_int ready;

static void *look(void *unused)
{
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        data++; // HERE
    return unused;
}

int main(void)
{
    pthread_t thread = start(look, NULL);
    data = 1; // HERE
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    finish(thread);
    return 0;
}
