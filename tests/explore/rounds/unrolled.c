/* Readers of a lock add themselves, take it back when there is a writer, and wait until it has
 * gone. The writer looks at all of the word, so it sees rounds in passing, and without a bound not
 * every execution is explored. With one they are, if it is enough: as many as with rounds that are
 * counted, and one step and an assumption in the place of loops that only wait (COUNTED). */
// options: --unroll 4
// counts: sc=442 tso=442 rc11=442
// counts: -DCOUNTED sc=442 tso=442 rc11=442
#include <plumb.h>
#include <stdbool.h>

#include "rounds.h"

static atomic_int word;
static int data, seen[2];
#ifdef COUNTED
#define ROUNDS                                                                                     \
    int i = 0;                                                                                     \
    i < 4;                                                                                         \
    i++
#define UNTIL(question) plumb_assume(question)
#else
#define ROUNDS                                                                                     \
    ;                                                                                              \
    ;
#define UNTIL(question)                                                                            \
    while (!(question))                                                                            \
    ((void)0)
#endif

static bool adds_itself(void)
{
    return !(atomic_fetch_add_explicit(&word, 1, memory_order_acquire) & 64);
}

static bool takes_it(void)
{
    int free = 0;
    return atomic_compare_exchange_strong_explicit(&word, &free, 64, memory_order_acquire,
                                                   memory_order_relaxed);
}

static void read_lock(void)
{
    for (ROUNDS) {
        if (adds_itself())
            return;
        atomic_fetch_sub_explicit(&word, 1, memory_order_relaxed);
        UNTIL(!(atomic_load_explicit(&word, memory_order_relaxed) & 64));
    }
    plumb_assume(0);
}

static void *read_it(void *argument)
{
    read_lock();
    seen[(long)argument] = data;
    atomic_fetch_sub_explicit(&word, 1, memory_order_release);
    return NULL;
}

static void *write_it(void *unused)
{
    UNTIL(takes_it());
    data = 1;
    atomic_fetch_sub_explicit(&word, 64, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t a = start(read_it, 0), b = start(read_it, 1), c = start(write_it, 0);
    finish(a);
    finish(b);
    finish(c);
    outcome(seen[0] + 2 * seen[1]);
    return 0;
}
