// expect: pass
/* Everybody takes the lower lock first. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};
static const int order[3][2] = {{0, 1}, {1, 2}, {0, 2}};

static void *eat(void *argument)
{
    const int *mine = argument;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&forks[mine[0]]);
        pthread_mutex_lock(&forks[mine[1]]);
        pthread_mutex_unlock(&forks[mine[1]]);
        pthread_mutex_unlock(&forks[mine[0]]);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        threads[i] = start(eat, (void *)(size_t)order[i]);
    for (int i = 0; i < 3; i++)
        finish(threads[i]);
    return 0;
}
