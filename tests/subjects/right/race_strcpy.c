// expect: pass
/* The name is changed under the mutex. */
#define _GNU_SOURCE
#include "../help.h"
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char name[32] = "before";

static void *rename_it(void *text)
{
    pthread_mutex_lock(&mutex);
    strcpy(name, text);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static char first(void)
{
    return name[0];
}

int main(void)
{
    char text[] = "after that";
    pthread_t thread = start(rename_it, text);
    pthread_mutex_lock(&mutex);
    char letter = first();
    pthread_mutex_unlock(&mutex);
    finish(thread);
    return letter == 'x';
}
