/*
 * A queue made of segments (Afek, Korland and Yanovsky's idea): values are put into the cells of a
 * segment in their order, and a take may have any value of the first segment that is not empty.
 * With segments of three cells a value is taken at most two places from where a queue would have
 * it: the queue is 2-quasi linearizable, and with more than one value in a segment not
 * linearizable.
 *
 * Which value of a segment a take gets is not left to chance here: the youngest, which is the
 * worst. One lock makes every operation a single step; what is relaxed is the order, not the
 * atomicity.
 */
#include <plumb.h>
#include <pthread.h>

#ifndef K
#define K 2 /* the factor; 0: an exact queue */
#endif

#ifndef REACH
#define REACH WIDTH /* how many cells from the first of the segment a take looks at */
#endif

enum { WIDTH = K + 1, ROOM = 24 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int cell[ROOM + 2 * WIDTH]; /* 0: none */
static int tail, head;             /* cells given out; the first cell of the first segment */

static plumb_result enq(plumb_args a)
{
    pthread_mutex_lock(&lock);
    cell[tail++] = (int)a.i[0];
    pthread_mutex_unlock(&lock);
    return plumb_ok();
}

#ifndef OWN_TAKE
/* The cell to take from, with the lock held; -1: there is none. */
static int find(void)
{
    for (; head < tail; head += WIDTH) {
        for (int i = head + REACH - 1; i >= head; i--)
            if (cell[i])
                return i;
        if (head + WIDTH > tail) /* more may be put into it */
            break;
    }
    return -1;
}

static plumb_result deq(plumb_args a)
{
    (void)a;
    pthread_mutex_lock(&lock);
    int at = find(), value = at < 0 ? 0 : cell[at];
    if (value)
        cell[at] = 0;
    pthread_mutex_unlock(&lock);
    return value ? plumb_int(value) : plumb_empty();
}
#else
static plumb_result deq(plumb_args a);
#endif

PLUMB_SUBJECT("quasi-queue", .spec = "fifo");
PLUMB_OP(enq, .ints = {1, 2, 3, 4, 5, 6, 7, 8}, .data_independent = 1);
PLUMB_OP(deq);
PLUMB_FACTOR(deq = 2, enq = 0)
