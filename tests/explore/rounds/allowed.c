/* Plain accesses that race, and are allowed to: a flag, and a push whose node is prepared anew in
 * every round. */
// options: --races=allow
// counts: sc=1 tso=1 rc11=1
// outcomes: -DPUSH sc=1,2 tso=1,2 rc11=1,2
// finding: -DNOBODY sc=livelock tso=livelock rc11=livelock
#include "rounds.h"

static int flag;
static struct node {
    int value;
    struct node *next;
} * _Atomic top, nodes[2] = {{0, NULL}, {1, NULL}};

static void *work(void *argument)
{
#ifdef PUSH
    struct node *n = &nodes[(long)argument], *old = atomic_load(&top);
    do
        n->next = old;
    while (!atomic_compare_exchange_strong(&top, &old, n));
#elif defined NOBODY
    (void)argument;
#else
    if (argument)
        flag = 1;
#endif
    return NULL;
}

int main(void)
{
    pthread_t a = start(work, 0), b = start(work, 1);
#ifndef PUSH
    while (!flag)
        ;
#endif
    finish(a);
    finish(b);
    int order = 0;
    for (struct node *n = atomic_load(&top); n; n = n->next)
        order = order * 2 + n->value;
    (void)nodes;
    outcome(order);
    return 0;
}
