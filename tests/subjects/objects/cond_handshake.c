/* Ping-pong over one condition variable: wait lets the mutex go, a signal wakes, the mutex is held
 * again on return, no wake-up is lost. An error-checking mutex knows who holds it. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn; /* under mutex */
enum { ROUNDS = 6 };

static void wait_turn(int wanted)
{
    assert(pthread_mutex_lock(&mutex) == 0);
    while (turn != wanted) {
        assert(pthread_cond_wait(&changed, &mutex) == 0);
        assert(pthread_mutex_lock(&mutex) == EDEADLK); /* held by us */
    }
    turn++;
    assert(pthread_cond_signal(&changed) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
}

static void *odd(void *unused)
{
    for (int i = 1; i < ROUNDS; i += 2)
        wait_turn(i);
    return unused;
}

int main(void)
{
    pthread_t thread = start(odd, NULL);
    for (int i = 0; i < ROUNDS; i += 2)
        wait_turn(i);
    finish(thread);
    assert(turn == ROUNDS);
    assert(pthread_cond_destroy(&changed) == 0);
    return 0;
}
