/* pthread_once: exactly one call, and nobody returns before it is complete. */
#include "../help.h"
#include <sched.h>
#include <stdatomic.h>

static pthread_once_t control = PTHREAD_ONCE_INIT, outer = PTHREAD_ONCE_INIT,
                      inner = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int calls, value; /* plain: ordered by the once */
static int outer_calls, inner_calls;

static void initialise(void)
{
    calls++;
    sched_yield();
    assert(pthread_mutex_lock(&mutex) == 0); /* may block inside */
    value = 42;
    assert(pthread_mutex_unlock(&mutex) == 0);
}

static void initialise_inner(void)
{
    inner_calls++;
}

static void initialise_outer(void)
{
    assert(pthread_once(&inner, initialise_inner) == 0);
    outer_calls++;
}

static void *use(void *unused)
{
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
    for (int i = 0; i < 2; i++) {
        assert(pthread_once(&control, initialise) == 0);
        assert(calls == 1 && value == 42);
    }
    assert(pthread_once(&outer, initialise_outer) == 0);
    assert(outer_calls == 1 && inner_calls == 1);
    return unused;
}

int main(void)
{
    assert(calls == 0 && value == 0);
    pthread_t a = start(use, NULL);
    pthread_t b = start(use, NULL);
    use(NULL);
    finish(a);
    finish(b);
    assert(calls == 1);
    return 0;
}
