// expect: pass --leaks
/* Each node is freed. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
};
static struct node *head;

int main(void)
{
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = head;
        head = node;
    }
    struct node *gone = head;
    head = NULL;
    while (gone) {
        struct node *next = gone->next;
        free(gone);
        gone = next;
    }
    return 0;
}
