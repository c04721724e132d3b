/*
 * The work-stealing deque without the fence between lowering the bottom and reading the top: both
 * may still be in flight when a thief reads them, on an x86 too. Owner and thieves then each see
 * more items than there are, and one is taken twice.
 */
#define LOWERED() ((void)0)
#include "../correct/chase_lev.c"
