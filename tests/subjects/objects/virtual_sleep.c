/* sleep() returns 0 and its second passes on the clock (and costs nothing here: natively three). */
#include "../help.h"
#include <unistd.h>

static void *sleeper(void *unused)
{
    struct timespec before = in_ms(CLOCK_MONOTONIC, 1000);
    assert(sleep(1) == 0);
    struct timespec after = in_ms(CLOCK_MONOTONIC, 0);
    assert(after.tv_sec > before.tv_sec ||
           (after.tv_sec == before.tv_sec && after.tv_nsec >= before.tv_nsec));
    return unused;
}

int main(void)
{
    pthread_t a = start(sleeper, NULL);
    sleeper(NULL);
    finish(a);
    return 0;
}
