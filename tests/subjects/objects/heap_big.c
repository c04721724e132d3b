// expect: pass --steps 1000000000
// executions: 4
// long: 60
/* Blocks of megabytes, kept through realloc, freed by another thread. */
#include "../help.h"
#include <stdlib.h>
#include <string.h>

enum { MB = 1024 * 1024 };

static void *drop(void *block)
{
    assert(((char *)block)[10 * MB - 1] == 3);
    free(block);
    return NULL;
}

int main(void)
{
    char *big = malloc(10 * MB);
    assert(big);
    memset(big, 3, 10 * MB);
    elsewhere(drop, big);
    char *zero = calloc(5, MB);
    assert(zero);
    for (size_t i = 0; i < 5 * MB; i += 4093)
        assert(zero[i] == 0);
    memset(zero, 1, 5 * MB);
    zero = realloc(zero, 12 * MB);
    assert(zero && zero[0] == 1 && zero[5 * MB - 1] == 1);
    free(zero);
    for (int i = 0; i < 40; i++) { /* 400 MB if nothing were given back */
        char *again = malloc(10 * MB);
        assert(again);
        again[0] = again[10 * MB - 1] = 1;
        free(again);
    }
    return 0;
}
