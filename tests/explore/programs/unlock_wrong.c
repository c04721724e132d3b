// A lock is unlocked by a thread that does not hold it, and so two others may be inside at once.
// With TWICE each unlocks it once more than it locks it; with HANDED it is locked by main, and
// unlocked by the thread that has set what it protects, which is right: only one execution.
// finding: sc=data-race tso=data-race rc11=data-race
// finding: -DTWICE sc=data-race tso=data-race rc11=data-race
// finding: -DRWLOCK sc=data-race tso=data-race rc11=data-race
// finding: -DRWLOCK -DTWICE sc=data-race tso=data-race rc11=data-race
// counts: -DHANDED sc=1 tso=1 rc11=1
// counts: -DHANDED -DRWLOCK sc=1 tso=1 rc11=1
#include "threads.h"

#ifdef RWLOCK
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#define LOCK(l)   pthread_rwlock_wrlock(l)
#define UNLOCK(l) pthread_rwlock_unlock(l)
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define LOCK(l)   pthread_mutex_lock(l)
#define UNLOCK(l) pthread_mutex_unlock(l)
#endif
static int count;

static void *body(void *unused)
{
    LOCK(&lock);
    count++;
    UNLOCK(&lock);
#ifdef TWICE
    UNLOCK(&lock);
#endif
    return unused;
}

static void *wrong(void *unused)
{
#ifdef HANDED
    count++;
#endif
    UNLOCK(&lock);
    return unused;
}

int main(void)
{
#ifdef HANDED
    LOCK(&lock);
    start(0, wrong);
    start(1, body);
    join_all(2);
#elif defined TWICE
    start_all(3, body);
    join_all(3);
#else
    start(0, wrong);
    start(1, body);
    start(2, body);
    join_all(3);
#endif
    return 0;
}
