/*
 * Oracle 1: every execution of a small program by running it: each operation in turn,
 * every choice of who goes next, to the end. Under sc memory is an array. Under tso it is
 * the machine of Owens, Sarkar and Sewell: a FIFO buffer of stores a thread, which reads
 * its own newest store there and else memory; a buffered store goes to memory at any time
 * (models.h, T1 to T6, says which operations wait for the buffer to be empty). Nothing
 * here knows of relations and axioms.
 *
 * Races are not looked for: or_result.racy is left as it is.
 */
#ifndef OR_INTERLEAVE_H
#define OR_INTERLEAVE_H

#include "graph.h"

/* Adds to an initialised result; `repeated` counts interleavings of equal graphs. The
 * model is sc or tso. Returns the number of interleavings run to their end; under tso a
 * state that was seen before is not continued again, so there it means little. */
unsigned long or_interleave(const struct or_program *p, enum or_model model,
                            struct or_result *result);

/* Under sc, only interleavings in which a thread that could have made the next step is left for
 * another at most so many times. */
unsigned long or_interleave_bounded(const struct or_program *p, int most, struct or_result *result);

#endif
