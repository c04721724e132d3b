// expect: data-race
/* A structure is copied by assignment in one thread and changed in another. */
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
    copy = shared; // HERE
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void move(void)
{
    shared.z = 3; // HERE
}

int main(void)
{
    pthread_t thread = start(take, NULL);
    move();
    finish(thread);
    return 0;
}
