// executions: 500
/* Anonymous mappings and shared memory of an execution are gone in the next. */
#define _GNU_SOURCE
#include "../help.h"
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void *other(void *memory)
{
    ((char *)memory)[1] = 2;
    return NULL;
}

int main(void)
{
    enum { SIZE = 1 << 20 };
    char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(memory != MAP_FAILED);
    for (size_t i = 0; i < SIZE; i += 4096) {
        assert(memory[i] == 0);
        memory[i] = 1;
    }
    elsewhere(other, memory);
    assert(memory[1] == 2);
    memory = mremap(memory, SIZE, 2 * SIZE, MREMAP_MAYMOVE);
    assert(memory != MAP_FAILED && memory[4096] == 1 && memory[2 * SIZE - 1] == 0);
    assert(mprotect(memory, 4096, PROT_READ) == 0 && memory[0] == 1);
    assert(munmap(memory, SIZE) == 0); /* half of it stays mapped */

    char *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(shared != MAP_FAILED && shared[0] == 0);
    shared[0] = 1;

    char name[64];
    snprintf(name, sizeof name, "/plumb-subject-%ld", (long)getpid());
    int fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    assert(fd >= 0); /* also when an execution before did not unlink it */
    assert(ftruncate(fd, 4096) == 0);
    char *object = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert(object != MAP_FAILED && object[0] == 0);
    object[0] = 1;
    assert(close(fd) == 0);
#ifdef NATIVE /* here only: natively nobody else cleans up */
    assert(shm_unlink(name) == 0);
#endif
    return 0;
}
