/* A compare-exchange that fails by what malloc left there: outdated, as the flag says, and all that
 * comes of it is another try. But it is read. */
// finding: sc=pass tso=pass rc11=uninitialised-read
// finding: -DRELEASED sc=pass tso=pass rc11=pass
#include "rounds.h"

#ifdef RELEASED
enum { set = memory_order_release, seen = memory_order_acquire };
#else
enum { set = memory_order_relaxed, seen = memory_order_relaxed };
#endif
static atomic_int ready, *word;

static void *try(void *unused)
{
    while (!atomic_load_explicit(&ready, seen))
        ;
    for (;;) {
        int one = 1;
        if (atomic_compare_exchange_strong(word, &one, 2))
            break;
    }
    return unused;
}

int main(void)
{
    word = malloc(sizeof *word);
    pthread_t a = start(try, 0);
    atomic_store_explicit(word, 1, memory_order_relaxed);
    atomic_store_explicit(&ready, 1, set);
    finish(a);
    free(word);
    return 0;
}
