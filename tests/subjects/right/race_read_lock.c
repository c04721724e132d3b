// expect: pass
/* They write under a write lock. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int shared;

static void *change(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    shared++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a = start(change, NULL), b = start(change, NULL);
    finish(a);
    finish(b);
    return 0;
}
