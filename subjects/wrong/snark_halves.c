/*
 * Snark with a double compare-and-swap made of a lock, which those who only read do not take: they
 * see one half done. A push on the empty deque has put one hat on the new node and not yet the
 * other; a pop reads both, takes the node for one of several and moves its hat along, half by
 * half, while a pop on the other side does the same.
 */
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool halves(int a, int b, int old_a, int old_b, int new_a, int new_b);

#define DCAS halves
#include "snark_deque.c"

static bool halves(int a, int b, int old_a, int old_b, int new_a, int new_b)
{
    pthread_mutex_lock(&lock);
    unsigned long all = atomic_load_explicit(&words, memory_order_acquire);
    bool equal = field(all, a) == old_a && field(all, b) == old_b;
    if (equal) {
        set(a, old_a, new_a);
        set(b, old_b, new_b);
    }
    pthread_mutex_unlock(&lock);
    return equal;
}
