/*
 * A queue whose take waits. LOST: a put wakes somebody only if the queue was empty, so that of two
 * puts one after the other the second wakes nobody.
 */
#include <plumb.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static long value[100000];
static int head, tail;

static plumb_result enq(plumb_args a)
{
    pthread_mutex_lock(&mutex);
    value[tail++] = a.i[0];
#ifdef LOST
    if (tail == head + 1)
#endif
        pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
    return plumb_ok();
}

static plumb_result deq(plumb_args a)
{
    (void)a;
    pthread_mutex_lock(&mutex);
    while (head == tail)
        pthread_cond_wait(&filled, &mutex);
    long taken = value[head++];
    pthread_mutex_unlock(&mutex);
    return plumb_int(taken);
}

PLUMB_SUBJECT("blocking queue", .spec = "fifo");
PLUMB_OP(enq, .ints = {1, 2});
PLUMB_OP(deq, .blocking = 1);
