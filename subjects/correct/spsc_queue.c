/*
 * A bounded queue for one producer and one consumer, which answers "full" and "empty". Each side
 * owns one index and publishes it; the slots are plain memory. Release and acquire would do for the
 * slots. The indices are seq_cst for the sake of the answers: a producer that says "full" has not
 * seen a take, and a consumer that says "empty" has not seen a put; they must not both miss what
 * the other did before it looked (store buffering).
 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef PUBLISH
#define PUBLISH memory_order_seq_cst
#define LOOK    memory_order_seq_cst
#endif

enum { SLOTS = 2 };

static int slot[SLOTS];
static atomic_uint head, tail; /* taken so far, put so far */

static bool put(int value)
{
    unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
    if (t - atomic_load_explicit(&head, LOOK) == SLOTS)
        return false;
    slot[t % SLOTS] = value;
    atomic_store_explicit(&tail, t + 1, PUBLISH);
    return true;
}

static int take(void) /* 0: empty */
{
    unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
    if (h == atomic_load_explicit(&tail, LOOK))
        return 0;
    int value = slot[h % SLOTS];
    atomic_store_explicit(&head, h + 1, PUBLISH);
    return value;
}

PLUMB_CALL(put(1))
PLUMB_CALL(put(2))
PLUMB_CALL(put(3))
PLUMB_CALL(take())
PLUMB_GROUP(put)
PLUMB_GROUP(take)
