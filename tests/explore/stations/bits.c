/* Bits that are undefined before a choice, and looked at, or written, after it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct fields {
    unsigned used : 1, kind : 3, level : 4;
};
static atomic_int turn;
static struct fields *shared;

static void *run(void *unused)
{
    atomic_fetch_add(&turn, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int sum = 0;
    struct fields *f = shared = malloc(sizeof *f);
    f->used = 1;
    pthread_create(&thread, NULL, run, NULL);
    if (atomic_load(&turn))
        f->kind = 2;
    f->level = 3;
    if (atomic_load(&turn))
        sum = f->kind; /* written or not */
    pthread_join(thread, NULL);
    free(f);
    return sum == 7;
}
