/* Rounds with an effect that no comparison of values sees: memory allocated and freed, random
 * numbers, a counter in a library. Each gives up, and that must come out. */
// outcomes: -DMALLOC sc=0,1 tso=0,1 rc11=0,1
// outcomes: -DKEPT sc=0,1 tso=0,1 rc11=0,1
// outcomes: -DERRNO sc=0,1 tso=0,1 rc11=0,1
// outcomes: -DCREATE sc=0,1 tso=0,1 rc11=0,1
// outcomes: -DSPECIFIC sc=0,1 tso=0,1 rc11=0,1
// outcomes: -DGETVALUE sc=0,1 tso=0,1 rc11=0,1
// outcomes: -DRAND sc=0,1 tso=0,1 rc11=0,1
// outcomes: -DRECURSIVE sc=0,1 tso=0,1 rc11=0,1
// outcomes: -DPOST sc=0,1 tso=0,1 rc11=0,1
// outcomes: -DSTRTOK sc=0,1 tso=0,1 rc11=0,1
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>
#include <string.h>

#include "rounds.h"

static atomic_int flag;

static void *set(void *unused)
{
    atomic_store(&flag, 1);
    return unused;
}

#if defined MALLOC /* the freed blocks change places: the third round gets the first block again   \
                    */
static int gives_up(void)
{
    static void *first;
    static int rounds;
    void *a = malloc(24), *b = malloc(24);
    if (!a || !b)
        abort();
    if (!first)
        first = a;
    rounds++;
    free(a);
    free(b);
    return rounds == 3;
}
#elif defined KEPT
static int gives_up(void)
{
    static _Thread_local void *kept[3];
    void *p = malloc(8);
    for (int i = 0; i < 3; i++)
        if (!kept[i]) {
            kept[i] = p;
            return i == 2;
        }
    return 1;
}
#elif defined ERRNO
static int gives_up(void)
{
    return ++errno == 3;
}
#elif defined CREATE
static void *nothing(void *unused)
{
    return unused;
}
static int gives_up(void)
{
    static atomic_int made;
    finish(start(nothing, 0));
    return atomic_fetch_add(&made, 1) == 2;
}
#elif defined SPECIFIC
static pthread_key_t key;
static int gives_up(void)
{
    if (!key && (pthread_key_create(&key, NULL) || !key))
        pthread_key_create(&key, NULL);
    char *count = pthread_getspecific(key);
    pthread_setspecific(key, count + 1);
    return count == (char *)NULL + 2;
}
#elif defined GETVALUE
static sem_t semaphore;
static int gives_up(void)
{
    static int value;
    int before = value;
    sem_getvalue(&semaphore, &value);
    value += before + 1;
    return before == 2;
}
#elif defined RAND
static int gives_up(void)
{
    return rand() % 4 == 1;
}
#elif defined RECURSIVE
static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int gives_up(void)
{
    int depth = 0;
    pthread_mutex_lock(&mutex);
    while (!pthread_mutex_unlock(&mutex))
        depth++;
    for (int i = 0; i <= depth; i++)
        pthread_mutex_lock(&mutex);
    return depth == 3;
}
#elif defined POST
static sem_t semaphore;
static int gives_up(void)
{
    int value;
    sem_post(&semaphore);
    sem_getvalue(&semaphore, &value);
    return value == 3;
}
#else
static int gives_up(void)
{
    static char text[] = "a b c";
    static int begun;
    char *part = strtok(begun ? NULL : text, " ");
    begun = 1;
    return !part;
}
#endif

int main(void)
{
    pthread_t a = start(set, 0);
    int late = 0;
    while (!atomic_load(&flag) && !late)
        late = gives_up();
    finish(a);
    outcome(late);
    return 0;
}
