/* Loops that are none for the compiler, or not one: left by longjmp, made of gotos, with two
 * entries, by a switch. */
// counts: -DGOTO sc=2 tso=2 rc11=2
// counts: -DSWITCH sc=2 tso=2 rc11=2
// counts: -DJUMP sc=2 tso=2 rc11=2
// outcomes: -DJUMP sc=1,2 tso=1,2 rc11=1,2
// outcomes: -DTWO_ENTRIES sc=1,2,9,10 tso=1,2,9,10 rc11=1,2,9,10
// outcomes: -DAGAIN sc=2,3,4 tso=2,3,4 rc11=2,3,4
#include <setjmp.h>

#include "rounds.h"

static atomic_int flag, other;

static void *set(void *unused)
{
    atomic_store(&flag, 1);
    atomic_store(&flag, 2);
    return unused;
}

#if defined GOTO
static int wait_for(void)
{
    int value;
again:
    value = atomic_load(&flag);
    if (!value)
        goto again;
    return value;
}
#elif defined TWO_ENTRIES
static void *choose(void *unused)
{
    atomic_store(&other, 1);
    return unused;
}

static int wait_for(void)
{
    int value = 0, first = atomic_load(&other);
    pthread_t a = start(choose, 0);
    finish(a);
    first = first || atomic_load(&flag) == 5;
    if (atomic_load(&other) && atomic_exchange(&other, 0) && first)
        goto middle;
start:
    value = atomic_load(&flag);
    if (value)
        goto out;
middle:
    if (!atomic_load(&flag))
        goto start;
    value = atomic_load(&flag) + 8;
    goto out;
out:
    return value;
}
#elif defined SWITCH
static int wait_for(void)
{
    int state = 0, value = 0;
    for (;;)
        switch (state) {
        case 0:
            value = atomic_load(&flag);
            state = value ? 2 : 1;
            break;
        case 1:
            state = 0;
            break;
        default:
            return value;
        }
}
#elif defined JUMP
static jmp_buf out;

__attribute__((noinline)) static void wait_inside(void)
{
    for (;;) {
        int value = atomic_load(&flag);
        if (value)
            longjmp(out, value);
    }
}

static int wait_for(void)
{
    int value = setjmp(out);
    if (!value)
        wait_inside();
    return value;
}
#else /* left by longjmp and entered again, as deep in the stack as before, twice */
static jmp_buf out;

__attribute__((noinline)) static void wait_inside(int least)
{
    for (;;) {
        int value = atomic_load(&flag);
        if (value >= least)
            longjmp(out, value);
    }
}

static int wait_for(void)
{
    static int times, sum;
    int value = setjmp(out);
    sum += value;
    if (times++ < 2)
        wait_inside(1);
    return sum;
}
#endif

int main(void)
{
    pthread_t a = start(set, 0);
    int value = wait_for();
    finish(a);
    outcome(value);
    return 0;
}
