/* Races with void rounds, as in left_out.c: a round in a round; one of several iterations; one that
 * stores across two words; one of main, when the other threads have ended; one whose graph is given
 * up, since it read something outdated, before the other access was made. */
// finding: -DNESTED sc=data-race tso=data-race rc11=data-race
// finding: -DNESTED -DINNER_STORE sc=data-race tso=data-race rc11=data-race
// finding: -DTOGGLES sc=data-race tso=data-race rc11=data-race
// finding: -DSTRADDLES sc=data-race tso=data-race rc11=data-race
// finding: -DBY_MAIN sc=pass tso=pass rc11=data-race
// finding: -DGIVEN_UP sc=data-race tso=data-race rc11=data-race
// finding: -DGIVEN_UP -DLATER sc=data-race tso=data-race rc11=data-race
// finding: -DGIVEN_UP -DORDERED sc=pass tso=pass rc11=pass
#include "rounds.h"
#include <string.h>

#define LOAD(x)     atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

static atomic_int x, y, flag;
static struct {
    int a, b, c, d;
} data __attribute__((aligned(16)));
static int sink;
#ifdef LATER
static atomic_int late;
#endif

static void *begins(void *unused)
{
#ifdef BY_MAIN
    STORE(x, 1);
    STORE(y, 1);
#else
    STORE(y, 1);
    STORE(x, 1);
#endif
    return unused;
}

static int waits(void)
{
#ifdef NESTED
    while (!LOAD(x))
        while (!LOAD(y))
#ifdef INNER_STORE
            data.c = 0;
#else
            if (data.a == 77)
                return 0;
#endif
#elif defined TOGGLES
    for (int k = 1;; k = !k) {
        if (k && LOAD(y) == 5)
            return 0;
        if (!k && LOAD(x))
            break;
        if (!k && data.a == 77)
            return 0;
    }
#elif defined STRADDLES
    while (!LOAD(x))
        memset(&data.b, 0, 8);
#else
    while (!LOAD(x))
        if (data.a == 77)
            return 0;
#endif
#ifndef LATER
    STORE(flag, 1);
#endif
    return 1;
}

static void *accesses(void *unused)
{
#if defined GIVEN_UP && defined ORDERED
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        data.a = 1;
#elif defined LATER /* not in the first executions */
    if (!LOAD(late))
        data.a = 1;
#elif defined GIVEN_UP
    if (LOAD(x))
        data.a = 1;
#elif defined STRADDLES || defined INNER_STORE
    if (LOAD(flag))
        sink = data.c;
#else
    if (LOAD(flag))
        data.a = 1;
#endif
    return unused;
}

#ifdef BY_MAIN
static void *looks(void *unused)
{
    while (!LOAD(y))
        continue;
    return unused;
}
#else
#ifdef LATER
static void *comes_late(void *unused)
{
    STORE(late, 1);
    return unused;
}
#endif

static void *loops(void *unused)
{
    (void)waits();
    return unused;
}
#endif

int main(void)
{
#ifdef BY_MAIN
    pthread_t two = start(accesses, 0), one = start(looks, 0), three = start(begins, 0);
    finish(one);
    (void)waits();
    finish(two);
    finish(three);
#else
    pthread_t one = start(begins, 0), two = start(accesses, 0);
#ifdef LATER
    pthread_t four = start(comes_late, 0);
#endif
    pthread_t three = start(loops, 0);
#ifdef LATER
    finish(four);
#endif
    finish(one);
    finish(two);
    finish(three);
#endif
    return sink == 99;
}
