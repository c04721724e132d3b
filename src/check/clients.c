/* The search for a client that is not satisfied: clients.h says why it misses none. */
#include "check/clients.h"

#include <string.h>

enum { MOST_SETS = 1 << 22, FEW_SETS = 64 };

struct search {
    struct pl_machine *machine;
    const struct pl_explainer *explainer; /* NULL: linearizability, by the machine */
    const struct pl_behaviour *behaviour;
    const struct pl_budget *budget;
    struct pl_client_sets of; /* which there are */
    unsigned operations;
    uint32_t asked;
    uint64_t sets, most;
    struct pl_client *out;
};

/* Edges to each operation that make an order that the witness does not keep. place[]: of each
 * operation there. */
static void find_against(const struct search *s, const struct pl_client_set *set,
                         const uint8_t *place, const uint32_t *possible, uint32_t *against)
{
    uint8_t last[PL_MOST_CALLED] = {
        0}; /* 1 + the last place of those that an edge from i follows */
    for (uint32_t rest = s->of.returned; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        uint64_t gain = (set->order[2 * i + 1] | pl_event_bit(2 * i + 1)) & ~PL_CALL_EVENTS;
        for (; gain; gain &= gain - 1) {
            uint8_t p = place[__builtin_ctzll(gain) / 2];
            last[i] = p < PL_MOST_CALLED && p >= last[i] ? (uint8_t)(p + 1) : last[i];
        }
    }
    for (unsigned j = 0; j < s->operations; j++) {
        uint8_t first = place[j]; /* of those that come after an edge to j */
        for (unsigned k = 0; k < s->operations; k++)
            if ((set->order[2 * k] >> 2 * j & 1) && place[k] < first)
                first = place[k];
        against[j] = 0;
        for (uint32_t rest = possible[j]; rest; rest &= rest - 1) {
            unsigned i = (unsigned)__builtin_ctz(rest);
            against[j] |= (uint32_t)(first < last[i]) << i;
        }
    }
}

/* ---- the search ---- */

static enum pl_decision find_witness(struct search *s, const struct pl_client_set *set,
                                     uint8_t *place, uint32_t *possible, unsigned *unjustified);

/* No edge can be taken away: those that can are no reason. */
static void reduce(struct search *s, struct pl_client_set *set, unsigned *unjustified)
{
    for (unsigned j = 0; j < s->operations; j++)
        for (unsigned i = 0; i < s->operations; i++) {
            struct pl_client_set less;
            uint8_t place[PL_MOST_CALLED];
            uint32_t possible[PL_MOST_CALLED];
            unsigned other;
            if (!(set->edges[j] >> i & 1))
                continue;
            pl_client_sets_less(&s->of, set, i, j, &less);
            if (find_witness(s, &less, place, possible, &other) != PL_BAD)
                continue;
            *set = less;
            *unjustified = other;
        }
}

static enum pl_decision bad(struct search *s, const struct pl_client_set *found,
                            unsigned unjustified)
{
    struct pl_client *out = s->out;
    struct pl_client_set set = *found;
    reduce(s, &set, &unjustified);
    memset(out, 0, sizeof *out);
    memcpy(out->edges, set.edges, sizeof out->edges);
    out->order.operations = s->operations;
    out->order.pending = s->behaviour->order->pending;
    memcpy(out->order.before, set.order, sizeof set.order);
    out->unjustified = unjustified;
    return PL_BAD;
}

/* Before each operation also those that no further edge can bring behind it, but it perhaps behind
 * them. */
static void find_one_way(const struct search *s, const uint32_t *possible, const uint32_t *before,
                         uint32_t *out)
{
    for (unsigned j = 0; j < s->operations; j++) {
        out[j] = before[j];
        for (uint32_t rest = possible[j]; rest; rest &= rest - 1) {
            unsigned i = (unsigned)__builtin_ctz(rest);
            if (!(possible[i] >> j & 1))
                out[j] |= (uint32_t)1 << i;
        }
    }
}

