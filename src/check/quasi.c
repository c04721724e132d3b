/*
 * One history. Sequentialisation and witness are built together, one place at a time:
 *
 *     happened   x x x x .        a configuration: the operations placed above and below, the
 *     accepted   x x . x x        spec state, and of those placed on one side only, where
 *
 * What was placed on one side only has to follow on the other within its factor, or the
 * configuration is dead; so it is the window of displaced operations that is remembered, not
 * the orders. A configuration is looked at once.
 *
 * Where the order of the operations is a line, that is the sequentialisation, and every place in it
 * is known: only the witness is built, and a configuration is what is accepted and the spec state.
 * Otherwise it is known of each operation which places it can have: so many have to come before it,
 * so many behind it. A witness has every operation within the factor of one of these places; so
 * where there is none that has, found in the same way as beside a line, the two orders need not be
 * built.
 */
#include "check/quasi.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { SLOTS = 256 };
#define NO_PLACE 0xff

/* Compared as bytes: no padding. */
struct config {
    uint32_t state;
    uint32_t happened, accepted;       /* sets of operations */
    uint8_t place[PL_MOST_CALLED + 1]; /* of operations that are on one side only, in its group */
};

/* Where something can be in a sequentialisation, from the first to the last place. */
struct places {
    uint8_t first, last;
};

enum way {
    WITNESS_ONLY,
    BY_GROUP, /* both, but only what is ordered within a group counts as ordered */
    BOTH_ORDERS
};

struct search {
    const struct pl_quasi *quasi;
    struct pl_machine *machine;
    const struct pl_called *called;
    const struct pl_budget *budget;
    unsigned operations;
    uint32_t chosen; /* operations that took effect */
    uint32_t any;    /* those that may answer anything: pending */
    uint32_t before[PL_MOST_CALLED];
    uint32_t members[PL_MOST_CALLED]; /* of each group */
    uint8_t line[PL_MOST_CALLED];     /* the chosen by how many come before them */
    unsigned length;
    struct places in_group[PL_MOST_CALLED];               /* of each operation */
    struct places in_all[PL_MOST_CALLED][PL_MOST_CALLED]; /* of what is at a place of a group */
    bool is_line;                                         /* each comes before the next one */
    enum way way;
    unsigned last; /* must block at the end; or PL_NONE_CALLED */
    bool untried, over;

    struct pl_quasi_witness orders;
    struct config *seen; /* configurations looked at */
    size_t seen_count, seen_room;
    uint32_t *slot; /* hash table: place in seen + 1 */
    size_t slot_mask;
    uint64_t looked;
};

static uint32_t bit(unsigned operation)
{
    return (uint32_t)1 << operation;
}

static unsigned group_of(const struct search *s, unsigned operation)
{
    return s->quasi->reading == PL_QUASI_ALL_SUBSETS ? 0 : s->quasi->group[operation];
}

/* How many of the set are in the group: the next place in it. */
static unsigned next_place(const struct search *s, uint32_t set, unsigned group)
{
    return (unsigned)__builtin_popcount(set & s->members[group]);
}

/* --- configurations ------------------------------------------------------------------------ */

static void grow(struct search *s)
{
    s->slot_mask = 2 * s->slot_mask + 1;
    free(s->slot);
    s->slot = calloc(s->slot_mask + 1, sizeof *s->slot);
    PL_ASSERT(s->slot);
    for (size_t k = 0; k < s->seen_count; k++) {
        size_t i = XXH3_64bits(&s->seen[k], sizeof s->seen[k]) & s->slot_mask;
        while (s->slot[i])
            i = (i + 1) & s->slot_mask;
        s->slot[i] = (uint32_t)k + 1;
    }
}

/* True if it is new. */
static bool remember(struct search *s, const struct config *c)
{
    size_t i = XXH3_64bits(c, sizeof *c) & s->slot_mask;
    for (; s->slot[i]; i = (i + 1) & s->slot_mask)
        if (!memcmp(&s->seen[s->slot[i] - 1], c, sizeof *c))
            return false;
    if (s->seen_count == s->seen_room) {
        s->seen_room = s->seen_room ? 2 * s->seen_room : SLOTS;
        s->seen = realloc(s->seen, s->seen_room * sizeof *s->seen);
        PL_ASSERT(s->seen);
    }
    s->seen[s->seen_count++] = *c;
    s->slot[i] = (uint32_t)s->seen_count;
    if (2 * s->seen_count > s->slot_mask)
        grow(s);
    if (++s->looked % 1024 == 0 && pl_check_over(s->budget))
        s->over = true;
    return true;
}

