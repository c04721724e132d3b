/*
 * Herlihy and Wing's queue whose fetch-and-add is acquire, not release. One thread enqueues 1, then
 * 2; a dequeue learns of both slots from the count, but not that the first is full: it takes 2.
 * Under sc there is nothing to see.
 */
#define TAKE_SLOT memory_order_acquire
#include "../correct/hw_queue.c"
