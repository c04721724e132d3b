/*
 * Who comes last: threads that from some event on only read.
 *
 * A read that is made before a write to its location is revisited by it, which deletes and makes
 * again all that has come since; one that is made after it only has one value more to choose from,
 * and what is repeated for each is what follows the read. So threads that do not write any more let
 * the others go first. Who moves next is free (TruSt's next()), so that costs nothing else. It is
 * learnt once, of the first run of a search, which then begins again: after how many events each
 * thread did nothing but read, and before it joined anybody. In other executions this may be wrong,
 * which costs time only. Other processes that go on with a part of the search are told (share.c).
 */
#include <string.h>

#include "explore/trust_internal.h"

static bool may_write(const struct pl_node *n)
{
    return n->kind == PL_GRAPH_WRITE || n->kind == PL_GRAPH_CREATE || n->kind == PL_GRAPH_UNLOCK ||
           n->op != PL_OP_NONE || n->await != PL_AWAIT_NONE;
}

/* After how many events the thread only reads; 0: never, or nothing that others could change. */
static uint16_t reads_after(const struct pl_graph_thread *t)
{
    uint32_t first = t->count;
    while (first && !may_write(&t->node[first - 1]))
        first--;
    for (uint32_t i = first; i < t->count && t->node[i].kind != PL_GRAPH_JOIN; i++)
        if (t->node[i].kind == PL_GRAPH_READ)
            return (uint16_t)(first ? first : 1); /* it has begun, at least */
    return 0;
}

bool pl_trust_learn(struct pl_trust *x)
{
    const struct pl_graph *g = x->g;
    if (x->learnt || x->sample || x->script || x->probing || x->bounded || x->failure)
        return false;
    x->learnt = true;
    for (unsigned t = 0; t < g->threads; t++) {
        x->reads_after[t] = reads_after(&g->thread[t]);
        x->readers |= (uint64_t)(x->reads_after[t] != 0) << t;
    }
    if (!x->readers)
        return false;
    pl_trust_forget_runs(x);
    return true;
}

uint64_t pl_trust_only_read(const struct pl_trust *x, uint64_t enabled)
{
    uint64_t only = 0;
    for (uint64_t left = x->readers & enabled; left; left &= left - 1) {
        unsigned t = (unsigned)__builtin_ctzll(left);
        if (t < x->g->threads && x->g->thread[t].count >= x->reads_after[t])
            only |= (uint64_t)1 << t;
    }
    return only;
}

void pl_trust_follow(struct pl_trust *x, const struct pl_trust *other)
{
    x->learnt = other->learnt;
    x->readers = other->readers;
    memcpy(x->reads_after, other->reads_after, sizeof x->reads_after);
}
