/*
 * The interface between what decides (a strategy, in src/explore/) and what runs
 * (the target, src/runtime/). The target asks at every point where there is a
 * choice; the strategy answers. Nothing else passes between them.
 *
 * Invariants:
 * I1  pick() is asked only when at least two threads could go on; its answer is
 *     one of the set bits.
 * I2  choose(n) is asked only with n >= 2 and answers a number below n.
 * I3  The same strategy state and the same questions give the same answers, so an
 *     execution can be run again exactly.
 * I4  No allocation, no system call, no text: these are the inner loop.
 */
#ifndef PL_EXPLORE_TARGET_H
#define PL_EXPLORE_TARGET_H

#include <stdint.h>

#include "base/prng.h"

struct pl_strategy {
    void (*begin)(struct pl_strategy *self, uint64_t seed);
    unsigned (*pick)(struct pl_strategy *self, uint64_t threads, unsigned current);
    unsigned (*choose)(struct pl_strategy *self, unsigned n);
};

/* Every choice uniform at random from a seeded generator. */
struct pl_random {
    struct pl_strategy strategy; /* first: the target sees only this */
    struct pl_prng prng;
};
void pl_random_init(struct pl_random *self);

/* One of the set bits. In the header: a target that knows its strategy to be this one saves a
 * call at every step. */
static inline unsigned pl_random_pick(struct pl_random *self, uint64_t threads)
{
    /* Without branches for two or three: nobody can predict them. */
    uint64_t second = threads & (threads - 1), third = second & (second - 1);
    uint32_t count = 2 + (third != 0), skip;
    if (third & (third - 1)) {
        count = 0; /* few bits: a loop beats the call that popcount is on plain x86-64 */
        for (uint64_t left = threads; left; left &= left - 1)
            count++;
        for (skip = pl_prng_below(&self->prng, count); skip; skip--)
            threads &= threads - 1;
        return (unsigned)__builtin_ctzll(threads);
    }
    skip = pl_prng_below(&self->prng, count);
    uint64_t by_one = -(uint64_t)(skip > 0), by_two = -(uint64_t)(skip > 1);
    threads ^= (threads ^ second) & by_one;
    threads ^= (threads ^ third) & by_two;
    return (unsigned)__builtin_ctzll(threads);
}

/* The choices of an earlier execution, in order; past their end, the lowest. */
struct pl_replay {
    struct pl_strategy strategy;
    const uint8_t *choices;
    uint64_t count, next;
    int diverged; /* a recorded answer was not possible: the program has changed */
};
void pl_replay_init(struct pl_replay *self, const uint8_t *choices, uint64_t count);

#endif
