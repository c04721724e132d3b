/*
 * Random programs. The same options give the same program everywhere. Zero means the
 * default of a field: 2 to 4 threads, at most 8 events, 2 locations, 2 locks, all kinds
 * of operation, all orders but na.
 *
 * Values are few (1 to 3), so that compare-and-swaps succeed now and then and two writes
 * of one value must be told apart; some stores take a register. One thread in five forgets
 * its unlocks, so that threads block. A skip or an assumption is no event.
 */
#ifndef OR_RANDOM_H
#define OR_RANDOM_H

#include "program.h"

struct or_random_options {
    uint64_t seed;
    int min_threads, max_threads, max_events;
    int locs, locks;
    unsigned kinds;  /* 1u << or_kind, of those wanted */
    unsigned orders; /* 1u << or_order; where none fits an operation, sc */
};

enum {
    OR_KINDS_PLAIN = 1u << OR_LOAD | 1u << OR_STORE,
    OR_KINDS_RMW = 1u << OR_CAS | 1u << OR_FADD | 1u << OR_XCHG,
    OR_KINDS_ALL = (1u << (OR_ASSUME + 1)) - 1,
    OR_ORDERS_ATOMIC = ((1u << (OR_SC + 1)) - 1) & ~(1u << OR_NA),
};

/* Options for the seed, of one of these shapes in turn: everything; loads, stores and
 * fences (where weak models differ most); without fences and locks, three locations;
 * locks with little else (where threads block). */
struct or_random_options or_random_shape(uint64_t seed);

void or_random_program(struct or_program *out, const struct or_random_options *options);

#endif
