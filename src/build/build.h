/*
 * From the user's files to a program that runs on our runtime: compiles and instruments
 * sources (the own front end, or a compiler's -fsanitize=thread), looks into the objects for what
 * cannot be seen, links with libplumb_rt.so in place of the compiler's own sanitizer runtime.
 * For `plumb stress` it only compiles, and links with the recorder of real threads.
 *
 * docs/frontends.md is the user's view of this module.
 */
#ifndef PL_BUILD_BUILD_H
#define PL_BUILD_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "build/words.h"

/* Zero means default wherever a default is named. All strings are borrowed. */
struct pl_build_options {
    const char *const *inputs; /* .c .cc .cpp .cxx .c++ .C, .o, .a, .so */
    size_t input_count;
    const char *const *flags; /* of the user's: for compiling and linking, mixed */
    size_t flag_count;
    const char *cc;               /* default the own front end; else a compiler that instruments,
                                     the C++ driver is found from it */
    const char *compile_commands; /* a compilation database; default none */
    bool allow_races;             /* plain accesses must all be seen, one by one */
    uint64_t coverage;            /* own front end: where the bytes of blocks are; 0: none */
    bool native;                  /* not instrumented: on libplumb_stress.a, real threads */
    const char *work;             /* existing directory for all that is written */
    const char *runtime_dir;      /* where libplumb_rt.so and plumb-instrument are */
    const char *include_dir;      /* where plumb.h is; default none */
    unsigned jobs;                /* compilers at once; default 2 */
    const volatile bool *stop;    /* set while it builds: it fails; default none */
};

struct pl_built {
    char *program;            /* path of the linked program, in `work` */
    struct pl_words warnings; /* each one line, ready to print; see scan.h */
    bool has_unseen;          /* code of the program's own that is not instrumented; see scan.h */
    char *diagnostics;        /* what a compiler or linker that failed wrote; "" if nothing */
};

/*
 * PL_ERR_INPUT with one sentence where the user's files, flags or compiler are
 * wrong; then `diagnostics`, if not empty, is to be shown before the sentence.
 * Ownership: *out belongs to the caller after success and after failure.
 */
enum pl_status pl_build(const struct pl_build_options *options, struct pl_built *out,
                        struct pl_error *error);
void pl_built_release(struct pl_built *built);

#endif
