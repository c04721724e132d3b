// expect: pass
/* calloc does. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *numbers = launder(calloc(4, sizeof *numbers));
    int seen = numbers[2];
    free(numbers);
    return seen == 12345;
}
