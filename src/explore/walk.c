/* Walks through the search, to estimate how many executions there are; see pl_trust_probe(). */
#include "explore/trust_internal.h"

static void begin_walk(struct pl_trust *x)
{
    x->weight = 1;
    x->depth = x->items = x->forks = 0;
    x->g = x->frame[0];
    pl_graph_clear(x->g);
}

/* Which of so many; the walk stands for that many more. */
static uint32_t step_of_walk(struct pl_trust *x, uint32_t ways)
{
    x->weight *= ways;
    return pl_prng_below(&x->prng, ways);
}

/* A run is over: does the walk leave it at one of the forks, or was this its leaf? */
void pl_trust_walk_on(struct pl_trust *x, bool complete)
{
    struct item way = {0};
    bool left = false;
    for (uint32_t i = 0; i < x->forks && !left; i++) {
        uint32_t end = i + 1 < x->forks ? x->fork[i + 1] : x->items;
        uint32_t taken = step_of_walk(x, end - x->fork[i] + 1);
        left = taken > 0;
        if (left)
            way = x->item[x->fork[i] + taken - 1];
    }
    x->items = x->base[x->depth] = x->forks = 0;
    if (left && pl_trust_take(x, &way))
        return;
    if (left && x->items) { /* a revisit: the write's place */
        way = x->item[step_of_walk(x, x->items)];
        x->items = x->base[x->depth] = 0;
        (void)pl_trust_take(x, &way);
        return;
    }
    x->estimate.walks++;
    if (!left && complete) {
        x->estimate.sum += x->weight;
        x->estimate.squares += x->weight * x->weight;
    }
    begin_walk(x);
}

void pl_trust_probe(struct pl_trust *x, uint64_t seed)
{
    x->probing = true;
    pl_prng_init(&x->prng, seed);
    begin_walk(x);
}

const struct pl_trust_estimate *pl_trust_estimate(const struct pl_trust *x)
{
    return &x->estimate;
}
