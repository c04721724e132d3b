// expect: pass
/* The nodes are freed at the end only. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    struct node *kept; /* list of what to free at the end */
};
static _Atomic(struct node *) top;
static int at_end;

static struct node *next_of(struct node *node)
{
    return node->next;
}

static struct node *pop(void)
{
    struct node *node = atomic_load(&top);
    while (node && !atomic_compare_exchange_weak(&top, &node, next_of(node)))
        ;
    return node;
}

static void *pop_one(void *unused)
{
    struct node *node = pop();
    if (!at_end)
        free(node);
    return at_end ? node : unused;
}

int main(void)
{
    at_end = 1;
    for (int i = 0; i < 2; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = atomic_load(&top);
        atomic_store(&top, node);
    }
    pthread_t a = start(pop_one, NULL), b = start(pop_one, NULL);
    struct node *of_a = finish(a), *of_b = finish(b); /* both have ended */
    free(of_a);
    free(of_b);
    return 0;
}
