/*
 * The points of an execution without a clock, under every client: points.h, P5.
 *
 * A client is a set of edges from returns to calls. Its points are ordered by what orders the
 * events of the execution and by the edges, through all calls and returns. The sets are searched as
 * those of clients.c are, from the one without edges, with a line as the guide:
 *
 *     call  call  ●  ret  ○  call  ret  ●  ret        ○ where an operation without a point is
 * placed
 *
 * L1  A line has calls, points, returns and placed operations in an order that respects what the
 *     set orders; events that come before each other share a place. Points have places of their
 *     own, those of one access one together, and stand between call and return of their operation.
 * L2  A set whose edges all lead forward in the line has no order that the line contradicts. So
 *     its points have no cycle, none is outside its operation, and if there is one order of the
 * points only, or none is placed, it is good if the set that the line was made for is: orders of
 * more edges are among those of fewer, and in the line all placed operations have their moments. L3
 * What is left are sets with an edge that leads back: it is enough to go on with each of these.
 * Where there is no line all edges are gone on with.
 */
#include <string.h>

#include "check/points.h"

enum { MOST_SETS = 1 << 16, EVENTS = 64, MARKS = 64, NODES = EVENTS + MARKS };

/* A set of nodes: events of the behaviour; marks, that is points, then placed operations. */
struct row {
    uint64_t half[2];
};

struct relation {
    unsigned events, marks;
    struct row before[NODES]; /* an event by its number, a mark by its number + EVENTS */
};

struct search {
    struct pl_machine *machine;
    const struct pl_behaviour *behaviour;
    const struct pl_points *points;
    const struct pl_budget *budget;
    struct pl_client_sets of;
    uint64_t sets;
    struct pl_client *client;
    struct pl_mismatch *out;
    struct pl_points_stats *stats;

    /* of the set that was decided last: */
    struct relation relation;
    struct pl_moments moments;
    uint64_t dropped;
    uint32_t loose; /* operations without a point */
    bool several;   /* one has several */
};

/* ---- relations ---- */

static bool is_before(const struct relation *r, unsigned a, unsigned b)
{
    return r->before[b].half[a / EVENTS] >> a % EVENTS & 1;
}

static void add(struct relation *r, unsigned a, unsigned b)
{
    r->before[b].half[a / EVENTS] |= (uint64_t)1 << a % EVENTS;
}

/* The node after this one; NODES: there is none. */
static unsigned next_node(const struct relation *r, unsigned node)
{
    if (++node == r->events)
        node = EVENTS;
    return node == EVENTS + r->marks ? NODES : node;
}

static unsigned first_node(const struct relation *r)
{
    return r->events ? 0 : r->marks ? EVENTS : NODES;
}

static void close_relation(struct relation *r)
{
    for (unsigned via = first_node(r); via < NODES; via = next_node(r, via))
        for (unsigned n = first_node(r); n < NODES; n = next_node(r, n))
            if (is_before(r, via, n)) {
                r->before[n].half[0] |= r->before[via].half[0];
                r->before[n].half[1] |= r->before[via].half[1];
            }
}

/* What the execution orders, and the edges of the set. */
static void relate_events(const struct search *s, const struct pl_client_set *set,
                          struct relation *r)
{
    const struct pl_points *p = s->points;
    memset(r, 0, sizeof *r);
    r->events = 2 * s->of.operations;
    r->marks = p->count;
    for (unsigned j = 0; j < s->of.operations; j++) {
        r->before[2 * j].half[0] = p->reach[2 * j];
        r->before[2 * j + 1].half[0] = p->reach[2 * j + 1] | pl_event_bit(2 * j);
        for (uint32_t rest = set->edges[j]; rest; rest &= rest - 1)
            add(r, 2 * (unsigned)__builtin_ctz(rest) + 1, 2 * j);
    }
    for (unsigned k = 0; k < p->count; k++) {
        r->before[EVENTS + k] = (struct row){{p->at[k].past, p->at[k].earlier | p->at[k].with}};
        for (uint64_t rest = p->at[k].future; rest; rest &= rest - 1)
            add(r, EVENTS + k, (unsigned)__builtin_ctzll(rest));
    }
}

/* P7, by the order of the events alone; and those of operations that have no effect, being stuck.
 */
static uint64_t find_dropped(const struct search *s)
{
    struct pl_points points = *s->points;
    uint64_t stuck = 0;
    for (unsigned k = 0; k < points.count && s->behaviour->stuck; k++)
        if (!(s->of.returned >> points.at[k].operation & 1))
            stuck |= (uint64_t)1 << k;
    if (!s->several)
        return stuck;
    for (unsigned k = 0; k < points.count; k++) {
        struct pl_point *p = &points.at[k];
        p->earlier = (s->relation.before[EVENTS + k].half[1] & ~p->with) | (p->earlier & p->with);
    }
    return pl_points_superseded(&points) | stuck;
}

