// expect: pass
/* The loop ends in time. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *numbers = launder(malloc(10 * sizeof *numbers));
    for (int i = 0; i < 10; i++)
        numbers[i] = i;
    free(numbers);
    return 0;
}
