/*
 * A stack made of segments of three cells. A push fills the next cell of the top segment; a pop
 * takes the youngest value of the top segment, so this one is a stack like any other: linearizable,
 * and quasi linearizable under every factor. Its wrong twins are not. One lock makes every
 * operation a single step.
 */
#include <plumb.h>
#include <pthread.h>

#ifndef K
#define K 2 /* the factor; 0: an exact stack */
#endif

enum { WIDTH = K + 1, ROOM = 24 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int cell[ROOM];
static int top; /* cells filled */

static plumb_result push(plumb_args a)
{
    pthread_mutex_lock(&lock);
    cell[top++] = (int)a.i[0];
    pthread_mutex_unlock(&lock);
    return plumb_ok();
}

#ifndef OWN_POP
static int pop_locked(void)
{
    return top ? cell[--top] : 0;
}
#else
static int pop_locked(void);
#endif

static plumb_result pop(plumb_args a)
{
    (void)a;
    pthread_mutex_lock(&lock);
    int value = pop_locked();
    pthread_mutex_unlock(&lock);
    return value ? plumb_int(value) : plumb_empty();
}

PLUMB_SUBJECT("quasi-stack", .spec = "lifo");
PLUMB_OP(push, .ints = {1, 2, 3, 4}, .data_independent = 1);
PLUMB_OP(pop);
PLUMB_FACTOR(pop = 2, push = 0)
