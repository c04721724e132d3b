/* pthread_exit from a nested call ends the thread with a result; the cleanup handlers that are
 * pushed run, last first, before the destructors of thread-specific data; popped ones do not. */
#include "../help.h"
#include <stdlib.h>
#include <string.h>

static char order[16]; /* of one thread at a time */
static pthread_key_t key;

static void note(void *letter)
{
    strncat(order, letter, 1);
}

#pragma GCC diagnostic ignored "-Winfinite-recursion" /* it ends by pthread_exit */
static void deeper(int depth, char *result)
{
    char a[] = "a", popped[] = "x", run[] = "r";
    pthread_cleanup_push(note, a);
    pthread_cleanup_push(note, popped);
    pthread_cleanup_pop(0);
    pthread_cleanup_push(note, run);
    pthread_cleanup_pop(depth == 1); /* runs it, once */
    if (depth == 0)
        pthread_exit(result);
    deeper(depth - 1, result);
    pthread_cleanup_pop(1); /* not reached */
}

static void *body(void *result)
{
    static char last[] = "z", key_value[] = "k";
    assert(pthread_setspecific(key, key_value) == 0);
    pthread_cleanup_push(note, last);
    deeper(2, result);
    pthread_cleanup_pop(0);
    abort();
}

static void unlock(void *mutex)
{
    assert(pthread_mutex_unlock(mutex) == 0);
}

static void *exit_holding(void *mutex)
{
    assert(pthread_mutex_lock(mutex) == 0);
    pthread_cleanup_push(unlock, mutex);
    pthread_exit(NULL);
    pthread_cleanup_pop(0);
}

int main(void)
{
    char result;
    assert(pthread_key_create(&key, note) == 0);
    assert(finish(start(body, &result)) == &result);
    assert(strcmp(order, "raaazk") == 0);

    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_t a = start(exit_holding, &mutex), b = start(exit_holding, &mutex);
    finish(a);
    finish(b);
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
    return 0;
}
