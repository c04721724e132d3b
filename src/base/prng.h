/*
 * xoshiro256** seeded through splitmix64 (Blackman and Vigna): the one source of
 * randomness of the tool. The same seed gives the same numbers everywhere.
 */
#ifndef PL_BASE_PRNG_H
#define PL_BASE_PRNG_H

#include <stdint.h>

struct pl_prng {
    uint64_t s[4];
};

static inline uint64_t pl_mix64(uint64_t *x)
{
    uint64_t z = (*x += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline void pl_prng_init(struct pl_prng *r, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        r->s[i] = pl_mix64(&seed);
}

static inline uint64_t pl_prng_next(struct pl_prng *r)
{
    uint64_t *s = r->s;
    uint64_t x = s[1] * 5, result = ((x << 7) | (x >> 57)) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 45) | (s[3] >> 19);
    return result;
}

/* Uniform in [0, n) up to a bias of n / 2^32, which no schedule can notice. */
static inline uint32_t pl_prng_below(struct pl_prng *r, uint32_t n)
{
    return (uint32_t)(((pl_prng_next(r) >> 32) * n) >> 32);
}

#endif
