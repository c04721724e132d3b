/* A compiler barrier (inline assembly without instructions) hides nothing: no warning.
 *
 * Switches: none. Races: none allowed.
 *
 * Asserted: the counter is exact.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define barrier() __asm__ __volatile__("" ::: "memory")

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    barrier();
    count++;
    barrier();
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t other;

    pthread_create(&other, NULL, work, NULL);
    work(NULL);
    pthread_join(other, NULL);
    assert(count == 2);
    return 0;
}
