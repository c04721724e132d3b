/*
 * What was seen of a program in any of its executions, and what was taken for granted because it
 * was not: of both together it follows whether the search must begin again (assumed.c, between.c,
 * runtime/left_out.h, runtime/symmetry.h). Processes that explore together share one.
 *
 * Invariants:
 * F1  All is zero at first; until the search begins again bits are only set.
 * F2  Who takes something for granted notes that first, and then looks whether it was seen; who
 *     sees something notes that, and then looks whether it was taken for granted. So of two
 *     processes one finds out, whatever the order.
 * F3  Places and values have names of 63 bits. Two with the same name are one: that can only make
 *     more known of both, and less taken for granted.
 */
#ifndef PL_EXPLORE_FACTS_H
#define PL_EXPLORE_FACTS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    PL_FACTS_VALUES = 512,
    PL_FACTS_PLACES = 256,
    PL_FACTS_HALVES = 1 << 14,
    PL_FACTS_OFTEN = 16, /* after so many mistakes nothing is taken for granted of values */
    PL_FACTS_RISKS = 12, /* nor of rounds */
};

/* assumed.c: a value at a location; was it seen to come again, was it taken not to? */
struct pl_fact_value {
    uint64_t name; /* 0: none */
    uint32_t again, relied;
};

/* between.c: of a location, bits of threads: that come there, that write there, that do so late,
 * that store or load there between the halves of a pair; that have not written there before any
 * such load, before any access. */
struct pl_fact_place {
    uint64_t name;
    uint32_t all, writers, late, stores, loads, not_before_loads, not_before_all;
};

/* runtime/left_out.h: bits of threads that have read half a granule plainly, accessed it atomically
 * in a round that could have been given up, written it plainly or freed it when others could know
 * of it, written it atomically; touches in rounds with pairs. */
struct pl_fact_half {
    uint32_t reads, touches, stores, updates, paired;
};

struct pl_facts {
    uint32_t mutexes_are_words;
    uint32_t assumes;     /* something may be taken for granted of values: what is seen is noted */
    uint32_t assumes_not; /* nothing is, any more */
    uint32_t relied;      /* something was */
    uint32_t pairs, pairs_not;  /* likewise: there is a pair; there are to be none */
    uint32_t paired;            /* pairs were made something of */
    uint32_t twins, twins_not;  /* threads have twins; nobody is to be one */
    uint32_t gave_up, was_risk; /* a graph, for a round that looked no risk; and was one */
    uint32_t risky;             /* every round is one */
    uint32_t keeps_rounds;      /* those that write something in passing are not void */
    uint32_t keeps_stores;      /* nor those that take it back by a store: */
    uint32_t had_stores;        /* there was such a one */
    uint32_t needs_stores_void; /* or the search has no end */
    uint32_t mistakes, risks;   /* how often it began again */
    struct pl_fact_value value[PL_FACTS_VALUES];
    struct pl_fact_place place[PL_FACTS_PLACES];
    struct pl_fact_half half[PL_FACTS_HALVES];
} __attribute__((aligned(4096))); /* whole pages */

/* Not by __atomic_*, which in the runtime are the functions that it defines for subjects. A load of
 * a whole word is one instruction, and __sync_* are full barriers: F2. */
static inline uint32_t pl_fact(const uint32_t *fact)
{
    return *(const volatile uint32_t *)fact;
}

/* What is there already is not written: the cache line stays where it is. */
static inline void pl_fact_add(uint32_t *fact, uint32_t bits)
{
    if (bits & ~pl_fact(fact))
        (void)__sync_fetch_and_or(fact, bits);
}

static inline uint64_t pl_fact_name(uint64_t a, uint64_t b)
{
    return ((a ^ b * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u) | 1;
}

/* Takes an empty slot for the name, or finds it there. False: another has it. */
static inline bool pl_fact_claim(uint64_t *slot, uint64_t name)
{
    uint64_t there = *(const volatile uint64_t *)slot;
    if (!there)
        there = __sync_val_compare_and_swap(slot, 0, name);
    return !there || there == name;
}

/* The search begins again, and nothing is taken for granted yet; what was seen stays true. Nobody
 * explores meanwhile. mistaken: because something was that is not so. Otherwise it is another
 * program that will run. */
static inline void pl_facts_begin_again(struct pl_facts *f, bool mistaken)
{
    f->mistakes = mistaken ? f->mistakes + 1 : 0;
    f->assumes_not |= f->mistakes > PL_FACTS_OFTEN;
    f->risks += f->was_risk;
    f->risky |= f->risks > PL_FACTS_RISKS;
    f->relied = f->gave_up = f->was_risk = f->paired = f->twins = f->had_stores = 0;
    for (uint32_t i = 0; f->assumes && i < PL_FACTS_VALUES; i++) {
        if (!mistaken)
            f->value[i].name = f->value[i].again = 0;
        f->value[i].relied = 0;
    }
    for (uint32_t i = 0; f->pairs && i < PL_FACTS_PLACES; i++)
        f->place[i] = (struct pl_fact_place){0};
}

#endif
