// expect: leak --leaks
/* Removing the head loses the whole list behind it. */
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
        struct node *node = malloc(sizeof *node); // HERE
        node->next = head;
        head = node;
    }
    struct node *gone = head;
    head = NULL;
    gone = launder(gone->next);
    return 0;
}
