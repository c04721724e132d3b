// expect: pass
/* The index is taken and checked in one step. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>
#include <stdlib.h>

enum { ROOM = 3 };
static atomic_int next;
static int *slots;

static void put(int at)
{
    slots[at] = 1;
}

static void *fill(void *unused)
{
    for (int i = 0; i < 2; i++) {
        if (atomic_load(&next) >= ROOM)
            break;
        int at = atomic_fetch_add(&next, 1);
        if (at < ROOM)
            put(at);
    }
    return unused;
}

int main(void)
{
    slots = malloc(ROOM * sizeof *slots);
    pthread_t a = start(fill, NULL), b = start(fill, NULL);
    finish(a);
    finish(b);
    free(slots);
    return 0;
}
