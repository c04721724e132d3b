/*
 * The ring with one word changed: the producer publishes its index with a relaxed store.
 * Every run on an x86 gives the right answers and no assertion ever fails; yet nothing
 * orders the write of a slot before the consumer's read of it, and on another processor
 * (or after another compiler's reordering) the consumer takes a value that is not there.
 */
#define PUBLISH memory_order_relaxed
#include "../correct/spsc_ring.c"
