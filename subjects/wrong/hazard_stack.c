/*
 * The stack with hazard pointers, without the second read of the top: the node may have been
 * popped and freed before the announcement, and its link is read all the same.
 */
#define STILL(n) 1
#include "../correct/hazard_stack.c"
