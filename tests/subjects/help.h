/*
 * What the test programs share. They are written from the definitions (POSIX, C11, C++), hold
 * for every schedule, and pass natively with the C library's own threads (native.sh).
 */
#ifndef HELP_H
#define HELP_H

#undef NDEBUG
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static inline pthread_t start(void *(*body)(void *), void *argument)
{
    pthread_t thread;
    int error = pthread_create(&thread, NULL, body, argument);
    assert(error == 0);
    return thread;
}

static inline void *finish(pthread_t thread)
{
    void *result = NULL;
    int error = pthread_join(thread, &result);
    assert(error == 0);
    return result;
}

/* The compiler forgets what it knows of `pointer`: what is wrong with it stays in the program. */
static inline void *launder(void *pointer)
{
    __asm__ volatile("" : "+r"(pointer));
    return pointer;
}

/* Runs one thread alone, from start to end: "what does another thread see?" */
static inline void elsewhere(void *(*body)(void *), void *argument)
{
    finish(start(body, argument));
}

/* The moment `ms` from now (may be negative) on `clock`. */
static inline struct timespec in_ms(clockid_t clock, long ms)
{
    struct timespec t;
    int error = clock_gettime(clock, &t);
    assert(error == 0);
    t.tv_sec += ms / 1000;
    t.tv_nsec += ms % 1000 * 1000000;
    if (t.tv_nsec < 0) {
        t.tv_sec--;
        t.tv_nsec += 1000000000;
    }
    if (t.tv_nsec >= 1000000000) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000;
    }
    return t;
}

#endif
