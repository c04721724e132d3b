/*
 * The skip list that reads its short cuts with acquire only, since level 0 alone says what is in
 * the set. A has takes a short cut over a node that it does not know to be removed, and misses what
 * was added in its place, although an add of its own thread is missed by who added that.
 */
#define WALK(level) ((level) ? memory_order_acquire : memory_order_seq_cst)
#include "../correct/skip_list.c"
