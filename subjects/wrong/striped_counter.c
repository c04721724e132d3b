/*
 * The counter in stripes, now with a dec: one thread adds, and then another takes away. A read
 * that has passed the first stripe before and comes to the second after says -1, which it
 * never was.
 */
#include "../correct/striped_counter.c"

static void dec(void)
{
    change(-1);
}

PLUMB_CALL(dec())
