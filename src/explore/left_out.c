/*
 * Races with what a helper's round has read (helping.c, A8).
 *
 * No complete execution needs the round, but a race may: a plain write that races with a read of
 * it, by a thread that has learnt, without happens-before, that the round's thread went on.
 *
 *     thread t:  [read data] ─ … ─ store flag, relaxed        other:  load flag ─ write data
 *                └─ left out ┘
 *
 * In the graph in which t stands at the end of the round nobody comes to the write, and where t has
 * gone on the round is not there. So it is noted which memory such rounds read, and which memory is
 * written (or freed) by somebody who has an event of t after the round in his causal past, but not
 * in what happens before. Where both are the same nobody stands any more, and the search begins
 * again. (passing.c has the argument why each of the two is seen; it is the same here, and heads of
 * loops tell where a round can have been.)
 */
#include "explore/trust_internal.h"

/* Twins may be renamed, and blocks with them: all are taken for one then. */
static uint64_t name_of(const struct pl_trust *x, uint64_t memory, unsigned thread, unsigned since)
{
    uint64_t place = (uint64_t)(x->twins ? 0 : thread + 1) << 32 | since;
    memory = x->twins && (memory & PL_TRUST_HEAP) ? PL_TRUST_HEAP : memory;
    return (memory ^ place * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
}

static bool has(const struct names *n, uint64_t name)
{
    for (uint32_t i = 0; i < n->count && i < LEFT_OUT; i++)
        if (n->name[i] == name)
            return true;
    return n->count > LEFT_OUT; /* it may be any */
}

/* Is it in the other one, too? Then there may be a race. */
static void add(struct pl_trust *x, struct names *n, const struct names *other, uint64_t name)
{
    if (has(n, name))
        return;
    if (n->count < LEFT_OUT)
        n->name[n->count] = name;
    n->count++;
    if (has(other, name))
        pl_trust_help_not(x, PL_TRUST_ANYWHERE);
}

void pl_trust_wrote(struct pl_trust *x, unsigned thread, uint64_t memory)
{
    const struct pl_graph *g = x->g;
    unsigned made = thread < g->threads ? x->made[thread] : 0;
    if (!x->helping.on || !made || !x->looped || x->script || x->probing)
        return;
    const struct pl_node *n = &g->thread[thread].node[made - 1];
    for (unsigned t = 0; t < g->threads; t++) {
        if (t == thread || n->porf[t] <= n->hb[t])
            continue;
        for (unsigned i = 0; i < x->heads[t] && i < HEADS; i++)
            if (n->hb[t] <= x->head[t][i] && n->porf[t] > x->head[t][i])
                add(x, &x->written_later, &x->read_before, name_of(x, memory, t, x->head[t][i]));
        if (x->heads[t] > HEADS)
            pl_trust_help_not(x, PL_TRUST_ANYWHERE);
    }
}

void pl_trust_left_out(struct pl_trust *x, struct pl_round round, uint64_t memory)
{
    add(x, &x->read_before, &x->written_later, name_of(x, memory, round.thread, round.from));
}
