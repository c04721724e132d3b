/*
 * The smallest factors under which everything seen so far is quasi linearizable.
 *
 * Larger factors admit more. So the vectors of factors that explain a behaviour are closed upwards,
 * and so are those that explain all of several behaviours: what has to be kept are the minimal
 * ones. A behaviour moves each that does not explain it up, a step at a time and in every
 * direction, to the next that do. (All minimal ones are found: what lies between an old one and a
 * new one above it explains the old behaviours, so it does not explain this one.) A factor as large
 * as the number of operations of its group is as good as any.
 */
#ifndef PL_CHECK_QUASI_FACTORS_H
#define PL_CHECK_QUASI_FACTORS_H

#include "check/quasi.h"

enum { PL_QUASI_GROUPS = 8, PL_QUASI_MINIMAL = 256 };

struct pl_quasi_factors {
    unsigned groups; /* ALL_SUBSETS: 1 */
    unsigned count;  /* 0: no factors at all explain what was seen */
    unsigned vector[PL_QUASI_MINIMAL][PL_MOST_CALLED]; /* none above another */
    bool full; /* there were more minimal vectors than fit: some are not known */
};

/* Nothing was seen: all are 0. */
void pl_quasi_factors_init(struct pl_quasi_factors *factors, unsigned groups);

/* A weak model's clients; `client` is set with BAD. */
struct pl_quasi_weak {
    const struct pl_allowed *allowed;
    struct pl_client *client;
};

/* Decides under the factors of `quasi`: all histories (weak: NULL), or all clients. */
enum pl_decision pl_quasi_decide(const struct pl_quasi *quasi, struct pl_machine *machine,
                                 const struct pl_behaviour *behaviour,
                                 const struct pl_quasi_weak *weak, const struct pl_budget *budget,
                                 union pl_quasi_result *out, struct pl_quasi_stats *stats);

/*
 * The behaviour has to be explained, too; the factors of `quasi` are not looked at. BAD: no factors
 * explain it, *out says so and none are left. NEITHER: not known, and the vectors stay as they
 * were.
 */
enum pl_decision pl_quasi_factors_add(struct pl_quasi_factors *factors,
                                      const struct pl_quasi *quasi, struct pl_machine *machine,
                                      const struct pl_behaviour *behaviour,
                                      const struct pl_quasi_weak *weak,
                                      const struct pl_budget *budget, union pl_quasi_result *out,
                                      struct pl_quasi_stats *stats);

#endif
