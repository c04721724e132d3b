/*
 * Random numbers and clocks are the same in every execution and every run. The first execution
 * leaves them in a file of the working directory, the others compare (run once in an empty
 * directory this passes natively too). rand() and random() start at the C library's known value.
 */
#define _GNU_SOURCE
#include "../help.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    assert(rand() == 1804289383 && rand() == 846930886);
    srandom(1);
    assert(random() == 1804289383);
    unsigned seed = 5;
    int first = rand_r(&seed);
    seed = 5;
    assert(rand_r(&seed) == first);
    double unit = drand48();
    assert(unit >= 0 && unit < 1);

    unsigned char bytes[48], stored[sizeof bytes];
    memset(bytes, 0, sizeof bytes);
    assert(getrandom(bytes, 16, 0) == 16);
    assert(getentropy(bytes + 16, 16) == 0);
    struct timespec real;
    assert(clock_gettime(CLOCK_REALTIME, &real) == 0);
    memcpy(bytes + 32, &real.tv_sec, 8);
    memcpy(bytes + 40, &real.tv_nsec, 8);
    assert(memcmp(bytes, bytes + 16, 16) != 0);

    int fd = open("random.bytes", O_RDONLY);
    if (fd < 0) {
        fd = open("random.bytes", O_WRONLY | O_CREAT | O_EXCL, 0600);
        assert(fd >= 0);
        assert(write(fd, bytes, sizeof bytes) == sizeof bytes);
    } else {
        assert(read(fd, stored, sizeof stored) == sizeof stored);
        assert(memcmp(stored, bytes, sizeof bytes) == 0);
    }
    assert(close(fd) == 0);
    return 0;
}
