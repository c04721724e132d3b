// expect: out-of-bounds
/* Two threads grow one index; a check and a write apart let it go past the end. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>
#include <stdlib.h>

enum { ROOM = 3 };
static atomic_int next;
static int *slots;

static void put(int at)
{
    slots[at] = 1; // HERE
}

static void *fill(void *unused)
{
    for (int i = 0; i < 2; i++) {
        if (atomic_load(&next) >= ROOM)
            break;
        int at = atomic_fetch_add(&next, 1);
        if (at < ROOM + 1)
            put(at);
    }
    return unused;
}

int main(void)
{
    slots = malloc(ROOM * sizeof *slots); // ALLOC
    pthread_t a = start(fill, NULL), b = start(fill, NULL);
    finish(a);
    finish(b);
    free(slots);
    return 0;
}
