// expect: pass --leaks
/* What a global still points to at the end is no leak, over any number of steps. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    char name[20];
};
struct node *list;
char *middle; /* not static: the optimiser must keep what is stored */
_Thread_local char *of_main;

int main(void)
{
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        strcpy(node->name, "name");
        node->next = list;
        list = node;
    }
    middle = (char *)malloc(100) + 50; /* inside the block is enough */
    of_main = malloc(10);
    return 0;
}
