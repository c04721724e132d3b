// expect: pass
/* There is one. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = launder(malloc(8));
    memset(text, 'x', 8);
    text[7] = 0;
    size_t n = strlen(launder(text));
    free(text);
    return n == 12345;
}
