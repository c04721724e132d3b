/* A lock that prefers writers still lets everybody through in the end. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static int data;

static void *reader(void *unused)
{
    for (int i = 0; i < 3; i++) {
        assert(pthread_rwlock_rdlock(&lock) == 0);
        assert(data >= 0 && data <= 3);
        assert(pthread_rwlock_unlock(&lock) == 0);
    }
    return unused;
}

static void *writer(void *unused)
{
    for (int i = 0; i < 3; i++) {
        assert(pthread_rwlock_wrlock(&lock) == 0);
        data++;
        assert(pthread_rwlock_unlock(&lock) == 0);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[3] = {start(reader, NULL), start(writer, NULL), start(reader, NULL)};
    for (size_t i = 0; i < COUNT(threads); i++)
        finish(threads[i]);
    assert(data == 3);
    return 0;
}
