// expect: pass
/* Two threads write two variables. */
#define _GNU_SOURCE
#include "../help.h"

long word[2];

static void *first(void *unused)
{
    word[0] = 1;
    return unused;
}

static void *second(void *unused)
{
    word[1] = 2;
    return unused;
}

int main(void)
{
    pthread_t a = start(first, NULL), b = start(second, NULL);
    finish(a);
    finish(b);
    return 0;
}
