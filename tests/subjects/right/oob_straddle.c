// expect: pass
/* It fits. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *block = launder(malloc(12));
    *(int *)launder(block + 8) = 1;
    free(block);
    return 0;
}
