// expect: pass
/* It is copied to the heap. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

static char fallback[] = "default";

int main(void)
{
    char *name = strdup(fallback);
    free(name);
    return 0;
}
