// expect: data-race
/* Both threads lock, but not the same mutex. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
int shared;

static void *by_one(void *unused)
{
    pthread_mutex_lock(&one);
    shared++; // HERE
    pthread_mutex_unlock(&one);
    return unused;
}

int main(void)
{
    pthread_mutex_t *mine = &two;
    pthread_t thread = start(by_one, NULL);
    pthread_mutex_lock(mine);
    shared++; // HERE
    pthread_mutex_unlock(mine);
    finish(thread);
    return 0;
}
