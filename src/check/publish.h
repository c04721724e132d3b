/*
 * What a spec demands to be synchronised. Who takes a value out will look at what it stands for;
 * whoever put it in has written that before. So the call of the put must happen before the return
 * of the take: else a plain cell, written before the one and read after the other, has a data race.
 * Likewise what is done under a lock, before an event is set, before a countdown is signalled.
 *
 *   fifo, lifo, deque, bag, pqueue, max-pqueue   the put before the take that got its value
 *   set                    an add that put the key in before a contains or remove that found it
 *   map                    a put, swap or cas of the value before the get that found it, of the key
 *                          before a remove that found it
 *   lock, rwlock           of two sections that exclude each other one unlock before the other lock
 *                          (if threads unlock only what they have locked)
 *   semaphore              to every acquire, of the releases and the initial count as many as it
 * and the acquires before it in its thread have taken event, countdown       a set before a wait;
 * as many signals as the count before a wait once                   the run that was first before
 * the return of the others
 *
 * Of registers, counters and snapshots nothing is demanded: relaxed ones are in use, and what they
 * hold often stands for nothing else.
 *
 * A value that several have put in is fine if one of them comes before.
 */
#ifndef PL_CHECK_PUBLISH_H
#define PL_CHECK_PUBLISH_H

#include "check/behaviour.h"
#include "spec/spec.h"

enum { PL_NOBODY = PL_MOST_CALLED };

struct pl_published {
    const struct pl_spec *spec;
    pl_value initial;
    unsigned count;
    struct pl_operation operation[PL_MOST_CALLED]; /* thread and result set; in order by thread */
    uint32_t returned;
    uint32_t
        passed[PL_MOST_CALLED]; /* of each: the operations whose call happens before its return */
};

struct pl_unpublished {
    unsigned before, after; /* this one should happen before that */
};

bool pl_spec_publishes(const struct pl_spec *spec);
/* Is that a matter of two operations at a time: one of those that bring about what another has
 * found happens before it? Only then: which do. */
bool pl_spec_publishes_by_pairs(const struct pl_spec *spec);
bool pl_brings_about(const struct pl_spec *spec, const struct pl_operation *what,
                     const struct pl_operation *found);
/* Is everything synchronised? If not, *out is what is missing first. */
bool pl_is_published(const struct pl_published *p, struct pl_unpublished *out);

#endif
