// warns: dirfd
// executions: 5000
/* Opens files and never closes them, leaves stdio half read: no descriptor may leak, and each
 * execution reads from the beginning. */
#define _GNU_SOURCE
#include "../help.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static int lowest = -1;

int main(void)
{
    int fd = open("/dev/null", O_RDWR);
    assert(fd >= 0 && fd < 100); /* 5,000 executions would be far above */
    FILE *file = fopen("/proc/self/stat", "r");
    assert(file && fileno(file) < 100 && fgetc(file) >= '0');
    int ends[2], pair[2];
    assert(pipe(ends) == 0 && ends[1] < 100);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && pair[1] < 100);
    assert(dup(fd) < 100);
    DIR *directory = opendir("/");
    assert(directory && dirfd(directory) < 100);
    lowest = fd;
    /* Number of the first free descriptor: the same in every execution. */
    FILE *note = fopen("lowest", "r");
    if (!note) {
        note = fopen("lowest", "w");
        assert(note && fprintf(note, "%d", lowest) > 0);
    } else {
        int before = -1;
        assert(fscanf(note, "%d", &before) == 1 && before == lowest);
    }
    assert(fclose(note) == 0);
    return 0;
}
