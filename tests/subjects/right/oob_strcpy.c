// expect: pass
/* It does. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *text = launder("eight by");
    char *copy = launder(malloc(strlen(text) + 1));
    strcpy(copy, text);
    free(copy);
    return 0;
}
