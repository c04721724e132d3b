// expect: uninitialised-read
/* Seven of eight bytes are written, then all eight are read as one number. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    unsigned char *bytes = launder(malloc(8)); // ALLOC
    for (int i = 0; i < 7; i++)
        bytes[i] = 1;
    unsigned long seen = *(unsigned long *)launder(bytes); // HERE
    free(bytes);
    return seen == 12345;
}
