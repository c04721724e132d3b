/* The rounds are counted in a thread-local, by a function that is or is not inlined. */
// outcomes: sc=0,1 tso=0,1 rc11=0,1
// outcomes: -DAPART sc=0,1 tso=0,1 rc11=0,1
#include "rounds.h"

static atomic_int flag;
static _Thread_local int tries;
static int result;

#ifdef APART
__attribute__((noinline))
#endif
static int
enough(void)
{
    return ++tries == 3;
}

static void *wait_some(void *unused)
{
    while (!atomic_load(&flag))
        if (enough()) {
            result = 1;
            break;
        }
    return unused;
}

int main(void)
{
    pthread_t a = start(wait_some, 0);
    atomic_store(&flag, 1);
    finish(a);
    outcome(result);
    return 0;
}
