// expect: pass
/* Both happen under the mutex. */
#define _GNU_SOURCE
#include "../help.h"

struct point {
    long x, y, z;
};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct point shared, copy;

static void *take(void *unused)
{
    pthread_mutex_lock(&mutex);
    copy = shared;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void move(void)
{
    shared.z = 3;
}

int main(void)
{
    pthread_t thread = start(take, NULL);
    pthread_mutex_lock(&mutex);
    move();
    pthread_mutex_unlock(&mutex);
    finish(thread);
    return 0;
}
