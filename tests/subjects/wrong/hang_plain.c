// expect: hang --hang-seconds 1
/* A loop of plain accesses, without end: while it is traced, most of its time is the runtime's. */
#define _GNU_SOURCE
#include "../help.h"

static long count;

static void *body(void *argument)
{
    while (*(int *)argument) {
        free(malloc(8)); // HERE
        count++;         // HERE
    }
    return NULL;
}

int main(void)
{
    int forever = 1;
    elsewhere(body, &forever);
    return 0;
}
