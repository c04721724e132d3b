/*
 * The header that every subject file is compiled with (-include): it turns what
 * the instrumentation would not see into calls that it does see, and hides that
 * a sanitizer is at work. prelude.c says of each definition why it is there.
 */
#ifndef PL_BUILD_PRELUDE_H
#define PL_BUILD_PRELUDE_H

#include "base/status.h"

/* Writes the header to `path`. */
enum pl_status pl_prelude_write(const char *path, struct pl_error *error);

#endif
