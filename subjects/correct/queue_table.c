/* A subject file: the queue behind one lock, and a table of its operations. */
#include <plumb.h>

#include "locked_queue.c"

static void setup(void)
{
    queue_init(&q);
}
static plumb_result enq(plumb_args a)
{
    add(&q, (int)a.i[0]);
    return plumb_ok();
}
static plumb_result deq(plumb_args a)
{
    (void)a;
    int v = try_take(&q);
    return v ? plumb_int(v) : plumb_empty();
}

PLUMB_SUBJECT("locked queue", .setup = setup, .spec = "fifo");
PLUMB_OP(enq, .ints = {1, 2, 3}, .data_independent = 1);
PLUMB_OP(deq);
