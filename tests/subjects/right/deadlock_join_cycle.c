// expect: pass
/* They wait in a line. */
#define _GNU_SOURCE
#include "../help.h"
#include <semaphore.h>

static pthread_t threads[3];
static sem_t go;
static int targets[3] = {1, 2, -1};

static void *join_next(void *argument)
{
    int target = *(int *)argument;
    assert(sem_wait(&go) == 0);
    if (target >= 0)
        pthread_join(threads[target], NULL);
    return NULL;
}

int main(void)
{
    assert(sem_init(&go, 0, 0) == 0);
    for (int i = 0; i < 3; i++)
        threads[i] = start(join_next, &targets[i]);
    for (int i = 0; i < 3; i++)
        assert(sem_post(&go) == 0);
    pthread_exit(NULL);
}
