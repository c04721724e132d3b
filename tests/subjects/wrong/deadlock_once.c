// expect: deadlock
/* An initialiser calls pthread_once with its own control. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_once_t outer = PTHREAD_ONCE_INIT, inner = PTHREAD_ONCE_INIT;
static int calls;

static void initialise(void);

static void again(void)
{
    pthread_once(calls < 5 ? &outer : &inner, initialise); // HERE
}

static void initialise(void)
{
    if (++calls == 1)
        again();
}

int main(void)
{
    assert(pthread_once(&outer, initialise) == 0);
    return 0;
}
