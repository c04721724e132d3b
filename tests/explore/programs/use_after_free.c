// One thread looks at a node it found in a slot, the other takes it out and frees it: used after
// the free only where the look at the slot comes before the taking, and the use after it.
// finding: sc=use-after-free tso=use-after-free rc11=use-after-free
#include "threads.h"

static atomic_int *_Atomic slot;

static void *body(void *argument)
{
    if (number_of(argument) == 0) {
        atomic_int *node = atomic_load(&slot);
        if (node)
            assert(atomic_load(node) == 7);
    } else {
        free(atomic_exchange(&slot, NULL));
    }
    return NULL;
}

int main(void)
{
    atomic_int *node = malloc(sizeof *node);
    atomic_init(node, 7);
    atomic_init(&slot, node);
    start_all(2, body);
    join_all(2);
    return 0;
}
