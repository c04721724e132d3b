/*
 * Treiber's stack with an elimination slot (Hendler, Shavit, Yerushalmi; one slot, one visit an
 * operation). A push whose exchange of the top fails offers its node in the slot; a pop whose
 * exchange fails looks there and takes an offer. The two then cancel out: the push takes effect
 * when its node is taken, the pop right after it, and the stack itself sees neither. The push
 * withdraws an offer that nobody has taken by an exchange, since it may be taken at that moment.
 *
 * Who must know of whom: a pop of the push whose node it takes off the top or out of the slot, for
 * the value, and for all that came before the push. And a push of the pop that took its offer: the
 * two are one step, so what comes after the push comes after all that came before the pop as well.
 * It learns of it when it cannot withdraw, so that exchange acquires when it fails (TAKEN). The
 * others that fail teach nothing: the operation looks again.
 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) top, slot;
static struct node taken; /* in the slot: the offer is taken, its push has not noticed */

#ifndef TAKEN
#define TAKEN memory_order_acquire
#endif

static bool exchange(_Atomic(struct node *) *link, struct node *from, struct node *to,
                     memory_order failed)
{
    return atomic_compare_exchange_strong_explicit(link, &from, to, memory_order_acq_rel, failed);
}

static bool swap(_Atomic(struct node *) *link, struct node *from, struct node *to)
{
    return exchange(link, from, to, memory_order_relaxed);
}

#ifndef WITHDRAW
#define WITHDRAW(n) exchange(&slot, n, NULL, TAKEN)
#endif

static bool push_meets_pop(struct node *n)
{
    if (!swap(&slot, NULL, n))
        return false;
    if (WITHDRAW(n))
        return false;
    atomic_store_explicit(&slot, NULL, memory_order_release);
    return true;
}

static struct node *pop_meets_push(void)
{
    struct node *n = atomic_load_explicit(&slot, memory_order_relaxed);
    return n && n != &taken && swap(&slot, n, &taken) ? n : NULL;
}

static void push(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    for (bool visited = false;; visited = true) {
        n->next = atomic_load_explicit(&top, memory_order_relaxed);
        if (swap(&top, n->next, n))
            return;
        if (!visited && push_meets_pop(n))
            return;
    }
}

static int pop(void) /* 0: empty */
{
    for (bool visited = false;; visited = true) {
        struct node *n = atomic_load_explicit(&top, memory_order_acquire);
        if (!n)
            return 0;
        if (swap(&top, n, n->next))
            return n->value;
        n = visited ? NULL : pop_meets_push();
        if (n)
            return n->value;
    }
}

PLUMB_CALL(push(1))
PLUMB_CALL(push(2))
PLUMB_CALL(push(3))
PLUMB_CALL(pop())
