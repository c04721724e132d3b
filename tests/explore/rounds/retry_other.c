/* Two compare-exchanges of one location in a loop: the failing of the first ends a round, whatever
 * it finds; that of the second does not, if it finds 0, and 0 is outdated. What is known of the
 * first, which a trial comes to or which fails for no reason, must not be taken for the second. */
// outcomes: sc=2 tso=2 rc11=1,2
// counts: sc=1 tso=1 rc11=2
// counts: -DWEAK sc=6 tso=6 rc11=6
// options: --spurious
#include "rounds.h"

static atomic_int word, ready, left;

static void *change(void *unused)
{
#ifdef WEAK
    atomic_store_explicit(&word, 1, memory_order_relaxed);
    atomic_store_explicit(&word, 5, memory_order_relaxed);
#else
    atomic_store_explicit(&word, 1, memory_order_relaxed);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    atomic_store_explicit(&word, 5, memory_order_relaxed);
#endif
    return unused;
}

static void *try(void *unused)
{
    int found;
    for (;;) {
        if (atomic_load_explicit(&ready, memory_order_relaxed)) {
            found = 5;
            if (atomic_compare_exchange_strong_explicit(&word, &found, 6, memory_order_relaxed,
                                                        memory_order_relaxed))
                break;
#ifdef WEAK
            if (found == 1)
                break;
#else
            if (found == 0)
                break;
#endif
            continue;
        }
#ifdef WEAK
        atomic_store_explicit(&ready, 1, memory_order_relaxed);
        found = 0;
        if (atomic_compare_exchange_weak_explicit(&word, &found, 8, memory_order_relaxed,
                                                  memory_order_relaxed))
            break;
#else
        found = 7;
        if (atomic_compare_exchange_strong_explicit(&word, &found, 8, memory_order_relaxed,
                                                    memory_order_relaxed))
            break;
#endif
    }
    atomic_store_explicit(&left, found ? 2 : 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t a = start(change, 0), b = start(try, 0);
    finish(a);
    finish(b);
    outcome(atomic_load(&left));
    return 0;
}
