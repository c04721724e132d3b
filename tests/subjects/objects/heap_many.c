// expect: pass --steps 1000000000
// executions: 20
/* Ten thousand blocks alive at once, all apart; half of them freed by another thread. */
#include "../help.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 10000 };
static unsigned char *blocks[BLOCKS];

static size_t size_of(size_t i)
{
    return 1 + i * 7 % 300;
}

static void free_odd(size_t from)
{
    for (size_t i = from; i < BLOCKS; i += 2) {
        size_t n = size_of(i);
        assert(blocks[i][0] == (unsigned char)i && blocks[i][n - 1] == (unsigned char)i);
        free(blocks[i]);
    }
}

static void *other(void *unused)
{
    free_odd(1);
    return unused;
}

static int by_address(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t) * (unsigned char *const *)a;
    uintptr_t y = (uintptr_t) * (unsigned char *const *)b;
    return x < y ? -1 : x > y;
}

int main(void)
{
    for (size_t i = 0; i < BLOCKS; i++) {
        blocks[i] = malloc(size_of(i));
        assert(blocks[i]);
        memset(blocks[i], (int)(i & 255), size_of(i));
    }
    unsigned char **sorted = malloc(sizeof blocks);
    memcpy(sorted, blocks, sizeof blocks);
    qsort(sorted, BLOCKS, sizeof *sorted, by_address);
    for (size_t i = 1; i < BLOCKS; i++)
        assert(sorted[i - 1] < sorted[i]);
    free(sorted);
    pthread_t a = start(other, NULL);
    free_odd(0);
    finish(a);
    return 0;
}
