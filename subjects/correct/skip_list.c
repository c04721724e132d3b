/*
 * A lock-free skip list as a set, of two levels (after Fraser, and Herlihy and Shavit). Level 0 is
 * the list of Harris and Michael, and it alone says what is in the set; level 1 is a short cut that
 * only some nodes are on (here: the even keys, which stand for the coin). add links a node at level
 * 0, where it takes effect, then above; del marks its link above, so that it is not linked there
 * again, then at level 0: who sets that mark has removed it. Nodes are never freed.
 *
 * A set must answer as if all its keys were one location, though each is at a link of its own. So
 * what changes it, the exchange that links a node at level 0 (LINK) and those that mark (REMOVE),
 * is seq_cst, and so are the loads of links (WALK): harris_list.c says more. Level 1 is no
 * exception: who comes to a removed node by a short cut goes on where that node led when it was
 * removed, past all that was added there since. That is right only for who was there before it was
 * removed: who has read the link above without its mark must come before the del that set it, in
 * the order of all.
 *
 * The links of level 1 and unlinking change nothing that anybody could answer. They are release:
 * for the key of the node, and so that who does not come by a node any more knows that it was
 * removed. The exchanges that fail teach nothing, the link is read again.
 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef LINK
#define LINK memory_order_seq_cst
#endif
#ifndef REMOVE
#define REMOVE memory_order_seq_cst
#endif
#ifndef WALK
#define WALK(level) memory_order_seq_cst
#endif
#ifndef TOO_LATE
#define TOO_LATE false /* what del answers when another one has set the mark */
#endif

enum { LEVELS = 2 };

struct node {
    int key, levels;
    _Atomic(uintptr_t) next[LEVELS]; /* a node, plus 1 if this one is removed */
};

static struct node head = {0, LEVELS, {0, 0}};

static bool change(_Atomic(uintptr_t) *link, uintptr_t from, uintptr_t to, memory_order order)
{
    return atomic_compare_exchange_strong_explicit(link, &from, to, order, memory_order_relaxed);
}

static uintptr_t follow(struct node *n, int level)
{
    return atomic_load_explicit(&n->next[level], WALK(level));
}

/* The neighbours of a key at each level; unlinks marked nodes on the way. */
static bool find(int key, struct node **before, struct node **after)
{
again:;
    struct node *n = &head;
    for (int level = LEVELS; level-- > 0;) {
        uintptr_t here = follow(n, level) & ~(uintptr_t)1;
        for (struct node *next; (next = (struct node *)here);) {
            uintptr_t beyond = follow(next, level);
            if (beyond & 1) {
                here = beyond - 1;
                if (!change(&n->next[level], (uintptr_t)next, here, memory_order_release))
                    goto again;
            } else if (next->key >= key) {
                break;
            } else {
                n = next;
                here = beyond;
            }
        }
        before[level] = n;
        after[level] = (struct node *)here;
    }
    return after[0] && after[0]->key == key;
}

static bool add(int key)
{
    struct node *before[LEVELS], *after[LEVELS], *n = malloc(sizeof *n);
    n->key = key;
    n->levels = key % 2 ? 1 : 2;
    do {
        if (find(key, before, after)) {
            free(n);
            return false;
        }
        for (int level = 0; level < LEVELS; level++)
            atomic_store_explicit(&n->next[level], (uintptr_t)after[level], memory_order_relaxed);
    } while (!change(&before[0]->next[0], (uintptr_t)after[0], (uintptr_t)n, LINK));
    if (n->levels == 1)
        return true;
    while (!change(&before[1]->next[1], (uintptr_t)after[1], (uintptr_t)n, memory_order_release)) {
        uintptr_t old = follow(n, 1);
        if (!find(key, before, after) || after[0] != n || old & 1)
            break; /* removed already */
        if (old != (uintptr_t)after[1] &&
            !change(&n->next[1], old, (uintptr_t)after[1], memory_order_release))
            break;
    }
    return true;
}

static bool del(int key)
{
    struct node *before[LEVELS], *after[LEVELS];
    if (!find(key, before, after))
        return false;
    struct node *n = after[0];
    for (int level = n->levels; level-- > 0;) {
        uintptr_t next = follow(n, level);
        while (!(next & 1)) {
            if (change(&n->next[level], next, next + 1, REMOVE)) {
                if (level == 0) {
                    find(key, before, after); /* unlinks it */
                    return true;
                }
                break;
            }
            next = follow(n, level);
        }
    }
    return TOO_LATE;
}

/* Like find, but changes nothing: it only passes over marked nodes. */
static bool has(int key)
{
    struct node *n = &head, *next = NULL;
    for (int level = LEVELS; level-- > 0;) {
        uintptr_t here = follow(n, level) & ~(uintptr_t)1;
        while ((next = (struct node *)here)) {
            uintptr_t beyond = follow(next, level);
            if (!(beyond & 1) && next->key >= key)
                break;
            if (!(beyond & 1))
                n = next;
            here = beyond & ~(uintptr_t)1;
        }
    }
    return next && next->key == key;
}

PLUMB_CALL(add(1))
PLUMB_CALL(add(2))
PLUMB_CALL(add(3))
PLUMB_CALL(del(1))
PLUMB_CALL(del(2))
PLUMB_CALL(has(1))
PLUMB_CALL(has(2))
PLUMB_CALL(has(3))
