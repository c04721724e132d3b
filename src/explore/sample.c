/* Which thread a sampled execution lets move next: sample.h. */
#include "explore/sample.h"

#include <string.h>

void pl_sample_init(struct pl_sample *s, enum pl_sample_kind kind, unsigned depth)
{
    *s = (struct pl_sample){.kind = kind, .depth = depth};
}

void pl_sample_begin(struct pl_sample *s, uint64_t seed)
{
    pl_prng_init(&s->prng, seed);
    memset(s->priority, 0, sizeof s->priority);
    s->changed = 0;
    s->length = 0;
    if (s->kind == PL_SAMPLE_DPCT || (s->kind == PL_SAMPLE_PCT && s->runs >= PL_SAMPLE_PROBES))
        s->length = s->longest;
    for (unsigned i = 0; s->length && i + 1 < s->depth; i++)
        s->change[i] = pl_sample_below(s, s->length);
}

/* The length of pct stays what the probes found: a guarantee needs it beforehand. */
void pl_sample_end(struct pl_sample *s, uint32_t events)
{
    bool fixed = s->kind == PL_SAMPLE_PCT && s->runs >= PL_SAMPLE_PROBES;
    s->runs++;
    if (events <= s->longest)
        return;
    if (fixed)
        s->exceeded = true;
    else
        s->longest = events;
}

static unsigned uniform(struct pl_sample *s, uint64_t enabled)
{
    unsigned skip = pl_sample_below(s, (unsigned)__builtin_popcountll(enabled));
    while (skip--)
        enabled &= enabled - 1;
    return (unsigned)__builtin_ctzll(enabled);
}

unsigned pl_sample_pick(struct pl_sample *s, const struct pl_graph *g, uint32_t made,
                        uint64_t enabled)
{
    if (!s->length)
        return uniform(s, enabled);
    for (unsigned i = 0; i + 1 < s->depth; i++)
        if (!(s->changed >> i & 1) && s->change[i] < made) {
            s->changed |= 1u << i;
            s->priority[g->order[s->change[i]].thread] = i + 1; /* below every drawn one */
        }
    unsigned best = (unsigned)__builtin_ctzll(enabled);
    for (uint64_t left = enabled; left; left &= left - 1) {
        unsigned t = (unsigned)__builtin_ctzll(left);
        if (t >= PL_GRAPH_THREADS)
            continue;
        if (!s->priority[t])
            s->priority[t] = PL_SAMPLE_DEPTH + 1 + (uint32_t)(pl_prng_next(&s->prng) >> 34);
        if (s->priority[t] > s->priority[best])
            best = t;
    }
    return best;
}
