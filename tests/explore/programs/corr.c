// CoRR, coherence of two reads of one location: never new, then old. Three with one writer; with
// two writers (-DWRITERS=2) six for each of the two orders of the stores.
// counts: sc=3 tso=3 rc11=3
// counts: -DWRITERS=2 sc=12 tso=12 rc11=12
#include "threads.h"

#ifndef WRITERS
#define WRITERS 1
#endif

static atomic_int x;

static void *body(void *argument)
{
    int i = number_of(argument);
    if (i < WRITERS) {
        atomic_store_explicit(&x, i + 1, memory_order_relaxed);
    } else {
        (void)atomic_load_explicit(&x, memory_order_relaxed);
        (void)atomic_load_explicit(&x, memory_order_relaxed);
    }
    return NULL;
}

int main(void)
{
    start_all(WRITERS + 1, body);
    join_all(WRITERS + 1);
    return 0;
}
