/*
 * What the runtime must know of the instructions of a linked program:
 *   pause   left in inline assembly, or in objects compiled elsewhere: each is a yield;
 *   ldmxcsr and fldcw: threads may differ in rounding and the like, so a switch between
 *           them must keep the control words (it need not otherwise).
 */
#ifndef PL_BUILD_CODE_H
#define PL_BUILD_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct pl_code {
    uint64_t *pause; /* of the caller's, room for `most`: addresses as in the running program */
    size_t most, pauses;
    bool float_control;
};

/* Fills the rest of `code`. A program without a symbol table has nothing to tell. */
enum pl_status pl_code_read(const char *program, struct pl_code *code, struct pl_error *error);

#endif
