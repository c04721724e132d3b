/* The loop is in a helper, or the helper is in the loop, inlined or not; also one that calls
 * itself. Waiting for a flag that is set twice: one execution for each value it may leave with. */
// counts: sc=2 tso=2 rc11=2
// counts: -DAPART sc=2 tso=2 rc11=2
// counts: -DCALLED sc=2 tso=2 rc11=2
// counts: -DCALLED -DAPART sc=2 tso=2 rc11=2
// counts: -DPOINTER sc=2 tso=2 rc11=2
// counts: -DDEEP sc=2 tso=2 rc11=2
// counts: -DDEEP -DAPART sc=2 tso=2 rc11=2
// outcomes: -DDEEP -DAPART sc=1,2 tso=1,2 rc11=1,2
#include "rounds.h"

#ifdef APART
#define HELPER __attribute__((noinline)) static
#else
#define HELPER static inline
#endif

static atomic_int flag;

HELPER int look(atomic_int *at)
{
    return atomic_load(at);
}

#if defined CALLED
HELPER int wait_for(atomic_int *at)
{
    int value;
    while (!(value = look(at)))
        ;
    return value;
}
#elif defined POINTER
static int (*_Atomic chosen)(atomic_int *) = look;

HELPER int wait_for(atomic_int *at)
{
    int value, (*function)(atomic_int *) = atomic_load(&chosen);
    while (!(value = function(at)))
        ;
    return value;
}
#elif defined DEEP /* every depth has a loop that goes round until the one below is done */
HELPER int descend(atomic_int *at, int depth)
{
    for (;;) {
        int value = depth ? descend(at, depth - 1) : look(at);
        if (value)
            return value;
    }
}

HELPER int wait_for(atomic_int *at)
{
    return descend(at, 3);
}
#else
HELPER int wait_for(atomic_int *at)
{
    int value;
    while (!(value = atomic_load(at)))
        ;
    return value;
}
#endif

static void *set(void *unused)
{
    atomic_store(&flag, 1);
    atomic_store(&flag, 2);
    return unused;
}

int main(void)
{
    pthread_t a = start(set, 0);
    int value = wait_for(&flag);
    finish(a);
    outcome(value);
    return 0;
}
