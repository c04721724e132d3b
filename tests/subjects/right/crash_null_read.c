// expect: pass
/* It is looked at first. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

struct node {
    long value[4];
};

__attribute__((noinline)) static long value_of(struct node *node)
{
    return node->value[2];
}

int main(void)
{
    struct node *node = launder(NULL);
    return node && value_of(node) == 5;
}
