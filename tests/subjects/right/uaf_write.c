// expect: pass
/* It is freed last. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

static void drop(char *block)
{
    free(block);
}

static void fill(char *block)
{
    memset(block, 1, 30);
}

int main(void)
{
    char *block = launder(malloc(30));
    fill(launder(block));
    drop(block);
    return 0;
}
