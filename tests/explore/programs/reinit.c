// Atomics set anew between two phases, with what the first phase left: by atomic_init, and by
// memset. Two orders of the first phase, two for each location of the second: 8.
// counts: sc=8 tso=8 rc11=8
#include <string.h>

#include "threads.h"

static struct {
    atomic_int number, zeroed;
} both;
static atomic_int last;

static void *write_last(void *argument)
{
    atomic_store(&last, number_of(argument) + 1);
    return NULL;
}

static void *add(void *unused)
{
    atomic_fetch_add(&both.number, 1);
    atomic_fetch_add(&both.zeroed, 1);
    return unused;
}

int main(void)
{
    atomic_store(&both.number, 3);
    atomic_store(&both.zeroed, 3);
    start_all(2, write_last);
    join_all(2);
    int seen = atomic_load(&last);
    memset(&both, 0, sizeof both);
    atomic_init(&both.number, seen * 10);
    start_all(2, add);
    join_all(2);
    assert(atomic_load(&both.number) == seen * 10 + 2);
    assert(atomic_load(&both.zeroed) == 2);
    return 0;
}
