/*
 * What the deciders of containers (queue, stack, priority queue, bag) work on: one item for
 * each value, put once and taken at most once.
 *
 *     put:  a ────── b          take:  c ────── d
 *
 * Times count from 1; time t is the t-th event, gap t is after it (gap 0 before the first).
 * The return of a pending put is at AFTER, the take of a value that is never taken from NEVER_CALL
 * to NEVER_RETURN, in this order, after all events: as if what is left were taken at the end, in
 * any order. The take of a value that a pending take may have taken lasts until then, too; so an
 * earlier take asks for less than a later one, and that for less than none.
 *
 * Invariants, after tightening (a put takes effect before its take does):
 * I1  b <= d and c >= a; so a < b, c < d.
 * I2  b < c (solid): the value is inside for sure in gaps b … c-1.
 *     c < b (fleeting): put and take can both be done in gap c, one right after the other.
 */
#ifndef PL_CHECK_ITEMS_H
#define PL_CHECK_ITEMS_H

#include "check/check.h"

#define PL_NONE ((uint32_t)0xffffffff)

struct pl_item {
    uint32_t a, b, c, d;
    uint32_t put, take; /* operations; take PL_NONE: never taken */
};

struct pl_items {
    const struct pl_case *c;
    struct pl_item *item;
    uint32_t count;
    uint32_t *empty; /* takes that found nothing */
    uint32_t empties;
    uint32_t *pending; /* takes that may have taken anything */
    uint32_t pendings;
    uint32_t after, never_call, never_return; /* times */
    uint32_t gaps;                            /* gap numbers are below */
    uint32_t **by_value;                      /* pl_items_by_value keeps them here */
    uint32_t *suspect; /* BAD: near this time something is wrong (it says where to look first) */
};

/* Operations in the gaps where they take effect, to be sorted. */
struct pl_points {
    uint32_t *operation, *gap;
    pl_value *answer;
    uint32_t count;
};

void pl_points_add(struct pl_points *points, uint32_t operation, pl_value answer, uint32_t gap);

/* One container's decision when pending takes are settled. Adds to points in the order in
   which operations of the same gap come. */
typedef enum pl_decision pl_item_decider(const struct pl_items *items, struct pl_points *points);

/* Everything around it: makes items, tries what pending takes may have done, sorts points.
   NEITHER: values repeat, or pending takes leave it open. */
enum pl_decision pl_items_decide(const struct pl_case *c, pl_item_decider *decider,
                                 struct pl_witness *out);

/* The steps of that. Which operation takes a value (PL_NONE: none): */
void pl_items_set_take(const struct pl_items *items, struct pl_item *item, uint32_t take);

/* the decision with the takes as they are; */
enum pl_decision pl_items_attempt(const struct pl_items *items, pl_item_decider *decider,
                                  struct pl_witness *out);

/* the decision with whatever pending takes may have done (pending.c). */
enum pl_decision pl_items_settle(struct pl_items *items, pl_item_decider *decider,
                                 struct pl_witness *out);

/* the same where it is good if the first pending take took all that is left: `last`, of an item,
   says which pending take is the last that can have taken it (as many as there are: perhaps
   nobody). NEITHER: that many attempts did not tell (takers.c). */
enum pl_decision pl_items_give_takes(struct pl_items *items, struct pl_item *const *untaken,
                                     uint32_t left, const uint32_t *last, pl_item_decider *decider,
                                     uint32_t attempts, struct pl_witness *out);

/* The items of a priority queue, the one that is taken first first (pqueue.c). Sorted once. */
const uint32_t *pl_items_by_value(const struct pl_items *items);

/* For each gap the first one at or after it that no solid item covers; `gaps` entries, and
   the last gap is free or covered to the end (then: gaps). The caller frees. */
uint32_t *pl_items_free_gaps(const struct pl_items *items);

#endif
