// expect: pass
/* An atomic flag is. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>

atomic_int flag;
int data;

static void *set(void *unused)
{
    data = 42;
    flag = 1;
    return unused;
}

int main(void)
{
    pthread_t thread = start(set, NULL);
    if (flag)
        assert(data == 42);
    finish(thread);
    return 0;
}
