/* The futex system call on the subject's own words. */
#ifndef PL_RUNTIME_FUTEX_H
#define PL_RUNTIME_FUTEX_H

#include <stdint.h>

/* As the kernel, with the operation's flags; the result, or -errno. An operation that
 * is not modelled (priority inheritance) ends in pl_unsupported(). */
long pl_futex(uint32_t *address, int operation, uint32_t value, const void *timespec_or_value2,
              uint32_t *address2, uint32_t value3, uint64_t pc);

void pl_futex_keep(void); /* station.h */

#endif
