// expect: pass
/* Both sides are atomic. */
#define _GNU_SOURCE
#include "../help.h"

int flag;

static void *set(void *unused)
{
    __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    pthread_t thread = start(set, NULL);
    int seen = __atomic_load_n(&flag, __ATOMIC_SEQ_CST);
    finish(thread);
    return seen > 1;
}
