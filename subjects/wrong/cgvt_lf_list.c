/*
 * LFList: a lock-free list as a set, whose remove ignores that the mark was already set. A removed
 * node has the lowest bit of its own link set; to remove is to set it. The bit is set with an
 * or, and nobody looks whether it was there before: two removes of the same key both succeed.
 *
 * With BLIND_SEARCH it is BUList1: the search ignores marks, too, so a key may be added behind a
 * node that is no longer in the list, and is lost.
 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    long long key;
    _Atomic(uintptr_t) next; /* a node, plus 1 if this one is removed */
};

static _Atomic(uintptr_t) head;

static struct node *node_of(uintptr_t link)
{
    return (struct node *)(link & ~(uintptr_t)1);
}

static bool change(_Atomic(uintptr_t) *link, uintptr_t from, uintptr_t to)
{
    return atomic_compare_exchange_strong(link, &from, to);
}

/* The first node with this key or a greater one, and the link to it. */
static struct node *find(long long key, _Atomic(uintptr_t) **link)
{
again:
    *link = &head;
    uintptr_t here = atomic_load(*link);
    for (;;) {
        struct node *n = node_of(here);
        if (!n)
            return NULL;
        uintptr_t next = atomic_load(&n->next);
#ifndef BLIND_SEARCH
        if (next & 1) {
            if (!change(*link, (uintptr_t)n, next - 1))
                goto again;
            here = next - 1;
            continue;
        }
#endif
        if (n->key >= key)
            return n;
        *link = &n->next;
        here = next;
    }
}

static plumb_result add(plumb_args a)
{
    struct node *n = malloc(sizeof *n);
    n->key = a.i[0];
    for (;;) {
        _Atomic(uintptr_t) *link;
        struct node *after = find(a.i[0], &link);
        if (after && after->key == a.i[0] && !(atomic_load(&after->next) & 1)) {
            free(n);
            return plumb_bool(0);
        }
        atomic_init(&n->next, (uintptr_t)after);
        if (change(link, (uintptr_t)after, (uintptr_t)n))
            return plumb_bool(1);
    }
}

static plumb_result del(plumb_args a)
{
    _Atomic(uintptr_t) *link;
    struct node *n = find(a.i[0], &link);
    if (!n || n->key != a.i[0])
        return plumb_bool(0);
    uintptr_t next = atomic_fetch_or(&n->next, 1); /* that it was set already is not seen */
    (void)change(link, (uintptr_t)n, next & ~(uintptr_t)1);
    return plumb_bool(1);
}

PLUMB_SUBJECT("lf-list", .spec = "set");
PLUMB_OP(add, .ints = {1, 2, 3});
PLUMB_OP(del, .name = "remove", .ints = {1, 2, 3});
