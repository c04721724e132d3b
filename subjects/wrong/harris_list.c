/*
 * The list of Harris and Michael with one word changed: the link to a new node is relaxed. Whoever
 * follows it may find a node without a key.
 */
#define LINK memory_order_relaxed
#include "../correct/harris_list.c"
