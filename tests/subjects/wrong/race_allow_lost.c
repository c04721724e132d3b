// expect: assertion --races=allow
/*
 * Races allowed, their consequences are seen: an addition gets lost between the read and the
 * write.
 */
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
    bump();
    return unused;
}

int main(void)
{
    pthread_t a = start(add, NULL), b = start(add, NULL);
    finish(a);
    finish(b);
    assert(counter == 2); // HERE
    pthread_mutex_destroy(&mutex);
    return 0;
}
