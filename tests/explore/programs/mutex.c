// mutex(N): N threads each take one lock once and count under it. N! orders, under every model.
// counts: -DN=2 sc=2 tso=2 rc11=2
// counts: -DN=4 sc=24 tso=24 rc11=24
// counts: -DN=6 sc=720 tso=720 rc11=720
#include "threads.h"

#ifndef N
#define N 4
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *unused)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    start_all(N, add);
    join_all(N);
    assert(count == N);
    return 0;
}
