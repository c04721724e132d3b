/* Columns of a test that are alike but for the value that they put in: runtime/symmetry.h. */
#ifndef PL_CLI_LIKE_H
#define PL_CLI_LIKE_H

#include "cli/trial.h"

/* Are values only passed on, so that which is which does not matter? */
bool pl_like_passes_on(const struct pl_spec *spec);

/* Classes of columns next to each other: out->like. */
void pl_like_find(const struct pl_trial *trial, struct pl_wire_check *out);

#endif