/* A line of the operations that keeps the order, as sets again; false: it has a cycle. */
static bool make_line(unsigned operations, const uint32_t *before, uint32_t *line)
{
    uint32_t placed = 0, all = (uint32_t)(((uint64_t)1 << operations) - 1);
    while (placed != all) {
        unsigned next = 0;
        while (next < operations && ((placed >> next & 1) || (before[next] & ~placed)))
            next++;
        if (next == operations)
            return false;
        line[next] = placed;
        placed |= (uint32_t)1 << next;
    }
    return true;
}

/* A line is tried first, which is decided fast; one that keeps an order keeps all it has more than.
 */
static enum pl_decision ask_explainer(struct search *s, const uint32_t *before,
                                      const uint32_t *one_way, uint8_t *place,
                                      unsigned *unjustified)
{
    const struct pl_explainer *x = s->explainer;
    uint32_t line[PL_MOST_CALLED];
    if (make_line(s->operations, one_way, line)) {
        enum pl_decision decision = x->explain(x->context, line, s->asked, place, unjustified);
        if (decision == PL_GOOD || memcmp(line, before, s->operations * sizeof *line) == 0)
            return decision;
    }
    return x->explain(x->context, before, s->asked, place, unjustified);
}

/* The witness of the set's order; places of operations that are not in it: PL_MOST_CALLED. One is
 * looked for first that further edges contradict as little as can be. */
static enum pl_decision find_witness(struct search *s, const struct pl_client_set *set,
                                     uint8_t *place, uint32_t *possible, unsigned *unjustified)
{
    uint32_t before[PL_MOST_CALLED], one_way[PL_MOST_CALLED];
    struct pl_nearest nearest;
    pl_client_sets_before(&s->of, set, before);
    memset(place, PL_MOST_CALLED, s->operations);
    pl_client_sets_possible(&s->of, set, possible);
    find_one_way(s, possible, before, one_way);
    if (s->explainer)
        return ask_explainer(s, before, one_way, place, unjustified);
    enum pl_decision decision =
        pl_serial_before(s->machine, s->behaviour, one_way, s->asked, s->budget, &nearest);
    if (decision != PL_GOOD && memcmp(before, one_way, s->operations * sizeof *before) != 0)
        decision =
            pl_serial_before(s->machine, s->behaviour, before, s->asked, s->budget, &nearest);
    if (decision == PL_GOOD)
        for (unsigned k = 0; k < nearest.near[0].length; k++)
            place[nearest.near[0].order[k]] = (uint8_t)k;
    *unjustified = nearest.unjustified;
    return decision;
}

static enum pl_decision visit(struct search *s, const struct pl_client_set *set, uint32_t *left_out)
{
    uint8_t place[PL_MOST_CALLED];
    uint32_t possible[PL_MOST_CALLED], against[PL_MOST_CALLED], without[PL_MOST_CALLED];
    unsigned unjustified;
    if (pl_client_sets_covers(&s->of, set, left_out))
        return PL_GOOD;
    if (++s->sets > s->most || (s->sets % 1024 == 0 && pl_check_over(s->budget)))
        return PL_NEITHER;
    enum pl_decision decision = find_witness(s, set, place, possible, &unjustified);
    if (decision == PL_BAD)
        return bad(s, set, unjustified);
    if (decision == PL_GOOD)
        find_against(s, set, place, possible, against);
    memcpy(without, left_out, sizeof without);
    for (unsigned j = 0; j < s->operations && decision == PL_GOOD; j++)
        for (uint32_t rest = against[j] & ~without[j]; rest && decision == PL_GOOD;
             rest &= rest - 1) {
            unsigned i = (unsigned)__builtin_ctz(rest);
            if ((set->order[2 * j] >> (2 * i + 1) & 1) || !pl_client_sets_allows(&s->of, set, i, j))
                continue;
            struct pl_client_set more = *set;
            pl_client_sets_add(&s->of, &more, i, j);
            decision = visit(s, &more, without);
            without[j] |= (uint32_t)1 << i;
        }
    return decision;
}

