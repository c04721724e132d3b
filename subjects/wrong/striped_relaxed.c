/*
 * The counter in stripes, relaxed, as counters for statistics are: two threads count and then read,
 * and both read 1. One of them must have been second.
 */
#define ORDER memory_order_relaxed
#include "../correct/striped_counter.c"
