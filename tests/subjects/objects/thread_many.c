// executions: 100
/* Many threads at once (the limit is 64 with main), and far more one after the other. */
#include "../help.h"
#include <stdatomic.h>
#include <stdint.h>

static atomic_int sum;

static void *add(void *argument)
{
    atomic_fetch_add(&sum, (int)(intptr_t)argument);
    return argument;
}

int main(void)
{
    pthread_t threads[40];
    for (intptr_t i = 0; i < 40; i++)
        threads[i] = start(add, (void *)i);
    for (intptr_t i = 0; i < 40; i++)
        assert(finish(threads[i]) == (void *)i);
    assert(atomic_load(&sum) == 780);
    for (intptr_t i = 0; i < 200; i++)
        assert(finish(start(add, (void *)i)) == (void *)i);
    assert(atomic_load(&sum) == 780 + 19900);
    return 0;
}
