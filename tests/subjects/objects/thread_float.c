// flags: -lm
/* Rounding is a thread's own: inherited from its creator, kept over every switch. */
#include "../help.h"
#include <fenv.h>
#include <stdatomic.h>

static atomic_int steps;

static void *round_as(void *argument)
{
    int mode = argument ? FE_UPWARD : FE_DOWNWARD;
    assert(fegetround() == FE_TOWARDZERO);
    assert(fesetround(mode) == 0);
    for (int i = 0; i < 3; i++) {
        atomic_fetch_add(&steps, 1);
        assert(fegetround() == mode);
    }
    return NULL;
}

int main(void)
{
    pthread_t up, down;
    assert(fegetround() == FE_TONEAREST); /* in every execution */
    assert(fesetround(FE_TOWARDZERO) == 0);
    assert(pthread_create(&up, NULL, round_as, &up) == 0);
    assert(pthread_create(&down, NULL, round_as, NULL) == 0);
    assert(pthread_join(up, NULL) == 0 && pthread_join(down, NULL) == 0);
    assert(fegetround() == FE_TOWARDZERO);
    return 0;
}
