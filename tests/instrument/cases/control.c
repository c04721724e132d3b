/* Loops of every shape: how they are entered and left. */
#include <setjmp.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int flag, other;
int work(int);

// expect exits: loops=1 loop_enter=1 loop_leave=2
int exits(void)
{
    for (;;) {
        if (atomic_load(&flag))
            return work(1);
        if (atomic_load(&other))
            return work(2);
    }
}
// expect entered_twice: loops=2 loop_enter=2 loop_head=2
void entered_twice(void)
{
    while (!atomic_load(&flag)) {
        work(1);
        while (!atomic_load(&other))
            work(2);
    }
}
// expect leaves_two: loops=2 loop_leave=3
void leaves_two(void)
{
    for (;;) {
        work(1);
        while (!atomic_load(&other))
            if (atomic_load(&flag))
                return;
    }
}
// expect by_switch: loops=1 loop_enter=1
int by_switch(int n)
{
    for (;;)
        switch (atomic_load(&flag)) {
        case 0:
        case 5:
            continue;
        case 1:
        case 2:
            return n;
        case 3:
            return work(3);
        default:
            work(4);
        }
}
/* Two entries: there is no head that all rounds pass, so each target of a jump back is marked. */
// expect two_entries: loops=1
void two_entries(int n)
{
    if (n)
        goto second;
first:
    work(1);
second:
    if (!atomic_load(&flag))
        goto first;
}
// expect computed: loop_enter=1 loop_leave=1
int computed(const char *code)
{
    static void *const label[] = {&&next, &&stop, &&again};
    int n = 0;
    goto *label[(int)*code];
next:
    n++;
    code++;
    goto *label[(int)*code];
again:
    n += atomic_load(&flag);
    goto *label[(int)*++code];
stop:
    return n;
}
static jmp_buf place;
// expect jumps: loops=1 call(@_setjmp) loop_enter=1
int jumps(void)
{
    int volatile n = 0;
    if (setjmp(place))
        n = 1;
    while (!atomic_load(&flag))
        work(n);
    return n;
}
// expect assembly_goto: loops=1
int assembly_goto(void)
{
    while (!atomic_load(&flag)) {
        __asm__ goto("" : : : : out);
        continue;
    out:
        return 1;
    }
    return 0;
}
// expect endless: loops=1 loop_enter=1 loop_leave=0
_Noreturn void endless(void)
{
    for (;;)
        work(1);
}
/* The head reaches the alloca in the first block however it is entered. */
// expect first_block: loops=1
void first_block(void)
{
    do
        ;
    while (!atomic_load(&flag));
}
