// expect: invalid-free
/* The pointer was moved along the string before it is freed. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *start_of_it = strdup("  leading blanks"); // ALLOC
    char *text = start_of_it;
    while (*text == ' ')
        text++;
    free(launder(text)); // HERE
    return 0;
}
