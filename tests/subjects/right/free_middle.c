// expect: pass
/* The start is kept. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *start_of_it = strdup("  leading blanks");
    char *text = start_of_it;
    while (*text == ' ')
        text++;
    free(launder(start_of_it));
    return 0;
}
