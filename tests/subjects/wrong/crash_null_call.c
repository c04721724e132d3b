// expect: crash
/* A callback that was never set is called. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

static void nothing(void) {}
static void (*volatile unset)(void);
static void (*volatile callback)(void) = nothing;

static void call(void (*function)(void))
{
    function(); // HERE
    callback = function;
}

int main(void)
{
    call(unset);
    return 0;
}
