/* Functions out of the program's own code that leave nothing behind which a comparison of memory
 * and graph would miss (loops.c). */
#ifndef PL_RUNTIME_HARMLESS_H
#define PL_RUNTIME_HARMLESS_H

#include <stdbool.h>
#include <stdint.h>

void pl_harmless_init(void);
bool pl_is_harmless(uint64_t function);

#endif
