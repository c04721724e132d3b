// expect: exit
/* Main calls exit with a status that says failure. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

static void leave(int status)
{
    exit(status); // HERE
}

int main(void)
{
    leave(EXIT_FAILURE);
}
