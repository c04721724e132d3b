/* A pause in inline assembly is a yield: spinning with it lets the other thread go on, and
 * every register survives it. */
#include "../help.h"
#include <stdatomic.h>

static atomic_int go;

static void *spin(void *argument)
{
    long sum = 0, wanted = 0;
    for (long i = 0; !atomic_load(&go) && i < 1000; i++) {
        __asm__ volatile("pause" ::: "memory");
        sum += i;
        wanted = (i + 1) * i / 2;
    }
    assert(sum == wanted);
    return argument;
}

int main(void)
{
    pthread_t thread;
    assert(pthread_create(&thread, NULL, spin, NULL) == 0);
    for (int i = 0; i < 3; i++)
        __asm__ volatile("rep; nop");
    atomic_store(&go, 1);
    assert(pthread_join(thread, NULL) == 0);
    return 0;
}
