/*
 * The stack with nodes used again, but without the count beside the top (ABA). A pop reads the top,
 * a node that is then popped and put on the free list, where the pop reads its link; the node is
 * pushed again, and the pop's exchange finds it on top and makes a free node the top.
 */
#define POPPED 0
#include "../correct/treiber_reclaim.c"
