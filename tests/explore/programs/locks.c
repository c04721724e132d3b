// Two locks, three threads. NESTED (one inside the other) and HANDED (hand over hand): the order of
// the first decides the second, 6. Otherwise one after the other: two orders, 36.
// counts: sc=36 tso=36 rc11=36
// counts: -DNESTED sc=6 tso=6 rc11=6
// counts: -DHANDED sc=6 tso=6 rc11=6
#include "threads.h"

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int count, other;

static void *body(void *unused)
{
    pthread_mutex_lock(&first);
    count++;
#ifdef NESTED
    pthread_mutex_lock(&second);
    other++;
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
#elif defined HANDED
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&first);
    other++;
    pthread_mutex_unlock(&second);
#else
    pthread_mutex_unlock(&first);
    pthread_mutex_lock(&second);
    other++;
    pthread_mutex_unlock(&second);
#endif
    return unused;
}

int main(void)
{
    start_all(3, body);
    join_all(3);
    assert(count == 3 && other == 3);
    return 0;
}
