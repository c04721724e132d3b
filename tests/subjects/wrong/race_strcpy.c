// expect: data-race
/* A name is changed with strcpy while another thread looks at its first letter. */
#define _GNU_SOURCE
#include "../help.h"
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char name[32] = "before";

static void *rename_it(void *text)
{
    pthread_mutex_lock(&mutex);
    strcpy(name, text); // HERE
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static char first(void)
{
    return name[0]; // HERE
}

int main(void)
{
    char text[] = "after that";
    pthread_t thread = start(rename_it, text);
    char letter = first();
    finish(thread);
    return letter == 'x';
}