/* And the order of the operations. */
static void relate(struct search *s, const struct pl_client_set *set)
{
    struct relation *r = &s->relation;
    const struct pl_points *p = s->points;
    uint32_t before[PL_MOST_CALLED];
    uint64_t of[PL_MOST_CALLED] = {0}; /* points of each operation */
    relate_events(s, set, r);
    if (s->several)
        close_relation(r);
    s->dropped = find_dropped(s);
    pl_client_sets_before(&s->of, set, before);
    for (unsigned k = 0; k < p->count; k++)
        if (!(s->dropped >> k & 1))
            of[p->at[k].operation] |= (uint64_t)1 << k;
    for (unsigned k = 0; k < p->count; k++)
        for (uint32_t rest = s->dropped >> k & 1 ? 0 : before[p->at[k].operation]; rest;
             rest &= rest - 1)
            r->before[EVENTS + k].half[1] |= of[__builtin_ctz(rest)];
    close_relation(r);
}

/* ---- one client ---- */

/* Of the same access those that come before the point, and those of operations that are over when
 * its own is called: then the two contradict each other. */
static uint64_t earlier_there(const struct search *s, const struct pl_client_set *set, unsigned k)
{
    const struct pl_point *p = &s->points->at[k];
    uint64_t earlier = p->earlier & p->with;
    for (uint64_t rest = p->with; rest; rest &= rest - 1) {
        unsigned i = s->points->at[__builtin_ctzll(rest)].operation;
        if (!((s->dropped >> k | s->dropped >> __builtin_ctzll(rest)) & 1) &&
            (set->order[2 * p->operation] >> (2 * i + 1) & 1))
            earlier |= rest & -rest;
    }
    return earlier;
}

/* The points with what the set orders. */
static void order_points(const struct search *s, const struct pl_client_set *set,
                         struct pl_points *out)
{
    *out = (struct pl_points){.count = s->points->count, .dropped = s->dropped};
    for (unsigned k = 0; k < out->count; k++) {
        const struct pl_point *p = &s->points->at[k];
        struct pl_point *to = &out->at[k];
        *to = *p;
        to->earlier = s->relation.before[EVENTS + k].half[1] & ~(p->with | (uint64_t)1 << k);
        to->earlier |= earlier_there(s, set, k);
        for (uint64_t rest = p->before; rest; rest &= rest - 1)
            to->before |= set->order[__builtin_ctzll(rest)];
        for (unsigned e = 0; e < 2 * s->of.operations; e++)
            to->after |= (uint64_t)((set->order[e] & p->after) != 0) << e;
    }
}

static enum pl_decision decide(struct search *s, const struct pl_client_set *set,
                               struct pl_mismatch *out)
{
    struct pl_points points;
    struct pl_order order = {.operations = s->of.operations,
                             .pending = s->behaviour->order->pending};
    struct pl_behaviour behaviour = *s->behaviour;
    memcpy(order.before, set->order, sizeof set->order);
    behaviour.order = &order;
    relate(s, set);
    order_points(s, set, &points);
    return pl_points_place(s->machine, &behaviour, &points, s->budget, out, &s->moments, s->stats);
}

/* No edge can be taken away: those that can are no reason. */
static enum pl_decision bad(struct search *s, const struct pl_client_set *found)
{
    struct pl_client_set set = *found, less;
    struct pl_mismatch out;
    for (unsigned j = 0; j < s->of.operations; j++)
        for (unsigned i = 0; i < s->of.operations; i++) {
            if (!(set.edges[j] >> i & 1))
                continue;
            pl_client_sets_less(&s->of, &set, i, j, &less);
            if (decide(s, &less, &out) != PL_BAD)
                continue;
            set = less;
            *s->out = out;
        }
    memset(s->client, 0, sizeof *s->client);
    memcpy(s->client->edges, set.edges, sizeof set.edges);
    s->client->order.operations = s->of.operations;
    s->client->order.pending = s->behaviour->order->pending;
    memcpy(s->client->order.before, set.order, sizeof set.order);
    s->client->unjustified = PL_NONE_CALLED;
    return PL_BAD;
}

/* ---- lines ---- */

/* Points between call and return of their operations, and operations without one where they were
 * placed. False: they have no room. */
