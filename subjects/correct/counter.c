/* The counter of Line-Up's section 2: dec waits while it is zero. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int count;

static void inc(void)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
}

static void dec(void)
{
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&more, &lock);
    count--;
    pthread_mutex_unlock(&lock);
}

static int get(void)
{
    pthread_mutex_lock(&lock);
    int now = count;
    pthread_mutex_unlock(&lock);
    return now;
}
