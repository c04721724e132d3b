/*
 * The link step: the compiler's driver, without -fsanitize, with our runtime
 * before every other library.
 */
#ifndef PL_BUILD_LINK_H
#define PL_BUILD_LINK_H

#include <stdbool.h>

#include "base/status.h"
#include "build/words.h"

struct pl_link {
    const char *driver;
    const struct pl_words *files, *flags;
    const char *work, *runtime_dir;
    bool has_main;             /* if not, a failure is put down to that */
    const volatile bool *stop; /* of pl_spawn_wait */
    bool native;               /* with the recorder of real threads in place of the runtime */
};

/* On failure *diagnostics (the caller's to free, replaced here) is what the linker wrote. */
enum pl_status pl_link(const struct pl_link *link, const char *program, char **diagnostics,
                       struct pl_error *error);

/* All files that go into the program and that we can look into: the objects and libraries
   given by name, and those that -l finds in a directory given with -L. */
void pl_link_files(struct pl_words *out, const struct pl_words *files,
                   const struct pl_words *flags);

#endif
