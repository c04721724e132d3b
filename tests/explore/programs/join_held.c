// main joins a thread while it holds the lock that thread asks for, if the thread saw the flag.
// finding: sc=deadlock tso=deadlock rc11=deadlock
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;

static void *body(void *unused)
{
    if (atomic_load(&flag)) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    start(0, body);
    pthread_mutex_lock(&lock);
    atomic_store(&flag, 1);
    pthread_join(threads[0], NULL);
    pthread_mutex_unlock(&lock);
    return 0;
}
