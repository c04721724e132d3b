/*
 * All histories of a behaviour, each by itself. Returns come as early as they may, which only adds
 * to the real-time order (walk.h, W1); and of histories that differ in the order of neighbouring
 * calls one is enough, as their real-time order is the same.
 */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "check/quasi.h"

enum { SLOTS = 256 };

/* How a history may go on: what happened, and the real-time order so far. */
struct beginning {
    uint64_t happened;
    uint32_t before[PL_MOST_CALLED + 1]; /* of those called; 0 of the others */
};

struct listing {
    const struct pl_quasi *quasi;
    struct pl_machine *machine;
    const struct pl_behaviour *behaviour;
    const struct pl_budget *budget;
    union pl_quasi_result *out;
    struct pl_quasi_stats *stats;
    struct pl_order order; /* closed */
    uint64_t all;
    uint8_t event[PL_CALLED_EVENTS];
    unsigned events;
    struct beginning *known;
    size_t known_count, known_room;
    uint32_t *slot;
    size_t slot_mask;
};

static void known_grow(struct listing *l)
{
    l->slot_mask = 2 * l->slot_mask + 1;
    free(l->slot);
    l->slot = calloc(l->slot_mask + 1, sizeof *l->slot);
    PL_ASSERT(l->slot);
    for (size_t k = 0; k < l->known_count; k++) {
        size_t i = XXH3_64bits(&l->known[k], sizeof l->known[k]) & l->slot_mask;
        while (l->slot[i])
            i = (i + 1) & l->slot_mask;
        l->slot[i] = (uint32_t)k + 1;
    }
}

/* True if no history began like this before: neighbouring calls may be in any order. */
static bool is_new(struct listing *l, const struct beginning *b)
{
    size_t i = XXH3_64bits(b, sizeof *b) & l->slot_mask;
    for (; l->slot[i]; i = (i + 1) & l->slot_mask)
        if (!memcmp(&l->known[l->slot[i] - 1], b, sizeof *b))
            return false;
    if (l->known_count == l->known_room) {
        l->known_room = l->known_room ? 2 * l->known_room : SLOTS;
        l->known = realloc(l->known, l->known_room * sizeof *l->known);
        PL_ASSERT(l->known);
    }
    l->known[l->known_count++] = *b;
    l->slot[i] = (uint32_t)l->known_count;
    if (2 * l->known_count > l->slot_mask)
        known_grow(l);
    return true;
}

static bool may_come(const struct listing *l, const struct beginning *b, unsigned event)
{
    return (l->all & ~b->happened & pl_event_bit(event)) &&
           !(l->order.before[event] & ~b->happened);
}

static uint32_t returned_in(const struct listing *l, uint64_t happened)
{
    uint32_t returned = 0;
    for (unsigned i = 0; i < l->order.operations; i++)
        if (happened & pl_event_bit(2 * i + 1))
            returned |= (uint32_t)1 << i;
    return returned;
}

static void take_returns(struct listing *l, struct beginning *b)
{
    for (bool more = true; more;) {
        more = false;
        for (unsigned i = 0; i < l->order.operations; i++)
            if (may_come(l, b, 2 * i + 1)) {
                b->happened |= pl_event_bit(2 * i + 1);
                l->event[l->events++] = (uint8_t)(2 * i + 1);
                more = true;
            }
    }
}

static enum pl_decision extend(struct listing *l, struct beginning b)
{
    take_returns(l, &b);
    if (!is_new(l, &b))
        return PL_GOOD;
    if (b.happened == l->all)
        return pl_quasi_history(l->quasi, l->machine, l->behaviour, l->event, l->events, l->budget,
                                l->out, l->stats);
    uint32_t returned = returned_in(l, b.happened);
    unsigned events = l->events;
    for (unsigned i = 0; i < l->order.operations; i++) {
        if (!may_come(l, &b, 2 * i))
            continue;
        struct beginning next = b;
        next.happened |= pl_event_bit(2 * i);
        next.before[i] = returned;
        l->event[l->events++] = (uint8_t)(2 * i);
        enum pl_decision decision = extend(l, next);
        if (decision != PL_GOOD)
            return decision;
        l->events = events;
    }
    return PL_GOOD;
}

enum pl_decision pl_quasi_all(const struct pl_quasi *quasi, struct pl_machine *machine,
                              const struct pl_behaviour *behaviour, const struct pl_budget *budget,
                              union pl_quasi_result *out, struct pl_quasi_stats *stats)
{
    struct listing l = {quasi, machine, behaviour, budget, out, stats, .slot_mask = SLOTS - 1};
    bool is_order = pl_order_close(behaviour->order, &l.order);
    PL_ASSERT(is_order); /* B1 */
    l.all = pl_order_events(&l.order);
    l.slot = calloc(SLOTS, sizeof *l.slot);
    PL_ASSERT(l.slot);
    enum pl_decision decision = extend(&l, (struct beginning){0});
    free(l.known);
    free(l.slot);
    return decision;
}
