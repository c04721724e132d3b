/*
 * The sorted list of Harris and Michael: a set. Each link carries a mark, the lowest bit: a node
 * whose own link is marked is removed. To remove is to set the mark (that is where it takes effect)
 * and then to unlink the node, which any passer-by may do; after the mark no exchange of that link
 * succeeds, so nothing can be added behind a node that is on its way out, and it cannot be unlinked
 * twice. To add is to exchange the link of the node before. Nodes are never freed.
 *
 * Different keys are at different links, and a set must answer as if all its keys were one
 * location. Two threads that each add a key and then look for the other's must not both miss (store
 * buffering), and two that only look must see two adds in the same order. So what changes the set,
 * the exchange that links a node (LINK) and the one that marks a link (REMOVE), is seq_cst, and so
 * are the loads of links (WALK): any of them can be the one that an answer rests on. (On an x86
 * that costs nothing: an exchange is locked anyway, and a seq_cst load is a load.) As release and
 * acquire the same three hand on the key of a node to whoever follows the link, and what a del knew
 * to whoever sees its mark.
 *
 * To unlink changes nothing that a has could answer: the link it writes is the one that stood in
 * the marked node, where it does not change any more, so that who still comes by the node goes on
 * at the same place. Who does not come by the node any more must know that it was removed: release.
 * The exchanges that fail teach nothing, the link is read again.
 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef MARK
#define MARK 1
#endif
#ifndef LINK
#define LINK memory_order_seq_cst
#endif
#ifndef REMOVE
#define REMOVE memory_order_seq_cst
#endif
#ifndef WALK
#define WALK memory_order_seq_cst
#endif

struct node {
    int key;
    _Atomic(uintptr_t) next; /* a node, plus MARK if this one is removed */
};

static _Atomic(uintptr_t) head;

static struct node *node_of(uintptr_t link)
{
    return (struct node *)(link & ~(uintptr_t)1);
}

static bool change(_Atomic(uintptr_t) *link, uintptr_t from, uintptr_t to, memory_order order)
{
    return atomic_compare_exchange_strong_explicit(link, &from, to, order, memory_order_relaxed);
}

#ifndef SET_MARK
#define SET_MARK(link, next) change(link, next, (next) + MARK, REMOVE)
#endif

/* The first node with this key or a greater one, the link to it and its own; unlinks on the way. */
static struct node *find(int key, _Atomic(uintptr_t) **link, uintptr_t *next)
{
again:
    *link = &head;
    uintptr_t here = atomic_load_explicit(*link, WALK);
    for (;;) {
        struct node *n = node_of(here);
        if (!n)
            return NULL;
        *next = atomic_load_explicit(&n->next, WALK);
        if (*next & 1) {
            here = *next - 1;
            if (!change(*link, (uintptr_t)n, here, memory_order_release))
                goto again;
        } else if (n->key >= key) {
            return n;
        } else {
            *link = &n->next;
            here = *next;
        }
    }
}

static bool add(int key)
{
    struct node *n = malloc(sizeof *n);
    n->key = key;
    for (;;) {
        _Atomic(uintptr_t) *link;
        uintptr_t next;
        struct node *after = find(key, &link, &next);
        if (after && after->key == key) {
            free(n);
            return false;
        }
        atomic_init(&n->next, (uintptr_t)after);
        bool added = change(link, (uintptr_t)after, (uintptr_t)n, LINK);
        PLUMB_POINT_IF(added);
        if (added)
            return true;
    }
}

static bool del(int key)
{
    for (;;) {
        _Atomic(uintptr_t) *link;
        uintptr_t next;
        struct node *n = find(key, &link, &next);
        if (!n || n->key != key)
            return false;
        if (MARK && !SET_MARK(&n->next, next))
            continue;
        PLUMB_POINT_IF(MARK);
        bool unlinked = change(link, (uintptr_t)n, next, memory_order_release);
        PLUMB_POINT_IF(unlinked && !MARK);
        if (unlinked || MARK)
            return true;
    }
}

static bool has(int key)
{
    struct node *n = node_of(atomic_load_explicit(&head, WALK));
    while (n && n->key < key)
        n = node_of(atomic_load_explicit(&n->next, WALK));
    return n && n->key == key && !(atomic_load_explicit(&n->next, WALK) & 1);
}

PLUMB_CALL(add(5))
PLUMB_CALL(add(6))
PLUMB_CALL(add(7))
PLUMB_CALL(del(5))
PLUMB_CALL(del(6))
PLUMB_CALL(has(5))
PLUMB_CALL(has(6))
PLUMB_CALL(has(7))
