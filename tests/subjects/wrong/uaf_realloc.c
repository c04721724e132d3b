// expect: use-after-free
/* A pointer into a block is kept over a realloc that moves it. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *numbers = launder(malloc(4 * sizeof *numbers)); // ALLOC
    numbers[0] = 1;
    int *first = launder(&numbers[0]);
    numbers = launder(realloc(numbers, 100000 * sizeof *numbers)); // FREE
    int seen = *first;                                             // HERE
    free(numbers);
    return seen != 1;
}
