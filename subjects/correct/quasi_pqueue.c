/*
 * A priority queue that may give one of its three least values: of those it gives the largest, and
 * the next window is opened when this one is empty, so that none is overtaken for ever. Not
 * linearizable; 2-quasi linearizable as long as nothing smaller is put in while a window is open.
 * (Then nothing that answers 3 while 1 and 2 are there can be: of the takes 3, 1, 0, 2 with 0 put
 * in after the first, the spec has 3 last, three places away.)
 */
#include <plumb.h>
#include <pthread.h>

#ifndef K
#define K 2 /* the factor; 0: an exact priority queue */
#endif

#ifndef WINDOW
#define WINDOW (K + 1)
#endif

enum { ROOM = 24 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value[ROOM], count; /* ascending */
static int window;             /* how many of the first are open to takes */

static plumb_result insert(plumb_args a)
{
    int at, v = (int)a.i[0];
    pthread_mutex_lock(&lock);
    for (at = count++; at && value[at - 1] > v; at--)
        value[at] = value[at - 1];
    value[at] = v;
    pthread_mutex_unlock(&lock);
    return plumb_ok();
}

static plumb_result take_min(plumb_args a)
{
    int taken = 0;
    (void)a;
    pthread_mutex_lock(&lock);
    if (!window)
        window = count < WINDOW ? count : WINDOW;
    if (window) {
        taken = value[--window];
        for (int i = window; i + 1 < count; i++)
            value[i] = value[i + 1];
        count--;
    }
    pthread_mutex_unlock(&lock);
    return taken ? plumb_int(taken) : plumb_empty();
}

PLUMB_SUBJECT("quasi-pqueue", .spec = "pqueue");
PLUMB_OP(insert, .ints = {1, 2, 3, 4});
PLUMB_OP(take_min, .name = "take");
PLUMB_FACTOR(take = 2, insert = 0)
