/* Loops that are no rounds of nothing: one that counts needs a bound, one over a list or an array
 * comes to its end by itself. */
// unknown: -DCOUNTS --unroll 5
// unknown: -DNUMBERS --unroll 5
// unknown: -DSTORES --unroll 5
// counts: -DLIST sc=2 tso=2 rc11=2
// counts: -DARRAY sc=3 tso=3 rc11=3
// outcomes: -DLIST sc=3,6 tso=3,6 rc11=3,6
// counts: -DFEW sc=4 tso=4 rc11=4
#include "rounds.h"

static atomic_int flag, other;
static struct node {
    int value;
    struct node *_Atomic next;
} nodes[3] = {{1, &nodes[1]}, {2, NULL}, {3, NULL}};

static void *set(void *unused)
{
#ifdef LIST
    atomic_store(&nodes[1].next, &nodes[2]);
#endif
    atomic_store(&flag, 1);
    return unused;
}

static int wait_for(void)
{
    int result = 0;
#if defined COUNTS
    while (!atomic_load(&flag))
        result++;
#elif defined NUMBERS /* a value that no other round has had */
    for (unsigned x = 1; !atomic_load(&flag); x = x * 1664525 + 1013904223)
        result = (int)(x >> 16);
#elif defined STORES
    while (!atomic_load(&flag))
        atomic_store(&other, 1);
#elif defined LIST
    for (struct node *n = &nodes[0]; n; n = atomic_load(&n->next))
        result += n->value;
#elif defined ARRAY /* the same value is read from each place, but the place moves */
    static atomic_int all[3];
    for (int i = 0; i < 3; i++)
        result += atomic_load(&all[i]) + (i == 1 ? atomic_load(&flag) : 0);
    result += atomic_load(&flag);
#else
    for (int i = 0; i < 3 && !atomic_load(&flag); i++)
        result++;
#endif
    return result;
}

int main(void)
{
    pthread_t a = start(set, 0);
    int result = wait_for();
    finish(a);
    outcome(result);
    return 0;
}
