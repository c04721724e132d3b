/*
 * All histories of a behaviour. Two orders that explain one history explain all whose real-time
 * order the sequentialisation keeps. So: explain what all histories have in common, then look for
 * a history that contradicts.
 *
 *     order          a partial order of calls and returns; its linear extensions are the histories
 *     happened       a sequentialisation that keeps it, near enough to a witness
 *     i before j     in `happened`, though j may return before i is called: two parts,
 *                      order + (j returns before i is called), which needs another one
 *                      order + (i is called before j returns), which goes on with this one
 *
 * The parts are disjoint, together they are the order's histories, and each pair is decided once
 * on the way down, so the search ends. If nothing explains the order itself, nothing explains any
 * of its histories: they only have more to keep.
 *
 * First tried as sequentialisation is a history with as much real-time order as there can be:
 * returns as early, calls as late as they may come. If operations take effect one after the other
 * (by a lock), it contradicts no other history, and one is enough.
 */
#include <string.h>

#include "check/quasi.h"

struct cover {
    const struct pl_quasi *quasi;
    struct pl_machine *machine;
    const struct pl_behaviour *behaviour;
    const struct pl_budget *budget;
    union pl_quasi_result *out;
    struct pl_quasi_stats *stats;
    uint32_t asked; /* stuck: the operation that must block */
};

/* The order stays closed. */
static void add_edge(struct pl_order *o, unsigned from, unsigned to)
{
    uint64_t gain = o->before[from] | pl_event_bit(from);
    for (unsigned e = 0; e < 2 * o->operations; e++)
        if (e == to || (o->before[e] >> to & 1))
            o->before[e] |= gain;
}

/* The call after which least is missing for the return. */
static unsigned next_call(const struct pl_order *o, uint64_t left)
{
    unsigned best = PL_NONE_CALLED, least = PL_CALLED_EVENTS + 1;
    for (unsigned i = 0; i < o->operations; i++) {
        if (!(left >> (2 * i) & 1) || (o->before[2 * i] & left))
            continue;
        unsigned missing = o->pending >> i & 1
                               ? PL_CALLED_EVENTS
                               : (unsigned)__builtin_popcountll(o->before[2 * i + 1] & left);
        if (missing < least) {
            least = missing;
            best = i;
        }
    }
    return best;
}

/* A history with much real-time order; how many events. */
static unsigned tight_history(const struct pl_order *o, uint8_t *event)
{
    uint64_t left = pl_order_events(o);
    unsigned events = 0;
    while (left) {
        unsigned call = next_call(o, left), next = 2 * call;
        for (unsigned i = 0; i < o->operations; i++)
            if ((left >> (2 * i + 1) & 1) && !(o->before[2 * i + 1] & left))
                next = 2 * i + 1;
        event[events++] = (uint8_t)next;
        left &= ~pl_event_bit(next);
    }
    return events;
}

/* The operations in the order in which they return, then those that do not. */
static void set_total(const struct pl_order *o, const uint8_t *event, unsigned events,
                      uint32_t *before)
{
    uint32_t placed = 0;
    for (unsigned k = 0; k < events; k++)
        if (event[k] % 2) {
            before[event[k] / 2] = placed;
            placed |= (uint32_t)1 << event[k] / 2;
        }
    for (unsigned i = 0; i < o->operations; i++)
        if (o->pending >> i & 1) {
            before[i] = placed;
            placed |= (uint32_t)1 << i;
        }
}

static enum pl_decision explain(struct cover *c, const struct pl_order *o, const uint8_t *event,
                                unsigned events)
{
    uint32_t line[PL_MOST_CALLED], before[PL_MOST_CALLED];
    set_total(o, event, events, line);
    pl_order_operations(o, before);
    enum pl_decision decision = pl_quasi_before(c->quasi, c->machine, c->behaviour, line, c->asked,
                                                c->budget, c->out, c->stats);
    if (decision == PL_GOOD || memcmp(line, before, o->operations * sizeof *line) == 0)
        return decision;
    return pl_quasi_before(c->quasi, c->machine, c->behaviour, before, c->asked, c->budget, c->out,
                           c->stats);
}

static enum pl_decision visit(struct cover *c, struct pl_order order)
{
    uint8_t event[PL_CALLED_EVENTS];
    unsigned events = tight_history(&order, event);
    enum pl_decision decision = explain(c, &order, event, events);
    if (decision != PL_GOOD) {
        c->out->refuted.events = c->out->refuted.at = events;
        memcpy(c->out->refuted.event, event, events);
        return decision;
    }
    const struct pl_quasi_witness found = c->out->witness;
    for (unsigned a = 0; a < found.count; a++)
        for (unsigned b = a + 1; b < found.count; b++) {
            unsigned i = found.happened[a], j = found.happened[b];
            if ((order.pending >> j & 1) || (order.before[2 * j + 1] >> (2 * i) & 1))
                continue;
            struct pl_order part = order;
            add_edge(&part, 2 * j + 1, 2 * i);
            decision = visit(c, part);
            if (decision != PL_GOOD)
                return decision;
            add_edge(&order, 2 * i, 2 * j + 1);
        }
    return PL_GOOD;
}

enum pl_decision pl_quasi_all(const struct pl_quasi *quasi, struct pl_machine *machine,
                              const struct pl_behaviour *behaviour, const struct pl_budget *budget,
                              union pl_quasi_result *out, struct pl_quasi_stats *stats)
{
    struct cover c = {quasi, machine, behaviour, budget, out, stats, 0};
    struct pl_order order;
    bool is_order = pl_order_close(behaviour->order, &order);
    PL_ASSERT(is_order); /* B1 */
    uint32_t rest = behaviour->stuck ? order.pending : 0;
    enum pl_decision decision;
    do {
        c.asked = rest & -rest; /* each has orders of its own */
        decision = visit(&c, order);
        rest &= rest - 1;
    } while (rest && decision == PL_GOOD);
    return decision;
}
