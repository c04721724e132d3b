// expect: data-race
/* Two threads write the same variable with nothing between them. */
#define _GNU_SOURCE
#include "../help.h"

long word[2];

static void *first(void *unused)
{
    word[0] = 1; // HERE
    return unused;
}

static void *second(void *unused)
{
    word[0] = 2; // HERE
    return unused;
}

int main(void)
{
    pthread_t a = start(first, NULL), b = start(second, NULL);
    finish(a);
    finish(b);
    return 0;
}