static bool add_marks(const struct search *s, struct relation *r)
{
    const struct pl_moments *m = &s->moments;
    for (unsigned k = 0; k < s->points->count; k++) {
        unsigned i = s->points->at[k].operation;
        if (s->dropped >> k & 1)
            continue;
        add(r, 2 * i, EVENTS + k);
        if (s->of.returned >> i & 1)
            add(r, EVENTS + k, 2 * i + 1);
    }
    if (!s->loose)
        return true;
    if (!m->single || r->marks + m->count > MARKS)
        return false;
    for (unsigned k = 0; k < m->count; k++) {
        unsigned node = EVENTS + r->marks++, i = m->loose[k];
        add(r, 2 * i, node);
        add(r, node, 2 * i + 1);
        if (k)
            add(r, node - 1, node);
        if (m->after[k])
            add(r, EVENTS + m->order[m->after[k] - 1], node);
        if (m->after[k] < m->points)
            add(r, node, EVENTS + m->order[m->after[k]]);
    }
    return true;
}

/* Which comes first where several can: a return makes edges possible, a call ends that. */
static unsigned urgency(unsigned node)
{
    return node >= EVENTS ? 1 : node & 1 ? 2 : 0;
}

static bool is_ready(const struct relation *r, unsigned node, const struct row *placed)
{
    const struct row *b = &r->before[node];
    for (unsigned h = 0; h < 2; h++)
        for (uint64_t rest = b->half[h] & ~placed->half[h]; rest; rest &= rest - 1)
            if (!is_before(r, node, h * EVENTS + (unsigned)__builtin_ctzll(rest)))
                return false;
    return true;
}

/* Does a mark share its place with an event, or with a mark of another access? */
static bool is_tangled(const struct search *s, const struct relation *r)
{
    for (unsigned a = 0; a < r->marks; a++)
        for (unsigned n = first_node(r); n < NODES; n = next_node(r, n)) {
            bool together =
                a < s->points->count && n >= EVENTS && (s->points->at[a].with >> (n - EVENTS) & 1);
            bool matters = n >= EVENTS || !(a < s->points->count && (s->dropped >> a & 1));
            if (n != EVENTS + a && !together && matters && is_before(r, EVENTS + a, n) &&
                is_before(r, n, EVENTS + a))
                return true;
        }
    return false;
}

/* Edges that no further one can contradict lead forward, if there is a line with all of them. */
static void add_one_way(const struct search *s, const uint32_t *possible, struct relation *r)
{
    struct relation more = *r;
    for (unsigned j = 0; j < s->of.operations; j++)
        for (uint32_t rest = possible[j]; rest; rest &= rest - 1) {
            unsigned i = (unsigned)__builtin_ctz(rest);
            if (!(possible[i] >> j & 1))
                add(&more, 2 * i + 1, 2 * j);
        }
    close_relation(&more);
    if (!is_tangled(s, &more))
        *r = more;
}

/* L1: the place of each event; false: there is no line. */
static bool make_line(const struct search *s, const uint32_t *possible, uint8_t *place)
{
    struct relation r = s->relation;
    struct row placed = {{0, 0}};
    if (!add_marks(s, &r))
        return false;
    close_relation(&r);
    if (is_tangled(s, &r))
        return false;
    add_one_way(s, possible, &r);
    for (uint8_t at = 0;; at++) {
        unsigned best = NODES;
        for (unsigned n = first_node(&r); n < NODES; n = next_node(&r, n))
            if (!(placed.half[n / EVENTS] >> n % EVENTS & 1) && is_ready(&r, n, &placed) &&
                (best == NODES || urgency(n) > urgency(best)))
                best = n;
        if (best == NODES)
            return true;
        for (unsigned n = first_node(&r); n < NODES; n = next_node(&r, n))
            if (n == best || (is_before(&r, n, best) && is_before(&r, best, n))) {
                placed.half[n / EVENTS] |= (uint64_t)1 << n % EVENTS;
                place[n] = at;
            }
    }
}

/* L3: the possible edges that lead back. */
static void find_against(const struct search *s, const uint32_t *possible, uint32_t *against)
{
    uint8_t place[NODES] = {0};
    bool line = make_line(s, possible, place);
    for (unsigned j = 0; j < s->of.operations; j++) {
        against[j] = 0;
        for (uint32_t rest = possible[j]; rest; rest &= rest - 1) {
            unsigned i = (unsigned)__builtin_ctz(rest);
            against[j] |= (uint32_t)(!line || place[2 * i + 1] > place[2 * j]) << i;
        }
    }
}

/* ---- as under a clock ---- */

/* Whenever a call comes before a return in the order of the points it does so in `row`, which no
 * client contradicts? */
