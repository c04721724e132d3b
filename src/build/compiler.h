/*
 * Which compiler: the C and the C++ driver that belong to the name the user gave,
 * and whether it takes gcc's switches or clang's.
 *
 * Without a name it is the one of the own front end: clang makes bitcode, and
 * plumb-instrument (src/instrument) instruments it. A compiler that the user names
 * instruments with its own -fsanitize=thread.
 */
#ifndef PL_BUILD_COMPILER_H
#define PL_BUILD_COMPILER_H

#include <stdbool.h>

#include "base/status.h"

struct pl_compiler {
    char *c, *cxx;
    bool clang;
    bool own; /* the own front end */
};

/*
 * `name` is a driver's name or path (NULL: none): gcc-12 gives gcc-12 and g++-12,
 * /opt/bin/clang++ gives /opt/bin/clang and /opt/bin/clang++. A name that says
 * neither gcc nor clang is asked for its --version, with `work` as the place for
 * its answer. Owner: the caller releases, after a failure too.
 */
enum pl_status pl_compiler_find(struct pl_compiler *out, const char *name, const char *work,
                                struct pl_error *error);
void pl_compiler_release(struct pl_compiler *compiler);

#endif
