// expect: pass
/* They let go first. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *upgrade(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a = start(upgrade, NULL), b = start(upgrade, NULL);
    finish(a);
    finish(b);
    return 0;
}
