// Two locks taken in both orders: of three executions one is a deadlock.
// finding: sc=deadlock tso=deadlock rc11=deadlock
#include "threads.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *body(void *argument)
{
    int i = number_of(argument);
    pthread_mutex_lock(i ? &a : &b);
    pthread_mutex_lock(i ? &b : &a);
    pthread_mutex_unlock(i ? &b : &a);
    pthread_mutex_unlock(i ? &a : &b);
    return NULL;
}

int main(void)
{
    start_all(2, body);
    join_all(2);
    return 0;
}