static bool is_within(const struct search *s, const uint64_t *from, const struct relation *r)
{
    uint64_t row[PL_CALLED_EVENTS];
    memcpy(row, from, sizeof row);
    for (unsigned i = 0; i < s->of.operations; i++)
        row[2 * i + 1] |= pl_event_bit(2 * i);
    pl_rows_close(row, r->events);
    for (unsigned e = 1; e < r->events; e += 2)
        if (r->before[e].half[0] & PL_CALL_EVENTS & ~row[e])
            return false;
    return true;
}

/* The execution with the order of the points as one of time. */
static void make_timed(const struct search *s, struct pl_points *points, struct pl_order *order)
{
    const struct relation *r = &s->relation;
    *points = (struct pl_points){.count = s->points->count, .clocked = true, .dropped = s->dropped};
    *order =
        (struct pl_order){.operations = s->of.operations, .pending = s->behaviour->order->pending};
    for (unsigned e = 0; e < r->events; e++) {
        order->before[e] = r->before[e].half[0];
        for (uint64_t rest = r->before[e].half[1]; rest; rest &= rest - 1)
            points->at[__builtin_ctzll(rest)].after |= pl_event_bit(e);
    }
    for (unsigned k = 0; k < points->count; k++) {
        struct pl_point *p = &points->at[k];
        uint64_t access = s->points->at[k].with | (uint64_t)1 << k;
        p->operation = s->points->at[k].operation;
        p->before = r->before[EVENTS + k].half[0];
        p->with = s->points->at[k].with;
        p->earlier = r->before[EVENTS + k].half[1] & ~access;
        p->earlier |= s->points->at[k].earlier & p->with;
    }
}

/*
 * Sufficient: if the order of the points is one of time (no event comes before itself) that no
 * client can contradict, every client with every order of its points is a history of that time, in
 * which calls, points and returns are in one line. So P3 is asked, once.
 */
static bool is_good_in_time(struct search *s, const struct pl_client_set *none)
{
    const struct pl_allowed *a = s->of.allowed;
    struct pl_points points;
    struct pl_order order;
    struct pl_behaviour behaviour = *s->behaviour;
    relate(s, none);
    const struct relation *r = &s->relation;
    for (unsigned n = 0; n < r->events; n++)
        if (is_before(r, n, n))
            return false;
    if (is_tangled(s, r))
        return false;
    if (!is_within(s, a->cause, r) && (a->asks || !is_within(s, a->global, r)))
        return false;
    make_timed(s, &points, &order);
    behaviour.order = &order;
    return pl_points_place(s->machine, &behaviour, &points, s->budget, s->out, NULL, s->stats) ==
           PL_GOOD;
}

/* ---- all clients ---- */

static enum pl_decision visit(struct search *s, const struct pl_client_set *set,
                              const uint32_t *left_out)
{
    uint32_t possible[PL_MOST_CALLED], against[PL_MOST_CALLED], without[PL_MOST_CALLED];
    if (pl_client_sets_covers(&s->of, set, left_out))
        return PL_GOOD;
    if (++s->sets > MOST_SETS || (s->sets % 1024 == 0 && pl_check_over(s->budget)))
        return PL_NEITHER;
    enum pl_decision decision = decide(s, set, s->out);
    if (decision == PL_BAD)
        return bad(s, set);
    if (decision == PL_NEITHER)
        return decision;
    pl_client_sets_possible(&s->of, set, possible);
    find_against(s, possible, against);
    memcpy(without, left_out, sizeof without);
    for (unsigned j = 0; j < s->of.operations && decision == PL_GOOD; j++)
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

enum pl_decision pl_points_clients(struct pl_machine *machine, const struct pl_behaviour *behaviour,
                                   const struct pl_points *points, const struct pl_allowed *allowed,
                                   const struct pl_budget *budget,
                                   const struct pl_points_found *out, bool only_search)
{
    static const uint32_t none[PL_MOST_CALLED];
    struct search s = {.machine = machine,
                       .behaviour = behaviour,
                       .points = points,
                       .budget = budget,
                       .client = out->client,
                       .out = out->mismatch,
                       .stats = out->stats};
    struct pl_client_set first;
    pl_client_sets_init(&s.of, behaviour, allowed, &first);
    uint32_t marked = 0;
    for (unsigned k = 0; k < points->count; k++) {
        uint32_t operation = (uint32_t)1 << points->at[k].operation;
        s.several = s.several || (marked & operation);
        marked |= operation;
    }
    s.loose = s.of.returned & ~marked;
    out->stats->behaviours++;
    if (!only_search && is_good_in_time(&s, &first)) {
        out->sets->walked++;
        return PL_GOOD;
    }
    enum pl_decision decision = visit(&s, &first, none);
    out->sets->sets += s.sets;
    return decision;
}
