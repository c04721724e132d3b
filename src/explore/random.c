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
    struct pl_random *self = (struct pl_random *)strategy;
    uint32_t count = 0; /* few bits: a loop beats the call that popcount is on plain x86-64 */
    for (uint64_t left = threads; left; left &= left - 1)
        count++;
    for (uint32_t skip = pl_prng_below(&self->prng, count); skip; skip--)
        threads &= threads - 1;
    return (unsigned)__builtin_ctzll(threads);
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
