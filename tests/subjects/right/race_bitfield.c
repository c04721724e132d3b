// expect: pass
/* A field of width zero parts the bit-fields into two memory locations. */
#define _GNU_SOURCE
#include "../help.h"

struct {
    unsigned ready : 3;
    unsigned : 0;
    unsigned busy : 4;
} state;

static void *set_ready(void *unused)
{
    state.ready = 1;
    return unused;
}

int main(void)
{
    pthread_t thread = start(set_ready, NULL);
    state.busy = 2;
    finish(thread);
    return 0;
}
