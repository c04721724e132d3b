// expect: pass
/* The next is read first. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
};

int main(void)
{
    struct node *node = launder(malloc(sizeof *node));
    node->next = NULL;
    struct node *next = ((struct node *)launder(node))->next;
    free(node);
    return next != NULL;
}
