// expect: pass
/* It is freed once. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

static void again(void *block)
{
    free(block);
}

int main(void)
{
    char *block = launder(malloc(10));
    again(launder(block));
    return 0;
}
