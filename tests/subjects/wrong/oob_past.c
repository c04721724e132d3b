// expect: out-of-bounds
/* One element too many is written. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *numbers = launder(malloc(10 * sizeof *numbers)); // ALLOC
    for (int i = 0; i <= 10; i++)
        numbers[i] = i; // HERE
    free(numbers);
    return 0;
}
