/*
 * The stack of segments (correct/quasi_stack.c) whose pop takes from below: the oldest of four
 * values is three places from the top, and a factor of 2 is promised.
 */
#define OWN_POP
#include "../correct/quasi_stack.c"

static int pop_locked(void)
{
    int at = top > WIDTH ? top - WIDTH - 1 : 0, value = top ? cell[at] : 0;
    for (int i = at; i + 1 < top; i++)
        cell[i] = cell[i + 1];
    top -= top > 0;
    return value;
}
