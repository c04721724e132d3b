// expect: crash
/* A list is empty, its first node is read. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

struct node {
    long value[4];
};

long value_of(struct node *node); /* static, gcc -O2 would have the caller read */

__attribute__((noinline)) long value_of(struct node *node)
{
    return node->value[2]; // HERE
}

int main(void)
{
    struct node *node = launder(NULL);
    return value_of(node) == 5;
}
