// expect: out-of-bounds
/* The element before the first is read. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *numbers = launder(calloc(4, sizeof *numbers)); // ALLOC
    int sum = 0;
    for (int i = 3; i >= -1; i--)
        sum += numbers[i]; // HERE
    free(numbers);
    return sum == 12345;
}
