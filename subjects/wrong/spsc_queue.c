/*
 * The queue of one producer and one consumer as it is usually written, with release and acquire. No
 * value is lost or read too early. But with two slots the producer puts 1, 2 and finds the queue
 * full, while the consumer takes 1 and then finds it empty: each has missed the last step of the
 * other, and no order of the five explains both answers. On an x86, too.
 */
#define PUBLISH memory_order_release
#define LOOK    memory_order_acquire
#include "../correct/spsc_queue.c"
