/* The speed of an execution: three threads that each lock, count and unlock three times, from main
 * to the end of main. Most steps block or wake somebody.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { THREADS = 3, ROUNDS = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t threads[THREADS];

    for (int t = 0; t < THREADS; t++)
        pthread_create(&threads[t], NULL, work, NULL);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    assert(count == THREADS * ROUNDS);
    return 0;
}
