/* A store that every round repeats, but the round first reads the same bytes by another name. */
// outcomes: sc=0,1,3 tso=0,1,3 rc11=0,1,3
// outcomes: -DBY_NAME sc=0,1,3 tso=0,1,3 rc11=0,1,3
#include "rounds.h"

static atomic_int word;
static struct node {
    int next;
} node = {2}, *_Atomic known = &node;

static void *change(void *unused)
{
    atomic_store(&word, 1);
    return unused;
}

__attribute__((noinline)) static int push(struct node *n)
{
    int old = atomic_load(&word), before;
    do {
#ifdef BY_NAME
        before = node.next;
#else
        before = atomic_load_explicit(&known, memory_order_relaxed)->next;
#endif
        n->next = old;
    } while (!atomic_compare_exchange_strong(&word, &old, 7));
    return (before != 2) * 2 + old; /* the first round finds 2 */
}

int main(void)
{
    pthread_t a = start(change, 0);
    int result = push(&node);
    finish(a);
    outcome(result);
    return 0;
}
