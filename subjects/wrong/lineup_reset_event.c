/*
 * The manual reset event of Line-Up's Figure 9 (root cause A). The exchange by which a waiting
 * thread enters the state compares with the first load, but computes the new state from a second
 * one. If a set comes between the two loads and a reset after them, the comparison succeeds, and
 * the state says "set" again, with a thread that waits: the next set finds nothing to do, and
 * nobody is woken. Three calls of the other thread are needed: the state has to change and to
 * change back, and then somebody has to miss the waiting thread.
 */
#define STATE_AGAIN(old) state
#include "../correct/lineup_reset_event.c"
