// A recursive mutex, taken twice by each of three threads: only the outer one counts, 6.
// counts: sc=6 tso=6 rc11=6
#include "threads.h"

static pthread_mutex_t lock;
static int count;

static void *body(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attributes);
    start_all(3, body);
    join_all(3);
    pthread_mutex_destroy(&lock);
    assert(count == 6);
    return 0;
}
