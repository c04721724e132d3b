// expect: uninitialised-read
/* malloc does not clear what it gives. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *numbers = launder(malloc(4 * sizeof *numbers)); // ALLOC
    int seen = numbers[2];                               // HERE
    free(numbers);
    return seen == 12345;
}
