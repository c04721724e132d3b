/*
 * What is known of a function that neither the runtime nor an instrumented file
 * defines: does it matter what it does to memory?
 */
#ifndef PL_BUILD_KNOWN_H
#define PL_BUILD_KNOWN_H

#include <stdbool.h>

enum pl_known {
    PL_KNOWN_HARMLESS,  /* touches no memory that threads would share, or reads strings only */
    PL_KNOWN_LIBC,      /* of the C library: reads or writes memory given by pointer, unseen */
    PL_KNOWN_CONTAINER, /* of libstdc++: links the nodes of a map, set or list, unseen */
    PL_KNOWN_FOREIGN,   /* of a library we know nothing of */
};

enum pl_known pl_known_function(const char *symbol);
/* Certain to work the same whatever the processor's thread pointer is. */
bool pl_known_without_thread_pointer(const char *symbol);

#endif
