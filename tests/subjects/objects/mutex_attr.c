/* Attributes of mutexes: defaults, round trips, refused values. */
#define _GNU_SOURCE
#include "../help.h"

int main(void)
{
    pthread_mutexattr_t attr;
    int value = -1;
    assert(pthread_mutexattr_init(&attr) == 0);
    assert(pthread_mutexattr_gettype(&attr, &value) == 0 && value == PTHREAD_MUTEX_DEFAULT);
    static const int types[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ERRORCHECK,
                                PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ADAPTIVE_NP};
    for (size_t i = 0; i < COUNT(types); i++) {
        assert(pthread_mutexattr_settype(&attr, types[i]) == 0);
        assert(pthread_mutexattr_gettype(&attr, &value) == 0 && value == types[i]);
        pthread_mutex_t mutex;
        assert(pthread_mutex_init(&mutex, &attr) == 0);
        assert(pthread_mutex_lock(&mutex) == 0);
        int again = pthread_mutex_trylock(&mutex);
        assert(again == (types[i] == PTHREAD_MUTEX_RECURSIVE ? 0 : EBUSY));
        if (again == 0)
            assert(pthread_mutex_unlock(&mutex) == 0);
        assert(pthread_mutex_unlock(&mutex) == 0);
        assert(pthread_mutex_destroy(&mutex) == 0);
    }
    assert(pthread_mutexattr_settype(&attr, 77) == EINVAL);
    assert(pthread_mutexattr_getpshared(&attr, &value) == 0 && value == PTHREAD_PROCESS_PRIVATE);
    assert(pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_mutexattr_getpshared(&attr, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
    assert(pthread_mutexattr_setpshared(&attr, 77) == EINVAL);
    assert(pthread_mutexattr_getrobust(&attr, &value) == 0 && value == PTHREAD_MUTEX_STALLED);
    assert(pthread_mutexattr_setrobust(&attr, 77) == EINVAL);
    assert(pthread_mutexattr_getprotocol(&attr, &value) == 0 && value == PTHREAD_PRIO_NONE);
    assert(pthread_mutexattr_setprotocol(&attr, 77) == EINVAL);
    assert(pthread_mutexattr_destroy(&attr) == 0);
    return 0;
}
