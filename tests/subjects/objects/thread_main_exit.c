/* pthread_exit in main ends main only; the others go on, and the program ends with the last of
 * them, with status 0, running what atexit was given. */
#include "../help.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_t main_thread;
static atomic_int ended;

static void at_exit(void)
{
    assert(atomic_load(&ended) == 2);
}

static void *joins_main(void *unused)
{
    void *result = NULL;
    assert(pthread_join(main_thread, &result) == 0);
    assert(result == &ended);
    atomic_fetch_add(&ended, 1);
    return unused;
}

static void *alone(void *unused)
{
    atomic_fetch_add(&ended, 1);
    return unused;
}

int main(void)
{
    main_thread = pthread_self();
    assert(atexit(at_exit) == 0);
    start(joins_main, NULL);
    assert(pthread_detach(start(alone, NULL)) == 0);
    pthread_exit(&ended);
}
