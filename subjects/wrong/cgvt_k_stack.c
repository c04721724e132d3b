/*
 * KStack: Treiber's stack whose push ignores what the exchange of top says and tests the link of
 * its node instead, which is what it was set to a line before. A push that met another one, or a
 * pop, has pushed nothing; a later pop shows it.
 *
 * With DEAF_POP it is TBStack: push is right, and pop ignores what the exchange says: two pops
 * take the same value.
 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

struct node {
    long long value;
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) top;

static plumb_result push(plumb_args a)
{
    struct node *n = malloc(sizeof *n);
    n->value = a.i[0];
    for (;;) {
        struct node *old = atomic_load(&top), *expected = old;
        atomic_store(&n->next, old);
        bool pushed = atomic_compare_exchange_strong(&top, &expected, n);
#ifndef DEAF_POP
        pushed = atomic_load(&n->next) == old;
#endif
        if (pushed)
            return plumb_ok();
    }
}

static plumb_result pop(plumb_args a)
{
    (void)a;
    for (;;) {
        struct node *old = atomic_load(&top), *expected = old;
        if (!old)
            return plumb_empty();
        bool popped = atomic_compare_exchange_strong(&top, &expected, atomic_load(&old->next));
#ifdef DEAF_POP
        popped = true;
#endif
        if (popped)
            return plumb_int(old->value);
    }
}

PLUMB_SUBJECT("k-stack", .spec = "lifo");
PLUMB_OP(push, .ints = {1, 2, 3}, .data_independent = 1);
PLUMB_OP(pop);
