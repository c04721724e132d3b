/* Volatile accesses are relaxed atomics: store buffering, and two that write one variable. */
#include "outcome.h"

static volatile int x, y, z;
static int r[2];

static void *one(void *unused)
{
    x = 1;
    r[0] = y;
    z = 1;
    return unused;
}

static void *two(void *unused)
{
    y = 1;
    r[1] = x;
    z = 2;
    z++;
    return unused;
}

int main(void)
{
    pthread_t a = start(one, 0), b = start(two, 0);
    finish(a);
    finish(b);
    outcome(r[0] + 2 * r[1] + 4 * z);
    return 0;
}
