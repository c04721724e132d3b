/*
 * Lazy initialisation (Line-Up's Table 1): the value is made when it is first asked for, by one
 * thread only, and everybody gets the same. Whoever finds it made takes no lock; whoever does not
 * looks again behind the lock. The factory counts its calls: a second one would be seen in the
 * answer.
 */
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

struct boxed {
    int value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct boxed *) box;
static _Atomic int made;

static struct boxed *make(void)
{
    struct boxed *b = malloc(sizeof *b);
    b->value = 40 + ++made;
    return b;
}

static int value(void)
{
    struct boxed *b = box;
    if (b == NULL) {
        pthread_mutex_lock(&lock);
        b = box;
        if (b == NULL)
            box = b = make();
        pthread_mutex_unlock(&lock);
    }
    return b->value;
}

static bool is_value_created(void)
{
    return box != NULL;
}

/* The text of the value, here its number; of one that is not made yet, 0. It makes none. */
static int to_string(void)
{
    struct boxed *b = box;
    return b ? b->value : 0;
}

PLUMB_CALL(value())
PLUMB_CALL(to_string())
PLUMB_CALL(is_value_created())
