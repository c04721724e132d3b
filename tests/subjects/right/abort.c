// expect: pass
/* It does not. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

static void *give_up(void *unused)
{
    if (unused)
        abort();
    return unused;
}

int main(void)
{
    elsewhere(give_up, NULL);
    return 0;
}
