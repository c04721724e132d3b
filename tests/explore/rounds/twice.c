/* The inner loop is entered twice; what it carries is the same each time. */
// outcomes: sc=0,2,3 tso=0,2,3 rc11=0,2,3
// counts: sc=3 tso=3 rc11=3
#include "rounds.h"

static atomic_int flag;

static void *set(void *unused)
{
    for (int i = 1; i <= 2; i++)
        atomic_store(&flag, i);
    return unused;
}

int main(void)
{
    pthread_t a = start(set, 0);
    int sum = 0, value;
    for (int i = 0; i < 2; i++) {
        do
            value = atomic_load(&flag);
        while (value == 0);
        sum += value - 1 + (i && value == 2);
    }
    finish(a);
    outcome(sum);
    return 0;
}
