/*
 * The stack with nodes used again, but without the count beside the top (ABA). A pop reads the top,
 * a node that is then popped and put on the free list, where the pop reads its link; the node is
 * pushed again, and the pop's exchange finds it on top and makes a free node the top. The free list
 * is a stack of the same kind, and goes wrong the same way: a push that is late reads the first
 * free node, which another one takes and puts on the stack, where the push reads its link, and
 * which comes back; what is taken for the rest of the free list is then what was below it on the
 * stack. Two threads with push(1),push(1) | push(1),pop() show that first: all other free nodes are
 * lost, and the last push finds none.
 */
#define POPPED 0
#include "../correct/treiber_reclaim.c"
