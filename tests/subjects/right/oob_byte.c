// expect: pass
/* The 13th is there. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = launder(malloc(13));
    text[12] = 0;
    free(text);
    return 0;
}
