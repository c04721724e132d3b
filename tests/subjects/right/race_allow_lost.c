// expect: pass --races=allow
/* With a mutex none does. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int counter;

static void bump(void)
{
    counter++;
}

static void *add(void *unused)
{
    pthread_mutex_lock(&mutex);
    bump();
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a = start(add, NULL), b = start(add, NULL);
    finish(a);
    finish(b);
    assert(counter == 2);
    pthread_mutex_destroy(&mutex);
    return 0;
}
