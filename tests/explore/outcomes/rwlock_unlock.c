/* Somebody unlocks a read-write lock that is not his: the writer's share is gone, or one reader's;
 * of a free one, nothing. The writer sees how many read beside it, and who asks for it again is
 * told so as long as it is his. */
#include "outcome.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int reading, beside, deadlock;

static void *reader(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    atomic_fetch_add(&reading, 1);
    atomic_fetch_sub(&reading, 1);
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *writer(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    atomic_store(&beside, atomic_load(&reading));
    atomic_store(&deadlock, pthread_rwlock_wrlock(&lock) == EDEADLK);
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *wrong(void *unused)
{
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a = start(reader, 0), b = start(writer, 0), c = start(wrong, 0);
    finish(a);
    finish(b);
    finish(c);
    outcome(atomic_load(&beside) + 2 * atomic_load(&deadlock));
    return 0;
}