/* --- one step ------------------------------------------------------------------------------- */

/* Puts an operation on one side; false if it comes too far from its place on the other. */
static bool put(const struct search *s, struct config *c, unsigned operation, bool accepted)
{
    uint32_t *here = accepted ? &c->accepted : &c->happened;
    uint32_t there = accepted ? c->happened : c->accepted;
    unsigned group = group_of(s, operation), place = next_place(s, *here, group);
    *here |= bit(operation);
    if (!(there & bit(operation))) {
        c->place[operation] = (uint8_t)place;
        return true;
    }
    unsigned other = c->place[operation];
    c->place[operation] = NO_PLACE;
    return (place > other ? place - other : other - place) <= s->quasi->factor[group];
}

/* Can all that is on one side only still follow in time on the other? */
static bool alive(const struct search *s, const struct config *c)
{
    for (uint32_t rest = c->happened ^ c->accepted; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest), group = group_of(s, i);
        uint32_t other = c->happened & bit(i) ? c->accepted : c->happened;
        if (next_place(s, other, group) > c->place[i] + s->quasi->factor[group])
            return false;
    }
    return true;
}

static bool visit(struct search *s, const struct config *c);

/* The witness goes on with `accepted` (c has it already); now the sequentialisation. */
static bool go_on(struct search *s, const struct config *c, unsigned accepted)
{
    bool same_group = s->quasi->reading != PL_QUASI_DEFINITION4 || s->way == BY_GROUP;
    uint32_t ordered = s->way == BY_GROUP ? s->members[group_of(s, accepted)] : s->chosen;
    for (unsigned k = 0; k <= s->operations; k++) {
        unsigned i = k ? k - 1 : accepted; /* itself first: mostly nothing is displaced */
        if ((k && i == accepted) || !(s->chosen & ~c->happened & bit(i)) ||
            (s->before[i] & s->chosen & ordered & ~c->happened) ||
            (same_group && group_of(s, i) != group_of(s, accepted)))
            continue;
        struct config next = *c;
        s->orders.happened[s->orders.count] = (uint8_t)i;
        s->orders.accepted[s->orders.count] = (uint8_t)accepted;
        s->orders.count++;
        if (put(s, &next, i, false) && alive(s, &next) && visit(s, &next))
            return true;
        s->orders.count--;
    }
    return false;
}

static bool is_near(struct places places, unsigned place, unsigned factor)
{
    return place + factor >= places.first && place <= places.last + factor;
}

/* May the witness go on with the operation? */
static bool may_follow(const struct search *s, const struct config *c, unsigned operation)
{
    unsigned group = group_of(s, operation), place = next_place(s, c->accepted, group);
    return is_near(s->in_group[operation], place, s->quasi->factor[group]) &&
           (s->quasi->reading == PL_QUASI_DEFINITION4 ||
            is_near(s->in_all[group][place], s->orders.count, 0));
}

/* The witness goes on with `accepted`; the sequentialisation, if it is a line, with its next. */
static bool follow(struct search *s, struct config *c, unsigned accepted)
{
    c->accepted |= bit(accepted);
    for (uint32_t rest = s->chosen & ~c->accepted; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest), group = group_of(s, i);
        if (next_place(s, c->accepted, group) > s->in_group[i].last + s->quasi->factor[group])
            return false; /* it cannot follow in time any more */
    }
    s->orders.happened[s->orders.count] = s->line[s->orders.count];
    s->orders.accepted[s->orders.count++] = (uint8_t)accepted;
    if (visit(s, c))
        return true;
    s->orders.count--;
    return false;
}

