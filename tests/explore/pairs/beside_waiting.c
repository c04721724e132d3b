/* Main waits in its loop, whose compare-exchange makes no pair (it carries a value), where others
 * have pairs: these must not be interrupted between the two to let others go before them. */
// pairs: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top = 1, mark;
static int down_first, up_second, down_second, up_third, result;

static int up(int value)
{
    for (;;) {
        int old = atomic_load(&top);
        if (atomic_compare_exchange_strong(&top, &old, value))
            return old;
    }
}

static int down(void)
{
    for (;;) {
        int old = atomic_load(&top);
        if (!old || atomic_compare_exchange_strong(&top, &old, old == 3 ? 1 : old == 1 ? 2 : 0))
            return old;
    }
}

static void *first(void *argument)
{
    down_first = down();
    return argument;
}

static void *second(void *argument)
{
    up_second = up(3);
    atomic_store(&mark, 1);
    down_second = down();
    return argument;
}

static void *third(void *argument)
{
    up_third = up(4);
    return argument;
}

int main(void)
{
    pthread_t t[3];
    int old, seen = 0;
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[2], NULL, third, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    for (;;) {
        old = atomic_load(&top);
        if (!old)
            break;
        seen = old < 3 ? atomic_load(&mark) : 7;
        if (atomic_compare_exchange_strong(&top, &old, 0))
            break;
    }
    result = (old != 0) + 10 * seen;
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(result != 1 || up_second != 1 || down_second != 3 || up_third || down_first != 4);
    return 0;
}
