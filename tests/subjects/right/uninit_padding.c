// expect: pass
/* Padding and unset members may be copied as long as nobody looks. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

struct padded {
    char c; /* and three bytes of nothing */
    int n;
    long unset;
};

int main(void)
{
    struct padded *a = launder(malloc(sizeof *a)), *b = launder(malloc(sizeof *b));
    a->c = 1;
    a->n = 2;
    *b = *a;
    memmove(launder(a), b, sizeof *a);
    int seen = a->n + b->c;
    free(a);
    free(b);
    return seen != 3;
}
