// expect: pass
/* The upper half of another number is read. */
#define _GNU_SOURCE
#include "../help.h"

union {
    __int128 whole;
    long half[2];
} number, other;

static void *write_whole(void *unused)
{
    number.whole = ((__int128)5 << 64) + 7;
    return unused;
}

int main(void)
{
    other.whole = 1;
    pthread_t thread = start(write_whole, NULL);
    long seen = other.half[1];
    finish(thread);
    return seen > 5;
}
