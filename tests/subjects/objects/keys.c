/* Thread-specific data: a value per thread and key, NULL at first, destructors when the thread
 * ends with the value taken away before, again while they set new ones, four rounds at most. */
#include "../help.h"
#include <limits.h>
#include <stdlib.h>

static pthread_key_t plain, destroyed, stubborn, deleted, chained;
static int destroyed_calls, stubborn_calls, deleted_calls, chained_calls;

static void on_destroy(void *value)
{
    assert(pthread_getspecific(destroyed) == NULL);
    (*(int *)value)++;
    destroyed_calls++;
}

static void on_stubborn(void *value)
{
    stubborn_calls++;
    assert(pthread_setspecific(stubborn, value) == 0);
}

static void on_deleted(void *value)
{
    (void)value;
    deleted_calls++;
}

/* Sets another key's value from a destructor: that key's destructor must run too. */
static void on_chained(void *value)
{
    chained_calls++;
    assert(pthread_setspecific(destroyed, value) == 0);
}

static void *body(void *argument)
{
    assert(pthread_getspecific(plain) == NULL);
    assert(pthread_getspecific(destroyed) == NULL);
    int mine;
    assert(pthread_setspecific(plain, &mine) == 0);
    assert(pthread_getspecific(plain) == &mine);
    assert(pthread_setspecific(destroyed, argument) == 0);
    assert(pthread_getspecific(destroyed) == argument);
    assert(pthread_getspecific(plain) == &mine);
    return NULL;
}

static void *null_value(void *argument)
{
    assert(pthread_setspecific(destroyed, argument) == 0);
    assert(pthread_setspecific(destroyed, NULL) == 0); /* no destructor for NULL */
    return NULL;
}

static void *by_exit(void *argument)
{
    assert(pthread_setspecific(destroyed, argument) == 0);
    pthread_exit(argument);
}

static void *set_stubborn(void *argument)
{
    assert(pthread_setspecific(stubborn, argument) == 0);
    return NULL;
}

static void *set_deleted(void *argument)
{
    assert(pthread_setspecific(deleted, argument) == 0);
    assert(pthread_key_delete(deleted) == 0);
    assert(pthread_key_delete(deleted) == EINVAL);
    assert(pthread_setspecific(deleted, argument) == EINVAL);
    return NULL;
}

static void *set_chained(void *argument)
{
    assert(pthread_setspecific(chained, argument) == 0);
    return NULL;
}

int main(void)
{
    assert(pthread_key_create(&plain, NULL) == 0);
    assert(pthread_key_create(&destroyed, on_destroy) == 0);
    assert(pthread_key_create(&stubborn, on_stubborn) == 0);
    assert(pthread_key_create(&deleted, on_deleted) == 0);
    assert(pthread_key_create(&chained, on_chained) == 0);
    int in_main = 0, values[3] = {0, 0, 0};
    assert(pthread_getspecific(plain) == NULL);
    assert(pthread_setspecific(plain, &in_main) == 0);

    elsewhere(body, &values[0]);
    assert(values[0] == 1 && destroyed_calls == 1); /* before join returns */
    elsewhere(null_value, &values[1]);
    assert(values[1] == 0 && destroyed_calls == 1);
    assert(finish(start(by_exit, &values[2])) == &values[2]);
    assert(values[2] == 1 && destroyed_calls == 2);
    elsewhere(set_stubborn, &values[0]);
    assert(stubborn_calls == PTHREAD_DESTRUCTOR_ITERATIONS);
    elsewhere(set_deleted, &values[0]);
    assert(deleted_calls == 0);
    elsewhere(set_chained, &values[1]);
    assert(chained_calls == 1 && values[1] == 1 && destroyed_calls == 3);

    pthread_t a = start(set_stubborn, &values[0]);
    int other = 7;
    assert(pthread_getspecific(plain) == &in_main); /* untouched by the others */
    assert(pthread_setspecific(plain, &other) == 0 && pthread_getspecific(plain) == &other);
    finish(a);
    assert(pthread_key_delete(plain) == 0);
    assert(pthread_getspecific(plain) == NULL);
    assert(pthread_key_delete((pthread_key_t)PTHREAD_KEYS_MAX) == EINVAL);

    /* A key used again starts at NULL everywhere, whatever the old one held. */
    pthread_key_t again;
    assert(pthread_key_create(&again, NULL) == 0);
    assert(pthread_getspecific(again) == NULL);
    assert(pthread_key_delete(again) == 0);
    return 0;
}
