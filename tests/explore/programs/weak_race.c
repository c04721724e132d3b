// A data race that only rc11 reaches: the reader touches the payload where it saw the second of two
// relaxed stores and not the first, which neither sc nor tso lets happen.
// finding: sc=pass tso=pass rc11=data-race
#include "threads.h"

static int data;
static atomic_int first, second;

static void *body(void *argument)
{
    if (number_of(argument) == 0) {
        atomic_store_explicit(&first, 1, memory_order_relaxed);
        atomic_store_explicit(&second, 1, memory_order_relaxed);
        data = 1;
    } else if (atomic_load_explicit(&second, memory_order_relaxed) &&
               !atomic_load_explicit(&first, memory_order_relaxed)) {
        data = 2;
    }
    return NULL;
}

int main(void)
{
    start_all(2, body);
    join_all(2);
    assert(data > 0);
    return 0;
}
