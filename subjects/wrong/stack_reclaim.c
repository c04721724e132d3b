/*
 * A lock-free stack (Treiber) that frees a node as soon as it is popped. Another thread
 * may be between reading the top and reading the top's next link: it then reads freed
 * memory. No assertion is needed to see it.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) top;

static void push(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &n->next, n))
        ;
}

static int pop(void)
{
    struct node *n = atomic_load(&top);
    while (n && !atomic_compare_exchange_weak(&top, &n, n->next))
        ;
    if (!n)
        return 0;
    int value = n->value;
    free(n);
    return value;
}

static void *work(void *argument)
{
    push(*(int *)argument);
    pop();
    return NULL;
}

int main(void)
{
    int values[] = {1, 2};
    pthread_t a, b;
    pthread_create(&a, NULL, work, &values[0]);
    pthread_create(&b, NULL, work, &values[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
