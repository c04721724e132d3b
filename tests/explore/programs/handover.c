// One thread hands allocated atomics over through a slot, twice, the other takes and frees them;
// what nobody took is freed by the next hand-over, or by main. Six executions (by brute force).
// counts: sc=6 tso=6 rc11=6
#include "threads.h"

static atomic_int *_Atomic slot;

static void *give(void *unused)
{
    for (int k = 1; k <= 2; k++) {
        atomic_int *number = malloc(sizeof *number);
        atomic_init(number, k);
        number = atomic_exchange(&slot, number);
        assert(!number || atomic_load(number) == k - 1);
        free(number);
    }
    return unused;
}

static void *take(void *unused)
{
    for (int k = 0; k < 2; k++) {
        atomic_int *number = atomic_exchange(&slot, NULL);
        assert(!number || atomic_load(number) > 0);
        free(number);
    }
    return unused;
}

int main(void)
{
    start(0, give);
    start(1, take);
    join_all(2);
    free(atomic_load(&slot));
    return 0;
}
