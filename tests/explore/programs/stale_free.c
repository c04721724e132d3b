// A use after free that only rc11 reaches: the flag that says "freed" is relaxed, so a reader that
// saw a later message may still miss it.
// finding: sc=pass tso=pass rc11=use-after-free
#include "threads.h"

static atomic_int freed, later;
static atomic_int *node;

static void *body(void *argument)
{
    if (number_of(argument) == 0) {
        atomic_store_explicit(&freed, 1, memory_order_relaxed);
        free(node);
        atomic_store_explicit(&later, 1, memory_order_relaxed);
    } else if (atomic_load_explicit(&later, memory_order_relaxed) &&
               !atomic_load_explicit(&freed, memory_order_relaxed)) {
        (void)atomic_load_explicit(node, memory_order_relaxed);
    }
    return NULL;
}

int main(void)
{
    node = malloc(sizeof *node);
    atomic_init(node, 7);
    start_all(2, body);
    join_all(2);
    return 0;
}
