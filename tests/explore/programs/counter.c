// A counter under a lock: N threads add ROUNDS times. (N * ROUNDS)! / (ROUNDS!)^N orders.
// counts: -DN=2 -DROUNDS=2 sc=6 tso=6 rc11=6
// counts: -DN=3 -DROUNDS=2 sc=90 tso=90 rc11=90
// counts: -DN=2 -DROUNDS=5 sc=252 tso=252 rc11=252
#include "threads.h"

#ifndef N
#define N      2
#define ROUNDS 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *unused)
{
    for (int k = 0; k < ROUNDS; k++) {
        pthread_mutex_lock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    start_all(N, add);
    join_all(N);
    assert(count == N * ROUNDS);
    return 0;
}