/* True if the orders are complete, or the budget ran out. */
static bool visit(struct search *s, const struct config *c)
{
    if (!remember(s, c))
        return false;
    if (s->over)
        return true;
    if (c->accepted == s->chosen)
        return s->last == PL_NONE_CALLED ||
               pl_blocks(s->machine, c->state, s->called[s->last].invocation, &s->untried);
    for (unsigned k = 0; k < s->length; k++) { /* as they happened: mostly that is right */
        unsigned i = s->line[k];
        pl_value response, recorded = s->called[i].response;
        if ((c->accepted & bit(i)) || (s->way == WITNESS_ONLY && !may_follow(s, c, i)))
            continue;
        for (unsigned which = 0;; which++) {
            struct config next = *c;
            enum pl_step step = pl_step(s->machine, c->state, s->called[i].invocation, which,
                                        &response, &next.state);
            if (step == PL_STEP_END)
                break;
            s->untried |= step == PL_STEP_UNTRIED;
            if (step == PL_STEP_ANSWERS &&
                ((s->any & bit(i)) || recorded == PL_ANY || recorded == response) &&
                (s->way == WITNESS_ONLY ? follow(s, &next, i)
                                        : put(s, &next, i, true) && go_on(s, &next, i)))
                return true;
        }
    }
    return false;
}

/* --- one history ------------------------------------------------------------------------------ */

static void make_line(struct search *s)
{
    s->length = 0;
    s->is_line = true;
    for (unsigned earlier = 0; earlier < s->operations; earlier++)
        for (unsigned i = 0; i < s->operations; i++)
            if ((s->chosen & bit(i)) &&
                (unsigned)__builtin_popcount(s->before[i] & s->chosen) == earlier) {
                s->is_line = s->is_line && s->length == earlier;
                s->line[s->length++] = (uint8_t)i;
            }
}

/* Where among the members the operation can be: behind all before it, before all behind it. */
static struct places places_among(const struct search *s, unsigned operation, uint32_t members)
{
    unsigned before = (unsigned)__builtin_popcount(members & s->before[operation]);
    unsigned last = (unsigned)__builtin_popcount(members) - 1;
    for (uint32_t rest = members; rest; rest &= rest - 1)
        last -= s->before[__builtin_ctz(rest)] >> operation & 1;
    return (struct places){(uint8_t)before, (uint8_t)last};
}

static void find_places(struct search *s)
{
    memset(s->in_all, NO_PLACE, sizeof s->in_all);
    for (unsigned k = 0; k < s->length; k++) {
        unsigned i = s->line[k], group = group_of(s, i);
        struct places all = places_among(s, i, s->chosen);
        struct places own = places_among(s, i, s->chosen & s->members[group]);
        s->in_group[i] = own;
        for (unsigned place = own.first; place <= own.last; place++) {
            struct places *at = &s->in_all[group][place];
            bool none = at->first == NO_PLACE;
            at->first = none || all.first < at->first ? all.first : at->first;
            at->last = none || all.last > at->last ? all.last : at->last;
        }
    }
}

/* The sequentialisation found group by group as one order; false if there is none that also keeps
   the order between the groups. (Real time always allows one: if each operation of a round were
   before the next one in time or, within a group, not after it, the first would be called before
   itself. The order that several histories have in common may not.) */
static bool merge(struct search *s)
{
    uint8_t found[PL_MOST_CALLED];
    uint32_t placed = 0;
    memcpy(found, s->orders.happened, s->orders.count);
    for (unsigned count = 0; count < s->orders.count; count++) {
        uint32_t waiting = 0; /* groups of which one could not be placed yet */
        unsigned k = 0, i = 0;
        for (; k < s->orders.count; k++) {
            i = found[k];
            if (placed & bit(i))
                continue;
            if (!(s->before[i] & s->chosen & ~placed) && !(waiting & bit(group_of(s, i))))
                break;
            waiting |= bit(group_of(s, i));
        }
        if (k == s->orders.count)
            return false;
        s->orders.happened[count] = (uint8_t)i;
        placed |= bit(i);
    }
    return true;
}

static bool search(struct search *s, enum way way)
{
    struct config start = {.state = s->machine->start};
    memset(start.place, NO_PLACE, sizeof start.place);
    s->way = way;
    s->orders.count = 0;
    s->seen_count = 0;
    s->slot_mask = SLOTS - 1; /* a small search does not pay for a large one before it */
    memset(s->slot, 0, (s->slot_mask + 1) * sizeof *s->slot);
    return visit(s, &start) && !s->over;
}

/* From the fewest configurations to the most: if there is no witness alone, there is none with a
   sequentialisation, and so on. */
static bool explained(struct search *s, uint32_t chosen, unsigned last)
{
    s->chosen = chosen;
    s->last = last;
    make_line(s);
    find_places(s);
    if (!search(s, WITNESS_ONLY))
        return false;
    if (s->is_line)
        return true;
    if (s->quasi->reading == PL_QUASI_DEFINITION4) {
        if (!search(s, BY_GROUP))
            return false;
        if (merge(s))
            return true;
    }
    return search(s, BOTH_ORDERS);
}

