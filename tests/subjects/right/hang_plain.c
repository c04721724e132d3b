// expect: pass --hang-seconds 1
/* With an end. */
#define _GNU_SOURCE
#include "../help.h"

static long count;

static void *body(void *argument)
{
    while (*(int *)argument) {
        free(malloc(8));
        count++;
    }
    return NULL;
}

int main(void)
{
    int forever = 0;
    elsewhere(body, &forever);
    return 0;
}
