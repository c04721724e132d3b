/* A stack size asked for is a stack size given. */
#define _GNU_SOURCE
#include "../help.h"
#include <limits.h>
#include <string.h>

static char sum(const volatile char *bytes, size_t n)
{
    char s = 0;
    for (size_t i = 0; i < n; i += 4096)
        s = (char)(s + bytes[i]);
    return s;
}

static void *uses_much(void *argument)
{
    char big[1500 * 1024];
    memset(big, 1, sizeof big);
    *(char *)argument = sum(big, sizeof big);
    return NULL;
}

int main(void)
{
    pthread_attr_t attr;
    size_t size = 0, guard = 0;
    assert(pthread_attr_init(&attr) == 0);
    assert(pthread_attr_getstacksize(&attr, &size) == 0 && size >= 16384);
    assert(pthread_attr_setstacksize(&attr, 100) == EINVAL);
    assert(pthread_attr_setstacksize(&attr, 2 * 1024 * 1024) == 0);
    assert(pthread_attr_getstacksize(&attr, &size) == 0 && size == 2 * 1024 * 1024);
    assert(pthread_attr_setguardsize(&attr, 8192) == 0);
    assert(pthread_attr_getguardsize(&attr, &guard) == 0 && guard == 8192);
    char result = 0;
    pthread_t threads[2];
    assert(pthread_create(&threads[0], &attr, uses_much, &result) == 0);
    assert(pthread_join(threads[0], NULL) == 0);
    assert(result == (char)(1500 * 1024 / 4096));
    char results[2];
    for (int i = 0; i < 2; i++)
        assert(pthread_create(&threads[i], &attr, uses_much, &results[i]) == 0);
    for (int i = 0; i < 2; i++)
        assert(pthread_join(threads[i], NULL) == 0);
    assert(pthread_attr_destroy(&attr) == 0);
    return 0;
}
