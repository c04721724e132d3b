// expect: pass
/* The thread hands out a copy. */
#define _GNU_SOURCE
#include "../help.h"
#include <semaphore.h>

static _Thread_local int mine;
static sem_t given;
int *handed;
int value;

static void *owner(void *unused)
{
    handed = &value;
    assert(sem_post(&given) == 0);
    mine = 5;
    return unused;
}

int main(void)
{
    assert(sem_init(&given, 0, 0) == 0);
    pthread_t thread = start(owner, NULL);
    assert(sem_wait(&given) == 0);
    int seen = *handed;
    finish(thread);
    return seen + value > 5;
}
