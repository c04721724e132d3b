/*
 * Quasi linearizability (Afek, Korland, Yanovsky; Round-Up, definition 4): a history is fine if
 * some order of its operations that keeps the real-time order, its *sequentialisation*, is not
 * far from an order the spec accepts, its *witness*.
 *
 *     sequentialisation   enq 1   enq 2   deq 2   deq 1      what happened
 *     witness             enq 1   enq 2   deq 1   deq 2      what the spec says; deq: factor 1
 *
 * Operations belong to groups, each with a factor. The letter of the definition leaves the
 * order between operations of different groups free; so there are three readings:
 *
 * POSITIONS    Operations change places only within their group, and each moves by at most the
 *              factor of its group, counted among the operations of the group. Factor 0
 *              everywhere is linearizability.
 * ALL_SUBSETS  Round-Up's Algorithm 1: one factor K for every set of operations. That is the
 *              same as: each operation moves by at most K places in the whole. (Let e move d
 *              places to the back, and let a operations from behind come before it and b from
 *              before come behind it: a - b = d. If b is not 0, the one of them that was furthest
 *              in front moves at least d + b + 1 <= K places, so a = d + b < K; if it is, a = d
 *              <= K. So no set of operations makes e move by more than K.) Each operation counts
 *              as itself, also where two have the same name and answer.
 * DEFINITION4  The letter: within each group each operation moves by at most the factor of the
 *              group; the order between groups is free, also against real time.
 *
 * A stuck history (beyond the papers): for each pending operation there is such a witness of
 * the completed ones after which it blocks.
 */
#ifndef PL_CHECK_QUASI_H
#define PL_CHECK_QUASI_H

#include "check/clients.h"

enum pl_quasi_reading { PL_QUASI_POSITIONS, PL_QUASI_ALL_SUBSETS, PL_QUASI_DEFINITION4 };

struct pl_quasi {
    enum pl_quasi_reading reading;
    const uint8_t *group;   /* of each operation, below PL_MOST_CALLED; not for ALL_SUBSETS */
    const unsigned *factor; /* of each group; ALL_SUBSETS: K is the first */
};

/* The two orders, of the operations that took effect. */
struct pl_quasi_witness {
    uint8_t happened[PL_MOST_CALLED], accepted[PL_MOST_CALLED];
    unsigned count;
};

/* Good: the witness (of the last history). Otherwise the history that has none and, if it is
   stuck, the pending operation that has none; `at` is always the end. */
union pl_quasi_result {
    struct pl_quasi_witness witness;
    struct pl_refuted refuted;
};

/* Added to. */
struct pl_quasi_stats {
    uint64_t orders; /* between operations that were decided */
    uint64_t configurations;
    struct pl_clients_stats clients;
};

/* One history: all events of the behaviour, each once. */
enum pl_decision pl_quasi_history(const struct pl_quasi *quasi, struct pl_machine *machine,
                                  const struct pl_behaviour *behaviour, const uint8_t *event,
                                  unsigned events, const struct pl_budget *budget,
                                  union pl_quasi_result *out, struct pl_quasi_stats *stats);

/* An order between operations, given as such: before[j] is the set of those before j. asked: of a
   stuck behaviour, the pending operations that have to block. */
enum pl_decision pl_quasi_before(const struct pl_quasi *quasi, struct pl_machine *machine,
                                 const struct pl_behaviour *behaviour, const uint32_t *before,
                                 uint32_t asked, const struct pl_budget *budget,
                                 union pl_quasi_result *out, struct pl_quasi_stats *stats);

/* All histories of the behaviour, as pl_walk: quasi_all.c says how. */
enum pl_decision pl_quasi_all(const struct pl_quasi *quasi, struct pl_machine *machine,
                              const struct pl_behaviour *behaviour, const struct pl_budget *budget,
                              union pl_quasi_result *out, struct pl_quasi_stats *stats);

/* All clients of an execution without a global clock (clients.h): what is said there of a witness
   holds of a sequentialisation. BAD: *client has one; it is the order of `out`'s history. */
enum pl_decision pl_quasi_clients(const struct pl_quasi *quasi, struct pl_machine *machine,
                                  const struct pl_behaviour *behaviour,
                                  const struct pl_allowed *allowed, const struct pl_budget *budget,
                                  struct pl_client *client, union pl_quasi_result *out,
                                  struct pl_quasi_stats *stats);

/* All permutations of the line of operations that are within the factors, the line itself among
   them; ends when `each` says false, and says so. For enumerate.h. */
bool pl_quasi_permute(const struct pl_quasi *quasi, const uint8_t *line, unsigned length,
                      bool (*each)(void *context, const uint8_t *permutation), void *context);

/* The order of the behaviour as the only one: one client (serial.h). */
enum pl_decision pl_quasi_order(const struct pl_quasi *quasi, struct pl_machine *machine,
                                const struct pl_behaviour *behaviour,
                                const struct pl_budget *budget, union pl_quasi_result *out,
                                struct pl_quasi_stats *stats);

#endif
