// A node is published before its atomic is set: the other thread may read it uninitialised.
// finding: sc=uninitialised-read tso=uninitialised-read rc11=uninitialised-read
#include "threads.h"

static atomic_int *_Atomic slot;

static void *body(void *argument)
{
    if (number_of(argument) == 0) {
        atomic_int *node = malloc(sizeof *node);
        atomic_store(&slot, node);
        atomic_store(node, 1);
    } else {
        atomic_int *node = atomic_load(&slot);
        if (node)
            (void)atomic_load(node);
    }
    return NULL;
}

int main(void)
{
    start_all(2, body);
    join_all(2);
    return 0;
}
