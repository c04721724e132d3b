// expect: data-race
/*
 * Two threads set two bit-fields, each its own; but the fields share a byte, so they share a
 * memory location.
 */
#define _GNU_SOURCE
#include "../help.h"

struct {
    unsigned ready : 3;
    unsigned busy : 4;
} state;

static void *set_ready(void *unused)
{
    state.ready = 1; // HERE
    return unused;
}

int main(void)
{
    pthread_t thread = start(set_ready, NULL);
    state.busy = 2; // HERE
    finish(thread);
    return 0;
}
