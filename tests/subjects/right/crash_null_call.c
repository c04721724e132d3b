// expect: pass
/* It is set. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

static void nothing(void) {}
static void (*volatile unset)(void);
static void (*volatile callback)(void) = nothing;

static void call(void (*function)(void))
{
    function();
    callback = function;
}

int main(void)
{
    call(unset ? unset : callback);
    return 0;
}
