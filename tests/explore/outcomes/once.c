/* Who runs it, and what was there when the others came back. */
#include "outcome.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value;
static atomic_int ready, seen;
static _Thread_local int me;
static int runner;

static void initialise(void)
{
    runner = me;
    value = 1;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
}

static void *user(void *number)
{
    me = (int)(long)number;
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        atomic_fetch_add(&seen, 4);
    pthread_once(&once, initialise);
    assert(value == 1);
    return NULL;
}

int main(void)
{
    pthread_t a = start(user, 1), b = start(user, 2);
    user(0);
    finish(a);
    finish(b);
    outcome(runner + atomic_load(&seen));
    return 0;
}
