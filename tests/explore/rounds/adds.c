/* A loop whose rounds add, and do not take it back: none is void. */
// counts: sc=1 tso=1 rc11=1
// outcomes: sc=3 tso=3 rc11=3
#include "rounds.h"

static atomic_int sum;

int main(void)
{
    while (atomic_fetch_add_explicit(&sum, 1, memory_order_relaxed) < 2)
        ;
    outcome(sum);
    return 0;
}
