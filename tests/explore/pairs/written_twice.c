/* A place that is written twice, first in a round of a loop that stores it before anybody reads it:
 * what others may read there in a round that fails is the second. */
// pairs: no
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *_Atomic next;
};
static struct node good;
static struct node *_Atomic place;
static atomic_int top = 5, again, z, ready = 1;

static void *writes(void *argument)
{
    do
        atomic_store(&place, &good);
    while (!atomic_load(&ready));
    if (atomic_load(&again))
        atomic_store(&place, NULL);
    return argument;
}

static void *takes(void *argument)
{
    if (atomic_exchange(&top, 9) == 5 && !atomic_fetch_add(&z, 2))
        atomic_store(&again, 1);
    return argument;
}

static void *tries(void *argument)
{
    if (!atomic_load(&place))
        return argument;
    for (;;) {
        int old = atomic_load(&top);
        if (old == 9)
            break;
        struct node *n = atomic_load(&place);
        (void)atomic_load(&n->next);
        if (atomic_compare_exchange_strong(&top, &old, 6))
            break;
    }
    return argument;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, writes, NULL);
    pthread_create(&t[1], NULL, takes, NULL);
    pthread_create(&t[2], NULL, tries, NULL);
    atomic_store(&z, 1);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
