// executions: 1000
/* Every static is back at its first value: of the program, of the functions, of the library. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int counter, initialised = 77;
static int *pointer = &initialised;
static char bss[1 << 20], data[1 << 20] = {5, 6, 7};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int once_calls, exits;

static int function_static(void)
{
    static int calls = 10;
    return calls++;
}

static void count_once(void)
{
    once_calls++;
}
static void at_exit(void)
{
    assert(exits++ == 0);
}
__attribute__((constructor)) static void before_main(void)
{
    counter += 100;
}

static void *leave_locked(void *unused)
{
    assert(pthread_mutex_lock(&mutex) == 0);
    return unused; /* never unlocked: gone with the execution */
}

int main(void)
{
    assert(counter++ == 100); /* constructors ran, once */
    assert(initialised++ == 77 && pointer == &initialised);
    assert(function_static() == 10 && function_static() == 11);
    for (size_t i = 0; i < sizeof bss; i += 4099) {
        assert(bss[i] == 0);
        bss[i] = 1;
    }
    bss[sizeof bss - 1]++;
    assert(bss[sizeof bss - 1] == 1);
    assert(data[0] == 5 && data[2] == 7 && data[sizeof data - 1] == 0);
    memset(data, 9, sizeof data);
    pointer = NULL;
    char text[] = "a,b";
    assert(strcmp(strtok(text, ","), "a") == 0);
    assert(rand() == 1804289383);
    assert(random() == 846930886); /* the same generator */
    assert(lrand48() == 0);
    assert(getopt(1, (char *[]){"x", NULL}, "a") == -1 && optind == 1);
    optind = 50;
    opterr = 0;
    assert(pthread_once(&once, count_once) == 0 && once_calls == 1);
    assert(pthread_mutex_trylock(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
    elsewhere(leave_locked, NULL);
    assert(atexit(at_exit) == 0);
    errno = 0;
    void *heap = malloc(100); /* never freed, no --leaks */
    assert(heap);
    assert(setenv("PLUMB_SUBJECT_RESET", "1", 0) == 0);
    return 0;
}
