// expect: pass
/* Only the old part is used. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = calloc(1, 10);
    text = launder(realloc(text, 20));
    char seen = text[9];
    free(text);
    return seen == 77;
}
