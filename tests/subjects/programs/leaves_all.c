/* Leaves behind whatever a program can leave behind. Each execution finds nothing of it. */
#define _GNU_SOURCE
#include "../help.h"
#include <fcntl.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int counter = 5;
static char bytes[65536];
static sem_t never;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int mine = 7;
static void *kept;

static void destroy(void *value)
{
    free(value);
}

static void *blocks(void *unused)
{
    assert(mine++ == 7);
    kept = malloc(3000);
    memset(kept, 1, 3000);
    pthread_mutex_lock(&mutex);
    sem_wait(&never);
    return unused;
}

static void *ends(void *key)
{
    assert(mine++ == 7);
    pthread_setspecific(*(pthread_key_t *)key, malloc(100));
    return NULL;
}

int main(void)
{
    assert(counter++ == 5 && bytes[0] == 0 && bytes[65535] == 0 && mine++ == 7);
    memset(bytes, 1, sizeof bytes);
    assert(sem_init(&never, 0, 0) == 0);
    pthread_key_t key;
    assert(pthread_key_create(&key, destroy) == 0);
    start(blocks, NULL);
    finish(start(ends, &key));
    char *mapping = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(mapping != MAP_FAILED && mapping[4096] == 0);
    mapping[4096] = 1;
    int fd = open("/dev/null", O_RDONLY);
    assert(fd >= 0 && fd < 50);
    FILE *file = fopen("/dev/null", "w");
    assert(file && fileno(file) < 50 && fputs("text", file) >= 0);
    assert(getenv("PLUMB_SUBJECT_LEFT") == NULL);
    assert(setenv("PLUMB_SUBJECT_LEFT", "value", 1) == 0);
    printf("output of an execution\n");
    return 0;
}
