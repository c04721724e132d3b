// expect: invalid-free
/* The buffer is on the stack unless it was too small; it is freed always. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char small[16];
    char *buffer = launder(small);
    strcpy(buffer, "short");
    free(buffer); // HERE
    return 0;
}
