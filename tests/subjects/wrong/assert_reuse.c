// expect: assertion
/* Freed memory comes back to the thread that freed it, the last first: who compares addresses to
 * tell blocks apart (ABA) is found. */
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
    assert((uintptr_t)three != was); // HERE
    free(three);
    return 0;
}
