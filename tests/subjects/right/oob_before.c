// expect: pass
/* The loop stops at the first. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *numbers = launder(calloc(4, sizeof *numbers));
    int i = 3;
    while (i >= 0 && numbers[i] == 0)
        i--;
    free(numbers);
    return i > 0;
}
