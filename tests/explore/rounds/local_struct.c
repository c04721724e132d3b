/* As local_array.c; the array is in a struct that is copied, and filled, in each round. */
// outcomes: sc=0,1 tso=0,1 rc11=0,1
#include <string.h>

#include "rounds.h"

struct state {
    int tries[64];
};
static atomic_int flag;
static int result;

static void *wait_some(void *argument)
{
    struct state now, next;
    long k = (long)argument;
    memset(&now, 0, sizeof now);
    while (!atomic_load(&flag)) {
        memcpy(&next, &now, sizeof next);
        next.tries[k]++;
        memcpy(&now, &next, sizeof now);
        if (now.tries[k] == 3) {
            result = 1;
            break;
        }
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
