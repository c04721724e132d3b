#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
void __VERIFIER_assume(int);
#ifdef ROUNDS
#define AGAIN for (int i = 0;; __VERIFIER_assume(++i < ROUNDS))
#else
#define AGAIN for (;;)
#endif
#define RLX memory_order_relaxed
#define ACQ memory_order_acquire
#define REL memory_order_release
#define SC memory_order_seq_cst
static _Atomic int x, y, z;
static int p, q;
static int sink[8];
struct node { int a, b; };
static _Atomic(struct node *) shared;

static void *t0(void *unused)
{
    
    atomic_store_explicit(&x, 1, REL);
    return unused;
}
static void *t1(void *unused)
{
    { int e = 1; AGAIN { if (atomic_compare_exchange_weak_explicit(&x, &e, 2, RLX, RLX)) break; if (p == 77) return 0; e = 1; } }
    atomic_store_explicit(&y, 1, REL);
    return unused;
}
static void *t2(void *unused)
{
    if (atomic_load_explicit(&y, ACQ) != 0) __atomic_store_n(&p, 1, __ATOMIC_RELAXED);
    
    return unused;
}
int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, t0, NULL);
    pthread_create(&t[1], NULL, t1, NULL);
    pthread_create(&t[2], NULL, t2, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    return 0;
}
