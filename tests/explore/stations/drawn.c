/* Numbers that are drawn before a choice and after it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int drawn[3];
static atomic_int turn;

static void *run(void *unused)
{
    drawn[1] = rand();
    atomic_fetch_add(&turn, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    drawn[0] = rand();
    pthread_create(&thread, NULL, run, NULL);
    (void)atomic_load(&turn);
    drawn[2] = rand();
    pthread_join(thread, NULL);
    assert(drawn[0] == 1804289383);
    assert(drawn[1] == 846930886 ? drawn[2] == 1681692777
                                 : drawn[1] == 1681692777 && drawn[2] == 846930886);
    return 0;
}
