// expect: uninitialised-read
// compilers: own
/* Of the bit-fields of one byte one was never set; the others were, before and after. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

struct node {
    unsigned used : 1, kind : 3, level : 4;
};

static int kind_of(const struct node *node)
{
    return node->kind; // HERE
}

int main(void)
{
    struct node *node = launder(malloc(sizeof *node)); // ALLOC
    node->used = 1;
    node->level = 2;
    int kind = kind_of(launder(node));
    free(node);
    return kind == 3;
}
