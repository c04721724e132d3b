// expect: pass
/* It is taken again. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *numbers = launder(malloc(4 * sizeof *numbers));
    numbers[0] = 1;
    int *first = launder(&numbers[0]);
    numbers = launder(realloc(numbers, 100000 * sizeof *numbers));
    first = launder(&numbers[0]);
    int seen = *first;
    free(numbers);
    return seen != 1;
}
