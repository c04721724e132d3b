// expect: deadlock
/* Two mutexes are taken in two orders. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *forward(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); // HERE
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *backward(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); // HERE
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void)
{
    pthread_t first = start(forward, NULL), second = start(backward, NULL);
    finish(first);
    finish(second);
    return 0;
}
