/* What is written under a mutex is seen by the next holder, and a mutex inside a heap object may
 * be destroyed and freed by whoever takes the last reference under it. */
#include "../help.h"
#include <stdlib.h>

struct object {
    pthread_mutex_t mutex;
    int references;
    int data[4];
};

static void *drop(void *argument)
{
    struct object *object = argument;
    assert(pthread_mutex_lock(&object->mutex) == 0);
    for (int i = 0; i < 4; i++)
        object->data[i]++;
    int left = --object->references;
    assert(pthread_mutex_unlock(&object->mutex) == 0);
    if (left == 0) {
        for (int i = 0; i < 4; i++)
            assert(object->data[i] == 3);
        assert(pthread_mutex_destroy(&object->mutex) == 0);
        free(object);
    }
    return NULL;
}

int main(void)
{
    struct object *object = malloc(sizeof *object);
    assert(object);
    assert(pthread_mutex_init(&object->mutex, NULL) == 0);
    object->references = 3;
    for (int i = 0; i < 4; i++)
        object->data[i] = 0;
    pthread_t a = start(drop, object);
    pthread_t b = start(drop, object);
    drop(object);
    finish(a);
    finish(b);
    return 0;
}
