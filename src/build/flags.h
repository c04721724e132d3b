/*
 * Flags of the user and flags of ours.
 *
 * A user gives one list, as to a compiler that compiles and links in one go;
 * here it is sorted into what the compile step takes and what the link step
 * takes. Flags that would defeat the instrumentation or the link are left out
 * (docs/frontends.md lists them).
 */
#ifndef PL_BUILD_FLAGS_H
#define PL_BUILD_FLAGS_H

#include <stdbool.h>

#include "base/status.h"
#include "build/words.h"

struct pl_flags {
    struct pl_words compile;
    struct pl_words link; /* in the order given: libraries depend on it */
};

void pl_flags_release(struct pl_flags *flags);

/*
 * Adds the sorted flags to *out. A word that is no flag is an object or library
 * to link, or an error. `skip` (NULL: none) is a source file to pass over, as a
 * compilation database names it among the flags.
 */
enum pl_status pl_flags_sort(struct pl_flags *out, const struct pl_words *given, const char *skip,
                             struct pl_error *error);

/* What the subject is compiled for. */
struct pl_target {
    bool clang, cxx;
    bool own;                /* bitcode for the own front end, not an object */
    bool allow_races;        /* every single plain access must be seen */
    bool native;             /* as it would run without us: optimised, nothing inserted */
    const char *prelude;     /* see prelude.h */
    const char *include_dir; /* where plumb.h is; NULL: nowhere */
};

/* Appends our flags, those of the user and again ours, in the order in which each wins. */
void pl_flags_compile(struct pl_words *argv, const struct pl_target *target,
                      const struct pl_words *user);

/* The level of optimisation the flags ask for: 0, 1 or 2 (and all above). */
unsigned pl_flags_level(const struct pl_words *flags);

/* What kind of file a name stands for. */
enum pl_kind {
    PL_KIND_UNKNOWN,
    PL_KIND_C,
    PL_KIND_CXX,
    PL_KIND_OBJECT,
    PL_KIND_ARCHIVE,
    PL_KIND_SHARED
};
enum pl_kind pl_kind_of(const char *path);

#endif
