// expect: pass
/* It lets the second mutex go. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void wait_ready(void)
{
    pthread_mutex_lock(&inner);
    while (!ready)
        pthread_cond_wait(&condition, &inner);
    pthread_mutex_unlock(&inner);
}

static void *waiter(void *unused)
{
    wait_ready();
    return unused;
}

int main(void)
{
    pthread_t thread = start(waiter, NULL);
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    finish(thread);
    return 0;
}
