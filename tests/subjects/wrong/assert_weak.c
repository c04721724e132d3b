// expect: assertion --spurious
// compilers: gcc own (clang makes every compare-exchange a strong one)
/* A weak compare-exchange is not in a loop: with --spurious it may fail for no reason. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>

static atomic_int word;

int main(void)
{
    int expected = 0;
    int done = atomic_compare_exchange_weak(&word, &expected, 1);
    assert(done); // HERE
    return 0;
}
