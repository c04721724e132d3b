/* A subject file: the queue behind one lock, and the calls its tests are made of. */
#include <plumb.h>

#include "locked_queue.c"

PLUMB_SPEC(fifo)
PLUMB_SETUP(queue_init(&q))
PLUMB_CALL(add(&q, 1))
PLUMB_CALL(add(&q, 2))
PLUMB_CALL(try_take(&q))
PLUMB_INVARIANT(q.head <= q.tail)
