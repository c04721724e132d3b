// An atomic in memory that is allocated, freed and used again: what it held before is gone. The two
// threads meet only in the last fetch_add: 2.
// counts: sc=2 tso=2 rc11=2
#include "threads.h"

static atomic_int meet;

static void *body(void *unused)
{
    for (int k = 0; k < 3; k++) {
        atomic_int *number = malloc(sizeof *number);
        atomic_init(number, k);
        atomic_fetch_add(number, 1);
        assert(atomic_load(number) == k + 1);
        free(number);
    }
    atomic_fetch_add(&meet, 1);
    return unused;
}

int main(void)
{
    start_all(2, body);
    join_all(2);
    return 0;
}
