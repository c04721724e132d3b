// expect: pass
/* All eight are written. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    unsigned char *bytes = launder(malloc(8));
    for (int i = 0; i < 8; i++)
        bytes[i] = 1;
    unsigned long seen = *(unsigned long *)launder(bytes);
    free(bytes);
    return seen == 12345;
}
