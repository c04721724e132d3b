/*
 * The cancellation source (Line-Up's Table 1, methods Increment and Cancel): work that asks a token
 * whether it should go on. increment counts one more piece of work and answers how many there were
 * before, or -1 after a cancel. The state only grows, and is compared with ≥: whether the cancel
 * it sees has told everybody or is still at it makes no difference. That comparison is what a
 * check of conflict serializability complains about (section 5.6).
 */
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { GOING_ON, TELLING, TOLD };

static _Atomic int state, pieces;
static _Atomic bool told;

static bool is_cancelled(void)
{
    return state >= TELLING;
}

static int increment(void)
{
    return is_cancelled() ? -1 : pieces++;
}

static void cancel(void)
{
    int going_on = GOING_ON;
    if (!atomic_compare_exchange_strong(&state, &going_on, TELLING))
        return;
    told = true; /* a registered callback */
    state = TOLD;
}

PLUMB_CALL(increment())
PLUMB_CALL(cancel())
