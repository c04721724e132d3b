// An atomic section is a mutex of the runtime's own, whose memory is kept with the rest.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int x;
static int count;

static void *add(void *argument)
{
    __VERIFIER_atomic_begin();
    int old = count++;
    (void)atomic_load(&x);
    assert(count == old + 1);
    __VERIFIER_atomic_end();
    atomic_store(&x, 1);
    __VERIFIER_atomic_begin();
    count++;
    __VERIFIER_atomic_end();
    return argument;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(count == 4);
}
