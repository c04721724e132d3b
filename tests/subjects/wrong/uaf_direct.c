// expect: use-after-free
/* The list node is freed, then its next is read. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
};

int main(void)
{
    struct node *node = launder(malloc(sizeof *node)); // ALLOC
    node->next = NULL;
    free(node);                                               // FREE
    struct node *next = ((struct node *)launder(node))->next; // HERE
    return next != NULL;
}
