/*
 * Looks into object files, before they are linked, for what the instrumentation
 * cannot see, and says so in warnings with a remedy:
 *
 *   - machine instructions that only inline assembly brings into an instrumented
 *     object (there every atomic access is a call): a lock prefix, xchg with
 *     memory, fences, time and chance, system calls. `pause` and a bare compiler
 *     barrier do not count;
 *   - calls of functions that no instrumented file defines and that may touch
 *     memory which threads share;
 *   - objects that were compiled without -fsanitize=thread.
 *
 * A warning is never a violation, and its absence is no proof: docs/frontends.md
 * says what stays out of sight.
 *
 * Ownership: the result belongs to the caller; release it after an error too.
 */
#ifndef PL_BUILD_SCAN_H
#define PL_BUILD_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "build/words.h"

struct pl_scan_result {
    struct pl_words warnings; /* "file:line: warning: ...", each ready to print */
    bool has_main;            /* one of the files defines main */
    bool has_unseen;          /* one that is no library has code without instrumentation */
};

/*
 * Scans objects, archives and shared objects. They are taken together: what one
 * instrumented file calls and another defines is seen. A file that is none of
 * them, or for another machine, is PL_ERR_INPUT.
 */
enum pl_status pl_scan(struct pl_scan_result *out, const struct pl_words *files,
                       struct pl_error *error);
void pl_scan_release(struct pl_scan_result *result);

#endif
