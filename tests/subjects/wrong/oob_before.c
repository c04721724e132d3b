// expect: out-of-bounds
/* The element before the first is read. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *numbers = launder(calloc(4, sizeof *numbers)); // ALLOC
    int i = 3;
    while (i >= -1 && numbers[i] == 0) // HERE
        i--;
    free(numbers);
    return i > 0;
}
