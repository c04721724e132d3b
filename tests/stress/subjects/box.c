/*
 * A queue behind a lock, and what may be wrong with it: TWICE, a take that gives a value to two
 * callers; CRASH, ABORT, LEAVE, HANG: an operation that ends the program or never ends; FREED,
 * SPILT: one that frees a block twice, or writes past its end; BROKEN: an invariant that does not
 * hold.
 */
#include <plumb.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { ROOM = 1 << 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long long item[ROOM];
static unsigned head, tail;

static plumb_result put(plumb_args a)
{
    pthread_mutex_lock(&lock);
    item[tail++ % ROOM] = a.i[0];
#ifdef CRASH
    if (tail == 20)
        *(volatile int *)NULL = 1;
#endif
#ifdef ABORT
    if (tail == 20)
        abort();
#endif
#ifdef LEAVE
    if (tail == 20)
        exit(3);
#endif
#if defined FREED || defined SPILT
    if (tail == 20) {
        char *volatile block = malloc(24);
        char *volatile end = block + 24;
#ifdef SPILT
        for (int i = 0; i < 64; i++)
            end[i] = 'x';
        block = malloc(5000);
#else
        free(end - 24);
#endif
        free(block);
    }
#endif
#ifdef HANG
    while (tail >= 20)
        (void)sched_yield();
#endif
    pthread_mutex_unlock(&lock);
    return plumb_ok();
}

static plumb_result take(plumb_args a)
{
    plumb_result result = plumb_empty();
    (void)a;
    pthread_mutex_lock(&lock);
    if (head != tail) {
        long long value = item[head % ROOM];
#ifdef TWICE
        unsigned seen = head;
        pthread_mutex_unlock(&lock);
        (void)sched_yield();
        pthread_mutex_lock(&lock);
        head = seen + 1;
#else
        head++;
#endif
        result = plumb_int(value);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

static int holds(void)
{
#ifdef BROKEN
    return 0;
#else
    return head <= tail;
#endif
}

PLUMB_SUBJECT("box", .invariant = holds, .spec = "fifo");
PLUMB_OP(put, .ints = {1, 2});
PLUMB_OP(take);
