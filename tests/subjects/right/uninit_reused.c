// expect: pass
/* It is written first. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *old = launder(malloc(48));
    memset(old, 7, 48);
    free(old);
    int *fresh = launder(malloc(48));
    memset(fresh, 0, 48);
    int seen = fresh[3];
    free(fresh);
    return seen == 12345;
}
