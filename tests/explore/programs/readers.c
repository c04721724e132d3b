// readers(N), from "Optimal dynamic partial order reduction" (POPL 2014): one thread writes x, N
// threads read it. Each reader sees the old or the new value: 2^N, under every model.
// counts: -DN=3 sc=8 tso=8 rc11=8
// counts: -DN=10 sc=1024 tso=1024 rc11=1024
// counts: -DN=13 sc=8192 tso=8192 rc11=8192
#include "threads.h"

#ifndef N
#define N 3
#endif

static atomic_int x;

static void *body(void *argument)
{
    if (number_of(argument) == 0)
        atomic_store(&x, 1);
    else
        (void)atomic_load(&x);
    return NULL;
}

int main(void)
{
    start_all(N + 1, body);
    join_all(N + 1);
    return 0;
}
