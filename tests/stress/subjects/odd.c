/*
 * A queue behind a lock, right by itself. The flags make one of its calls do what no call should:
 * what ends a round, and answers that are at the end of what a number can be.
 */
#include <limits.h>
#include <plumb.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef ODD
#define ODD 20 /* which take has the odd answer */
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long value[1 << 16];
static unsigned first, last, calls;

__attribute__((unused, noinline)) static int deep(volatile int *above)
{
    volatile int here[256];
    here[0] = *above + 1;
    return deep(here) + here[0];
}

static void do_something_odd(void)
{
#ifdef EXITS
    exit(0);
#endif
#ifdef KILLED
    (void)kill(getpid(), SIGKILL);
#endif
#ifdef TERMINATED
    (void)raise(SIGTERM);
#endif
#ifdef DEEP
    volatile int start = 0;
    (void)deep(&start);
#endif
}

static plumb_result enq(plumb_args a)
{
    pthread_mutex_lock(&lock);
    value[last++ % (1 << 16)] = a.i[0];
    if (++calls == 50)
        do_something_odd();
    pthread_mutex_unlock(&lock);
    return plumb_ok();
}

static plumb_result deq(plumb_args a)
{
    (void)a;
    pthread_mutex_lock(&lock);
    plumb_result r = first == last ? plumb_empty() : plumb_int(value[first++ % (1 << 16)]);
#ifdef ANSWERS
    if (first == ODD)
        r = plumb_int(ANSWERS);
#endif
    pthread_mutex_unlock(&lock);
    return r;
}

PLUMB_SUBJECT("an odd queue", .spec = "fifo");
PLUMB_OP(enq, .ints = {1, 2, 3});
PLUMB_OP(deq);
