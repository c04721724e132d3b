// expect: data-race
/* A 128-bit number is written in one piece of code while another thread reads its upper half. */
#define _GNU_SOURCE
#include "../help.h"

union {
    __int128 whole;
    long half[2];
} number, other;

static void *write_whole(void *unused)
{
    number.whole = ((__int128)5 << 64) + 7; // HERE
    return unused;
}

int main(void)
{
    other.whole = 1;
    pthread_t thread = start(write_whole, NULL);
    long seen = number.half[1]; // HERE
    finish(thread);
    return seen > 5;
}
