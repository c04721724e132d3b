/* What a round wrote and took back, or overwrote, can still be read under rc11 by one who knows,
 * without happens-before, that the thread went on; and a load may see one round, an update the
 * next. Such executions need the round; without a bound on the rounds the verdict is unknown
 * (rounds.sh). */
// options: --unroll 3
// outcomes: -DTAKEN_BACK sc=0 tso=0 rc11=0,1 run=some
// outcomes: -DTAKEN_BACK -DSTOPS sc=0 tso=0 rc11=0,1 run=some
// outcomes: -DTAKEN_BACK -DSEEN sc=0,1 tso=0,1 rc11=0,1 run=some
// outcomes: -DOVERWRITTEN sc=0 tso=0 rc11=0,1 run=some
// outcomes: -DTAKEN_BACK -DRELEASED sc=0 tso=0 rc11=0 run=some
#include "rounds.h"

#define RELAXED memory_order_relaxed
static atomic_int flag, seen, old, stop;

#ifdef TAKEN_BACK
static atomic_int word = 64;

/* After it is a 1 the flag shows 65 only in a round that was taken back. */
static void *add(void *argument)
{
#ifdef STOPS
    while (!atomic_load_explicit(&stop, RELAXED)) {
        atomic_fetch_add_explicit(&word, 1, RELAXED);
        atomic_fetch_sub_explicit(&word, 1, RELAXED);
    }
#else
    while (atomic_fetch_add_explicit(&word, 1, RELAXED) & 64)
        atomic_fetch_sub_explicit(&word, 1, RELAXED);
#endif
#ifdef RELEASED
    atomic_store_explicit(&flag, 1, memory_order_release);
#else
    atomic_store_explicit(&flag, 1, RELAXED);
#endif
    return argument;
}

static void *change(void *argument)
{
#ifdef STOPS
    atomic_store_explicit(&stop, 1, RELAXED);
    old = 64;
#else
    old = atomic_fetch_sub_explicit(&word, 64, RELAXED);
#endif
    return argument;
}

static void *look(void *argument)
{
#ifdef SEEN
    seen = atomic_load_explicit(&word, RELAXED) == 65;
    seen = seen && atomic_load_explicit(&word, RELAXED) == 64;
    return argument;
#endif
    if (atomic_load_explicit(&flag, memory_order_acquire))
        seen = atomic_load_explicit(&word, RELAXED) == 65 && 1;
    return argument;
}
#ifdef SEEN
#define SHOWN (seen && old == 65)
#else
#define SHOWN (seen && old == 64)
#endif

#else
struct node {
    struct node *_Atomic next;
} a, b, mine;
static struct node *_Atomic top = &a;

static void *add(void *argument)
{
    struct node *expected = atomic_load_explicit(&top, RELAXED);
    do
        atomic_store_explicit(&mine.next, expected, RELAXED);
    while (!atomic_compare_exchange_strong_explicit(&top, &expected, &mine, RELAXED, RELAXED));
    flag = expected == &b;
    return argument;
}

static void *change(void *argument)
{
    struct node *expected = &a;
    (void)atomic_compare_exchange_strong_explicit(&top, &expected, &b, RELAXED, RELAXED);
    return argument;
}

static void *look(void *argument)
{
    if (atomic_load_explicit(&top, RELAXED) == &mine)
        seen = atomic_load_explicit(&mine.next, RELAXED) == &a;
    return argument;
}
#define SHOWN (seen && flag)
#endif

int main(void)
{
    pthread_t one = start(add, 0), two = start(change, 0), three = start(look, 0);
    finish(one);
    finish(two);
    finish(three);
    outcome(SHOWN);
    return 0;
}
