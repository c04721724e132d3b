// expect: out-of-bounds
/* The number needs more digits than there is room. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = launder(malloc(6)); // ALLOC
    int number = 1234567;
    sprintf(text, "%d", number); // HERE
    free(text);
    return 0;
}
