// executions: 30
/* There are PTHREAD_KEYS_MAX keys at most, and each works. The C library keeps none for itself
 * here, a library might: ask for at least 1000. */
#include "../help.h"
#include <limits.h>
#include <stdint.h>

static pthread_key_t keys[PTHREAD_KEYS_MAX + 1];
static int made;

static void *body(void *unused)
{
    for (int i = 0; i < made; i += 37)
        assert(pthread_getspecific(keys[i]) == NULL);
    for (intptr_t i = 0; i < made; i += 37)
        assert(pthread_setspecific(keys[i], (void *)(i + 5000)) == 0);
    for (intptr_t i = 0; i < made; i += 37)
        assert(pthread_getspecific(keys[i]) == (void *)(i + 5000));
    return unused;
}

int main(void)
{
    int error = 0;
    while (made <= PTHREAD_KEYS_MAX && (error = pthread_key_create(&keys[made], NULL)) == 0)
        made++;
    assert(error == EAGAIN);
    assert(made >= 1000 && made <= PTHREAD_KEYS_MAX);
    for (intptr_t i = 0; i < made; i++)
        assert(pthread_setspecific(keys[i], (void *)(i + 1)) == 0);
    pthread_t a = start(body, NULL);
    for (intptr_t i = 0; i < made; i++)
        assert(pthread_getspecific(keys[i]) == (void *)(i + 1));
    finish(a);
    for (int i = 0; i < made; i++)
        assert(pthread_key_delete(keys[i]) == 0);
    return 0;
}
