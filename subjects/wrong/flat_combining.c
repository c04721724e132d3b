/*
 * Flat combining with one word changed: the combiner clears a request with a relaxed store. The
 * thread that waits for it may read the answer before it is there.
 */
#define ANSWER memory_order_relaxed
#include "../correct/flat_combining.c"
