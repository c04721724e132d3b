// expect: pass
/* It is freed if it was allocated. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char small[16];
    char *buffer = launder(small);
    strcpy(buffer, "short");
    if (buffer != small)
        free(buffer);
    return 0;
}
