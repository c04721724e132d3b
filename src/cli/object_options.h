/* The options that say what an object is: its calls, hooks, marks and spec. For the commands that
 * work with the same objects as `plumb check`. */
#ifndef PL_CLI_OBJECT_OPTIONS_H
#define PL_CLI_OBJECT_OPTIONS_H

#include "cli/checker.h"

enum { PL_OBJECT_OPTIONS = 20 }; /* at most */

/* How many there are. */
size_t pl_object_options(struct pl_option *table, struct pl_checker *checker);

#endif