/* Stuck: after the completed ones each that is asked for blocks. */
static bool all_explained(struct search *s, uint32_t complete, uint32_t pending, uint32_t asked,
                          unsigned *unjustified)
{
    *unjustified = PL_NONE_CALLED;
    if (asked) {
        for (uint32_t rest = asked; rest; rest &= rest - 1) {
            *unjustified = (unsigned)__builtin_ctz(rest);
            if (!explained(s, complete, *unjustified))
                return false;
        }
        *unjustified = PL_NONE_CALLED;
        return true;
    }
    s->any = pending;
    for (uint32_t chosen = pending;; chosen = (chosen - 1) & pending) {
        if (explained(s, complete | chosen, PL_NONE_CALLED))
            return true;
        if (!chosen || s->over)
            return false;
    }
}

/* `before` is set. */
static enum pl_decision decide(struct search *s, const struct pl_behaviour *behaviour,
                               uint32_t asked, union pl_quasi_result *out,
                               struct pl_quasi_stats *stats)
{
    unsigned unjustified;
    uint32_t pending = behaviour->order->pending;
    s->over = pl_check_over(s->budget); /* many small searches have to end, too */
    s->called = behaviour->called;
    s->operations = behaviour->order->operations;
    for (unsigned i = 0; i < s->operations; i++)
        s->members[group_of(s, i)] |= bit(i);
    s->slot = calloc(SLOTS, sizeof *s->slot);
    PL_ASSERT(s->slot);
    bool good = all_explained(s, pl_operations_all(behaviour->order) & ~pending, pending, asked,
                              &unjustified);
    free(s->seen);
    free(s->slot);
    stats->orders++;
    stats->configurations += s->looked;
    if (good) {
        out->witness = s->orders;
        return PL_GOOD;
    }
    out->refuted = (struct pl_refuted){.untried = s->untried, .unjustified = unjustified};
    return s->untried || s->over ? PL_NEITHER : PL_BAD;
}

static uint32_t all_asked(const struct pl_behaviour *behaviour)
{
    return behaviour->stuck ? behaviour->order->pending & pl_operations_all(behaviour->order) : 0;
}

enum pl_decision pl_quasi_before(const struct pl_quasi *quasi, struct pl_machine *machine,
                                 const struct pl_behaviour *behaviour, const uint32_t *before,
                                 uint32_t asked, const struct pl_budget *budget,
                                 union pl_quasi_result *out, struct pl_quasi_stats *stats)
{
    struct search s = {.quasi = quasi, .machine = machine, .budget = budget};
    memcpy(s.before, before, behaviour->order->operations * sizeof *before);
    return decide(&s, behaviour, asked, out, stats);
}

enum pl_decision pl_quasi_history(const struct pl_quasi *quasi, struct pl_machine *machine,
                                  const struct pl_behaviour *behaviour, const uint8_t *event,
                                  unsigned events, const struct pl_budget *budget,
                                  union pl_quasi_result *out, struct pl_quasi_stats *stats)
{
    struct search s = {.quasi = quasi, .machine = machine, .budget = budget};
    uint32_t returned = 0;
    for (unsigned k = 0; k < events; k++)
        if (event[k] % 2)
            returned |= bit(event[k] / 2);
        else
            s.before[event[k] / 2] = returned;
    enum pl_decision decision = decide(&s, behaviour, all_asked(behaviour), out, stats);
    if (decision != PL_GOOD) {
        out->refuted.events = out->refuted.at = events;
        memcpy(out->refuted.event, event, events);
    }
    return decision;
}

enum pl_decision pl_quasi_order(const struct pl_quasi *quasi, struct pl_machine *machine,
                                const struct pl_behaviour *behaviour,
                                const struct pl_budget *budget, union pl_quasi_result *out,
                                struct pl_quasi_stats *stats)
{
    struct search s = {.quasi = quasi, .machine = machine, .budget = budget};
    struct pl_order closed;
    bool is_order = pl_order_close(behaviour->order, &closed);
    PL_ASSERT(is_order); /* B1 */
    pl_order_operations(&closed, s.before);
    return decide(&s, behaviour, all_asked(behaviour), out, stats);
}
