// Relaxed atomics of a thread's own inside a critical section: what the lock orders stays ordered
// for the plain accesses after them. Two orders.
// counts: sc=2 tso=2 rc11=2
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int own[2];
static int count;

static void *body(void *argument)
{
    int i = number_of(argument);
    pthread_mutex_lock(&lock);
    atomic_store_explicit(&own[i], 1, memory_order_relaxed);
    count++;
    (void)atomic_load_explicit(&own[i], memory_order_relaxed);
    count++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    start_all(2, body);
    join_all(2);
    assert(count == 4);
    return 0;
}
