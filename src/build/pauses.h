/*
 * The pause instructions left in a linked program: those in inline assembly, and in
 * objects that were compiled elsewhere. The runtime turns each into a yield.
 */
#ifndef PL_BUILD_PAUSES_H
#define PL_BUILD_PAUSES_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Fills `out` with at most `most` addresses as they are in the running program (which is
 * linked at a fixed address). A program without a symbol table has none. */
enum pl_status pl_find_pauses(const char *program, uint64_t *out, size_t most, size_t *found,
                              struct pl_error *error);

#endif