/* ---- the outside ---- */

/* Sufficient: the histories of every linear extension of `cause`. */
static bool walk_is_good(struct search *s, struct pl_walk *walk)
{
    struct pl_order order = {.operations = s->operations, .pending = s->behaviour->order->pending};
    struct pl_order closed;
    struct pl_behaviour behaviour = *s->behaviour;
    for (unsigned e = 0; e < 2 * s->operations; e++) /* of tso, `cause` lacks po */
        order.before[e] = s->of.allowed->cause[e] | s->behaviour->order->before[e];
    if (!pl_order_close(&order, &closed))
        return false;
    behaviour.order = &closed;
    return pl_walk(walk, s->machine, &behaviour, s->budget, NULL) == PL_GOOD;
}

/* Stuck: each operation that never returned has witnesses of its own. */
static enum pl_decision search(struct search *s, const struct pl_client_set *first)
{
    enum pl_decision decision;
    uint32_t rest = s->behaviour->stuck ? s->behaviour->order->pending : 0;
    do {
        uint32_t without[PL_MOST_CALLED] = {0};
        s->asked = rest & -rest;
        decision = visit(s, first, without);
        rest &= rest - 1;
    } while (rest && decision == PL_GOOD);
    return decision;
}

enum pl_decision pl_clients_decide(struct pl_machine *machine, const struct pl_behaviour *behaviour,
                                   const struct pl_allowed *allowed, struct pl_walk *walk,
                                   const struct pl_budget *budget, struct pl_client *out,
                                   struct pl_clients_stats *stats)
{
    struct search s = {.machine = machine,
                       .behaviour = behaviour,
                       .budget = budget,
                       .operations = behaviour->order->operations,
                       .out = out};
    struct pl_client_set first;
    pl_client_sets_init(&s.of, behaviour, allowed, &first);
    s.most = walk ? FEW_SETS : MOST_SETS;
    enum pl_decision decision = search(&s, &first);
    stats->sets += s.sets;
    if (decision != PL_NEITHER || s.sets <= s.most)
        return decision;
    if (walk && walk_is_good(&s, walk)) {
        stats->walked++;
        return PL_GOOD;
    }
    s.sets = 0;
    s.most = MOST_SETS;
    decision = search(&s, &first);
    stats->sets += s.sets;
    return decision;
}

bool pl_clients_are_good(struct pl_machine *machine, const struct pl_behaviour *behaviour,
                         const uint8_t *thread, struct pl_clients_stats *stats)
{
    static const struct pl_budget none;
    struct pl_client client;
    struct pl_allowed allowed;
    struct search s = {.machine = machine,
                       .behaviour = behaviour,
                       .budget = &none,
                       .operations = behaviour->order->operations,
                       .most = FEW_SETS,
                       .out = &client};
    struct pl_client_set first;
    memset(&allowed, 0, sizeof allowed);
    memcpy(allowed.cause, behaviour->order->before, sizeof allowed.cause);
    memcpy(allowed.thread, thread, s.operations);
    pl_client_sets_init(&s.of, behaviour, &allowed, &first);
    bool good = search(&s, &first) == PL_GOOD;
    stats->sets += s.sets;
    return good;
}

enum pl_decision pl_clients_decide_by(const struct pl_explainer *explainer,
                                      const struct pl_behaviour *behaviour,
                                      const struct pl_allowed *allowed,
                                      const struct pl_budget *budget, struct pl_client *out,
                                      struct pl_clients_stats *stats)
{
    struct search s = {.explainer = explainer,
                       .behaviour = behaviour,
                       .budget = budget,
                       .operations = behaviour->order->operations,
                       .most = MOST_SETS,
                       .out = out};
    struct pl_client_set first;
    pl_client_sets_init(&s.of, behaviour, allowed, &first);
    enum pl_decision decision = search(&s, &first);
    stats->sets += s.sets;
    return decision;
}
