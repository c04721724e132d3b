// expect: pass
/* With one that says success. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

static void leave(int status)
{
    exit(status);
}

int main(void)
{
    leave(EXIT_SUCCESS);
}
