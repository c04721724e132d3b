// expect: pass --spurious
// compilers: gcc own (clang makes every compare-exchange a strong one)
/* A strong one need not be. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>

static atomic_int word;

int main(void)
{
    int expected = 0;
    int done = atomic_compare_exchange_strong(&word, &expected, 1);
    assert(done);
    return 0;
}
