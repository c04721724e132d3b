/* Sets of edges of clients: client_sets.h. */
#include "check/client_sets.h"

#include <string.h>

#include "base/status.h"

void pl_rows_close(uint64_t *row, unsigned count)
{
    for (unsigned via = 0; via < count; via++) /* Warshall */
        for (unsigned e = 0; e < count; e++)
            if (row[e] >> via & 1)
                row[e] |= row[via];
}

/* ---- adding edges ---- */

static void add_to(uint64_t *row, unsigned points, unsigned i, unsigned j)
{
    uint64_t gain = row[2 * i + 1] | pl_event_bit(2 * i + 1);
    for (unsigned q = 0; q < points; q++)
        if (q == 2 * j || (row[q] >> 2 * j & 1))
            row[q] |= gain;
}

void pl_client_sets_add(const struct pl_client_sets *s, struct pl_client_set *set, unsigned i,
                        unsigned j)
{
    unsigned points = 2 * s->operations;
    add_to(set->order, points, i, j);
    add_to(set->cause, points, i, j);
    if (s->seq_cst)
        add_to(set->global, points, i, j);
    set->edges[j] |= (uint32_t)1 << i;
}

/* The set without edges. */
static void make_empty(const struct pl_client_sets *s, struct pl_client_set *set)
{
    struct pl_order closed;
    bool is_order = pl_order_close(s->behaviour->order, &closed);
    PL_ASSERT(is_order); /* B1 */
    unsigned points = 2 * s->operations;
    memset(set, 0, sizeof *set);
    memcpy(set->order, closed.before, points * sizeof *set->order);
    memcpy(set->cause, s->allowed->cause, points * sizeof *set->cause);
    if (!s->allowed->asks)
        memcpy(set->global, s->allowed->global, points * sizeof *set->global);
    for (unsigned i = 0; i < s->operations; i++)
        if (s->returned >> i & 1)
            set->cause[2 * i + 1] |= pl_event_bit(2 * i);
    pl_rows_close(set->cause, points);
}

void pl_client_sets_init(struct pl_client_sets *s, const struct pl_behaviour *behaviour,
                         const struct pl_allowed *allowed, struct pl_client_set *first)
{
    *s = (struct pl_client_sets){.behaviour = behaviour,
                                 .allowed = allowed,
                                 .operations = behaviour->order->operations,
                                 .returned = pl_operations_all(behaviour->order) &
                                             ~behaviour->order->pending,
                                 .seq_cst = allowed->asks != NULL};
    for (unsigned i = 0; i < s->operations; i++) {
        s->seq_cst = s->seq_cst || allowed->global[2 * i + 1];
        for (uint32_t rest = allowed->barred[i]; rest; rest &= rest - 1)
            s->barred[i] |= pl_event_bit(2 * (unsigned)__builtin_ctz(rest) + 1);
    }
    make_empty(s, first);
}

void pl_client_sets_less(const struct pl_client_sets *s, const struct pl_client_set *set,
                         unsigned i, unsigned j, struct pl_client_set *less)
{
    make_empty(s, less);
    for (unsigned b = 0; b < s->operations; b++)
        for (unsigned a = 0; a < s->operations; a++)
            if ((set->edges[b] >> a & 1) && !(a == i && b == j))
                pl_client_sets_add(s, less, a, b);
}

/* ---- which are possible ---- */

/* The returns that are barred from what an edge to j leads to. */
static uint64_t barred_from(const struct pl_client_sets *s, const struct pl_client_set *set,
                            unsigned j)
{
    uint64_t barred = s->barred[j];
    for (unsigned k = 0; k < s->operations; k++)
        if (set->order[2 * k] >> 2 * j & 1)
            barred |= s->barred[k];
    return barred;
}

static bool is_possible(const struct pl_client_set *set, unsigned i, unsigned j, uint64_t barred)
{
    uint64_t gain = set->order[2 * i + 1] | pl_event_bit(2 * i + 1);
    return !((set->cause[2 * i + 1] | set->global[2 * i + 1]) >> 2 * j & 1) && !(gain & barred);
}

void pl_client_sets_possible(const struct pl_client_sets *s, const struct pl_client_set *set,
                             uint32_t *possible)
{
    for (unsigned j = 0; j < s->operations; j++) {
        uint64_t barred = barred_from(s, set, j);
        possible[j] = 0;
        for (uint32_t rest = s->returned; rest; rest &= rest - 1) {
            unsigned i = (unsigned)__builtin_ctz(rest);
            if (s->allowed->thread[i] != s->allowed->thread[j] && is_possible(set, i, j, barred))
                possible[j] |= (uint32_t)1 << i;
        }
    }
}

bool pl_client_sets_allows(const struct pl_client_sets *s, const struct pl_client_set *set,
                           unsigned i, unsigned j)
{
    uint32_t edges[PL_MOST_CALLED];
    if (!s->allowed->asks)
        return true;
    memcpy(edges, set->edges, sizeof edges);
    edges[j] |= (uint32_t)1 << i;
    return s->allowed->asks(s->allowed->context, edges);
}

bool pl_client_sets_covers(const struct pl_client_sets *s, const struct pl_client_set *set,
                           const uint32_t *left_out)
{
    for (unsigned j = 0; j < s->operations && !s->seq_cst; j++)
        for (uint32_t rest = left_out[j]; rest; rest &= rest - 1)
            if (set->order[2 * j] >> (2 * (unsigned)__builtin_ctz(rest) + 1) & 1)
                return true;
    return false;
}

void pl_client_sets_before(const struct pl_client_sets *s, const struct pl_client_set *set,
                           uint32_t *before)
{
    for (unsigned j = 0; j < s->operations; j++) {
        uint64_t rows = set->order[2 * j] & ~PL_CALL_EVENTS;
        before[j] = 0;
        for (; rows; rows &= rows - 1)
            before[j] |= (uint32_t)1 << __builtin_ctzll(rows) / 2;
    }
}
