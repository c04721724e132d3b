/* Named semaphores: made, found again, refused, unlinked; gone at the next execution. */
#define _GNU_SOURCE
#include "../help.h"
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static void *post(void *sem)
{
    assert(sem_post(sem) == 0);
    return NULL;
}

int main(void)
{
    char name[64];
    snprintf(name, sizeof name, "/plumb-subject-%ld", (long)getpid());
    assert(sem_open(name, 0) == SEM_FAILED && errno == ENOENT);
    sem_t *sem = sem_open(name, O_CREAT | O_EXCL, 0600, 1u);
    assert(sem != SEM_FAILED);
    assert(sem_open(name, O_CREAT | O_EXCL, 0600, 1u) == SEM_FAILED && errno == EEXIST);
    sem_t *again = sem_open(name, 0);
    assert(again == sem); /* the same name gives the same address in one process */
    assert(sem_wait(again) == 0);
    assert(sem_trywait(sem) == -1 && errno == EAGAIN);
    pthread_t thread = start(post, sem);
    assert(sem_wait(again) == 0);
    finish(thread);
    assert(sem_close(again) == 0);
    assert(sem_unlink(name) == 0);
    assert(sem_unlink(name) == -1 && errno == ENOENT);
    assert(sem_post(sem) == 0); /* unlinked, but open still */
    assert(sem_wait(sem) == 0);
    assert(sem_close(sem) == 0);
    return 0;
}
