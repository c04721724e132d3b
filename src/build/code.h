/*
 * What the runtime must know of the instructions of a linked program:
 *   pause   left in inline assembly, or in objects compiled elsewhere: each is a yield;
 *   ldmxcsr and fldcw: threads may differ in rounding and the like, so a switch between
 *           them must keep the control words (it need not otherwise);
 *   fs      and imports that may use it: a switch must set the thread pointer, which is what
 *           most of a switch's time goes to (a program without any needs it nowhere).
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
    bool float_control, thread_pointer;
};

/* Fills the rest of `code`. In a program without a symbol table no pause is found. */
enum pl_status pl_code_read(const char *program, struct pl_code *code, struct pl_error *error);

#endif
