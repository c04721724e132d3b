// expect: pass
/* All members are set. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

struct node {
    int key, value;
    struct node *next;
};

static struct node *make(int key)
{
    struct node *node = launder(malloc(sizeof *node));
    node->key = key;
    node->value = 0;
    node->next = NULL;
    return launder(node);
}

int main(void)
{
    struct node *node = make(1);
    int more = node->next != NULL;
    free(node);
    return more;
}
