/*
 * Sampling: instead of every execution, executions drawn at random, each independent of the
 * others. Which thread moves next is one of
 *
 *   random  any that can, uniformly
 *   pct:D   the one with the highest of random priorities; at D - 1 random moments the thread
 *           that has just moved falls below all others (Burckhardt, Kothari, Musuvathi,
 *           Nagarakatte, ASPLOS 2010). The moments are drawn among the first `length` events.
 *   dpct:D  likewise, with the length of the longest execution so far
 *
 * Under a weak model a read takes any consistent value, a write any consistent place, uniformly;
 * under sc the order of the events decides. A sample of at most `length` events under pct:D and
 * sc shows a given bug of depth D with probability 1 / (threads · length^(D-1)) at least.
 *
 * Invariant: the same seed and the same questions give the same answers.
 */
#ifndef PL_EXPLORE_SAMPLE_H
#define PL_EXPLORE_SAMPLE_H

#include <stdbool.h>

#include "base/prng.h"
#include "graph/graph.h"

enum pl_sample_kind { PL_SAMPLE_NONE, PL_SAMPLE_RANDOM, PL_SAMPLE_PCT, PL_SAMPLE_DPCT };
enum {
    PL_SAMPLE_DEPTH = 16,   /* greatest D */
    PL_SAMPLE_PROBES = 100, /* random executions that find the length for pct */
};

struct pl_sample {
    enum pl_sample_kind kind;
    unsigned depth;
    struct pl_prng prng;
    uint64_t runs;
    uint32_t longest;                    /* events of an execution so far */
    uint32_t length;                     /* among which the changes are drawn; 0: random for now */
    bool exceeded;                       /* pct: an execution was longer than that */
    uint32_t priority[PL_GRAPH_THREADS]; /* 0: none yet */
    uint32_t change[PL_SAMPLE_DEPTH];    /* event after which its thread falls */
    unsigned changed;                    /* bit per change made */
};

void pl_sample_init(struct pl_sample *s, enum pl_sample_kind kind, unsigned depth);
void pl_sample_begin(struct pl_sample *s, uint64_t seed);
/* After an execution of so many events. */
void pl_sample_end(struct pl_sample *s, uint32_t events);
/* One of the enabled threads; `made` events of g->order have been made. */
unsigned pl_sample_pick(struct pl_sample *s, const struct pl_graph *g, uint32_t made,
                        uint64_t enabled);
static inline unsigned pl_sample_below(struct pl_sample *s, unsigned n)
{
    return pl_prng_below(&s->prng, n);
}

#endif
