/*
 * The stack with hazard pointers that announces with a relaxed store. The fence behind it is enough
 * for the node announced; but the store also ends the announcement before it, and nothing then
 * orders the reads of that node before another thread frees it.
 */
#define ANNOUNCE memory_order_relaxed
#include "../correct/hazard_stack.c"
