/* The program that `plumb check` writes around the user's file: its table of operations. */
#ifndef PL_CLI_DRIVER_H
#define PL_CLI_DRIVER_H

#include "base/strbuf.h"
#include "cli/options.h"
#include "plan/call.h"

struct pl_driver {
    const char *file;      /* to be included, so that its static names can be used; NULL: none */
    const char *spec_file; /* likewise: a written spec */
    struct pl_texts includes, declarations, setups, teardowns, thread_setups, thread_teardowns;
    struct pl_texts invariants;
    const struct pl_call *calls;
    size_t count;
};

/* If this is defined the calls are nothing but what the user wrote. */
#define PL_DRIVER_PLAIN "PLUMB_PLAIN_CALLS"
void pl_driver_write(const struct pl_driver *driver, struct pl_strbuf *out);
void pl_driver_release(struct pl_driver *driver); /* its lists */

#endif
