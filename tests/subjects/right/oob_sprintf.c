// expect: pass
/* There is room. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = launder(malloc(16));
    int number = 1234567;
    sprintf(text, "%d", number);
    free(text);
    return 0;
}
