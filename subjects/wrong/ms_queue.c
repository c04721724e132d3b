/*
 * Michael and Scott's queue with one word changed: the link to a new node is relaxed. Nothing
 * orders the node's value before the dequeue that follows the link and reads it. No run on an x86
 * goes wrong.
 */
#define LINK memory_order_relaxed
#include "../correct/ms_queue.c"
