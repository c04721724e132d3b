// flags: --races=allow
/* Plain accesses that race: a lost update, and a reader of both variables. */
#include "outcome.h"

static int count, flag, seen;

static void *adder(void *unused)
{
    for (int i = 0; i < 2; i++) {
        int old = count;
        __asm__ volatile("" ::: "memory");
        count = old + 1;
    }
    flag = 1;
    return unused;
}

static void *reader(void *unused)
{
    int set = flag;
    __asm__ volatile("" ::: "memory");
    int old = count;
    seen = 5 * old + set;
    count = old + 1;
    return unused;
}

int main(void)
{
    pthread_t a = start(adder, 0), b = start(reader, 0);
    finish(a);
    finish(b);
    outcome(seen + (count == 3) * 2);
    return 0;
}
