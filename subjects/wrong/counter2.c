/* Counter2 of Line-Up's section 2: get keeps the lock. No history of complete operations is wrong;
 * it is a stuck one that the spec of a counter does not have (serial runs of this one do). */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void inc(void)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
}

static int get(void)
{
    pthread_mutex_lock(&lock);
    return count;
}
