// expect: assertion --spurious
/* pthread_cond_wait is not in a loop: with --spurious it may return although nobody signalled. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void *set(void *unused)
{
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_mutex_lock(&mutex);
    pthread_t thread = start(set, NULL);
    if (!ready)
        pthread_cond_wait(&condition, &mutex);
    assert(ready); // HERE
    pthread_mutex_unlock(&mutex);
    finish(thread);
    return 0;
}
