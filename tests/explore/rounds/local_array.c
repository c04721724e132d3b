/* The rounds are counted in an array that stays in memory: the third one gives up. */
// outcomes: sc=0,1 tso=0,1 rc11=0,1
#include "rounds.h"

static atomic_int flag;
static int result;

static void *wait_some(void *argument)
{
    int tries[4] = {0};
    long k = (long)argument;
    while (!atomic_load(&flag))
        if (++tries[(k++ & 1) + 1] == 2) {
            result = 1;
            break;
        }
    return NULL;
}

int main(void)
{
    pthread_t a = start(wait_some, 2);
    atomic_store(&flag, 1);
    finish(a);
    outcome(result);
    return 0;
}
