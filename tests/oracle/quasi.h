/*
 * Quasi linearizability by its definition, in three readings, and by brute force: all
 * sequentialisations times all permutations.
 */
#ifndef ORACLE_QUASI_H
#define ORACLE_QUASI_H

#include "linearize.h"

enum or_reading { OR_POSITIONS, OR_ALL_SUBSETS, OR_DEFINITION4 };

struct or_quasi {
    enum or_reading reading;
    unsigned group[OR_CALLS];
    unsigned factor[OR_CALLS]; /* of each group; ALL_SUBSETS: the first */
};

bool or_quasi_good(const struct or_quasi *quasi, const struct or_spec *spec,
                   const struct or_execution *x, const unsigned *event, unsigned events);

/* The order itself, taken as the only real-time order there is: or_explained. */
bool or_quasi_explained(const struct or_quasi *quasi, const struct or_spec *spec,
                        const struct or_execution *x);

/* All linear extensions. */
bool or_quasi_all_good(const struct or_quasi *quasi, const struct or_spec *spec,
                       const struct or_execution *x);

#endif
