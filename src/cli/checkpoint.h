/*
 * --checkpoint and --resume: the open work of a search in a file, so that it can go on later.
 *
 * The processes hand over every way they have not taken (share.h); those, the counts so far and the
 * findings so far are the state of a search. To write it in passing, the work is then handed out
 * again. A finding is kept as the choices that show it, and run again when the search is resumed.
 *
 * Invariants:
 * I1  The file is written beside its place and renamed, so there is always a whole one.
 * I2  It says of which program and with which options it was made, by hashes of both.
 *
 * Ownership: pl_checkpoint_release frees what was read.
 */
#ifndef PL_CLI_CHECKPOINT_H
#define PL_CLI_CHECKPOINT_H

#include "cli/settings.h"
#include "cli/share.h"
#include "explore/facts.h"

/* What earlier runs came to. */
struct pl_counts {
    uint64_t executions, blocked, cut, steps, repeats;
    uint64_t suppressed[PL_MAX_SUPPRESSIONS];
    uint32_t threads, bounded;
    struct pl_passing passing;
};

struct pl_checkpoint {
    const char *file; /* to write to; NULL: none */
    uint64_t program, options;
    bool resumes;
    struct pl_facts *facts; /* of the search so far */
    struct pl_counts before;
    struct pl_pool work, findings;
};

/* For the built program and its options. Errors: PL_ERR_INPUT, PL_ERR_SYSTEM. */
enum pl_status pl_checkpoint_init(struct pl_checkpoint *out, const char *file, const char *program,
                                  char *const *argv, const struct pl_wire_options *options,
                                  struct pl_error *error);
void pl_checkpoint_release(struct pl_checkpoint *checkpoint);
/* Takes over what the file says. Errors: PL_ERR_INPUT: it is damaged, or of another search. */
enum pl_status pl_checkpoint_read(struct pl_checkpoint *checkpoint, const char *file,
                                  struct pl_error *error);
/* Work, facts, counts and findings of now. Errors: PL_ERR_SYSTEM. */
enum pl_status pl_checkpoint_write(const struct pl_checkpoint *checkpoint,
                                   const struct pl_counts *counts,
                                   struct pl_process *const *process, size_t processes,
                                   struct pl_error *error);
/* The search is over: there is nothing left to resume. */
void pl_checkpoint_remove(const struct pl_checkpoint *checkpoint);

#endif
