// expect: pass
/* Main waits for the thread. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

struct object {
    int data;
    pthread_mutex_t mutex;
};

static void *use(void *argument)
{
    struct object *object = argument;
    pthread_mutex_lock(&object->mutex);
    pthread_mutex_unlock(&object->mutex);
    return NULL;
}

int main(void)
{
    struct object *object = launder(malloc(sizeof *object));
    assert(pthread_mutex_init(&object->mutex, NULL) == 0);
    pthread_t thread = start(use, object);
    finish(thread);
    free(object);
    return 0;
}
