/* Two threads add to one counter, under a mutex unless RACY. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef STEP
#define STEP 1
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *add(void *unused)
{
    (void)unused;
#ifndef RACY
    pthread_mutex_lock(&mutex);
#endif
    counter += STEP;
#ifndef RACY
    pthread_mutex_unlock(&mutex);
#endif
    return NULL;
}

int main(void)
{
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    assert(counter == 2 * STEP);
    return 0;
}
