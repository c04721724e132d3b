/* The random strategy: every choice uniform, from a seeded generator. */
#include "explore/target.h"

static void begin(struct pl_strategy *strategy, uint64_t seed)
{
    struct pl_random *self = (struct pl_random *)strategy;
    pl_prng_init(&self->prng, seed);
}

static unsigned pick(struct pl_strategy *strategy, uint64_t threads, unsigned current)
{
    (void)current;
    return pl_random_pick((struct pl_random *)strategy, threads);
}

static unsigned choose(struct pl_strategy *strategy, unsigned n)
{
    struct pl_random *self = (struct pl_random *)strategy;
    return pl_prng_below(&self->prng, n);
}

void pl_random_init(struct pl_random *self)
{
    self->strategy = (struct pl_strategy){begin, pick, choose};
}
