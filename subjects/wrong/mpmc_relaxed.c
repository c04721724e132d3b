/*
 * Vyukov's bounded queue with positions that are claimed by relaxed exchanges: they publish
 * nothing, the turns do. Yet one thread enqueues 1 and another enqueues 2 and dequeues 1; the first
 * finds the position taken, but not yet the 2 behind it, and answers "empty". Only under rc11.
 */
#define CLAIM   memory_order_relaxed
#define CLAIMED memory_order_relaxed
#include "../correct/mpmc_queue.c"
