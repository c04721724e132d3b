/*
 * Vyukov's bounded queue as it is usually written: a dequeue that finds its cell not full answers
 * "empty" at once. Another enqueue may have claimed this cell and be late, while a later enqueue
 * is complete: then the queue is not empty. (Its author says so; it is fine where "empty" means
 * "try again".)
 */
#define NOBODY(other, position) 1
#include "../correct/mpmc_queue.c"
