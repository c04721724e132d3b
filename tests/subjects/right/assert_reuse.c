// expect: pass --reuse=off
/* Without reuse addresses stay fresh: blocks can be told apart by them. */
#include "../help.h"
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    void *one = malloc(24), *two = malloc(24);
    uintptr_t was = (uintptr_t)two;
    free(one);
    free(two);
    void *three = malloc(24);
#ifndef NATIVE /* the C library's heap gives it out again */
    assert((uintptr_t)three != was);
#endif
    (void)was;
    free(three);
    return 0;
}
