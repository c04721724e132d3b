// expect: pass
/* It is let go in between. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_spinlock_t lock;

int main(void)
{
    assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
    pthread_spin_lock(&lock);
    pthread_spin_unlock(&lock);
    pthread_spin_lock(&lock);
    pthread_spin_unlock(&lock);
    return 0;
}
