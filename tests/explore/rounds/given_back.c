/* A thread that waits, through a pointer, for what is in memory of malloc: what is wrong with that
 * memory is found though the thread is not asked for what it would find in vain. */
// finding: sc=pass tso=pass rc11=pass
// finding: -DUNDEFINED sc=uninitialised-read tso=uninitialised-read rc11=uninitialised-read
// finding: -DFREED sc=use-after-free tso=use-after-free rc11=use-after-free
// finding: -DAGAIN sc=use-after-free tso=use-after-free rc11=use-after-free
#include "rounds.h"

static atomic_int *memory;

static void *waits(void *argument)
{
    atomic_int *word = memory;
    while (atomic_load_explicit(word, memory_order_acquire) != 1)
        ;
    return argument;
}

static void *tells(void *argument)
{
    atomic_int *word = memory;
    atomic_store_explicit(word, 1, memory_order_release);
#if defined FREED || defined AGAIN
    free(word);
#endif
#ifdef AGAIN /* the same memory, for something else */
    word = malloc(sizeof *word);
    atomic_store_explicit(word, 1, memory_order_release);
#endif
    return argument;
}

int main(void)
{
    memory = malloc(sizeof *memory);
#ifndef UNDEFINED
    atomic_init(memory, 0);
#endif
    pthread_t t = start(waits, 0), u = start(tells, 0);
    finish(t);
    finish(u);
#if !defined FREED && !defined AGAIN
    free(memory);
#endif
    return 0;
}
