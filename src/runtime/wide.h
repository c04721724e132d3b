/*
 * Values of 16 bytes as numbers, for the explorer, whose values have 8: equal values have the same
 * number, in every execution of the process.
 */
#ifndef PL_RUNTIME_WIDE_H
#define PL_RUNTIME_WIDE_H

#include <stdint.h>

__extension__ typedef unsigned __int128 pl_wide;

uint64_t pl_wide_number(pl_wide value);
pl_wide pl_wide_value(uint64_t number);

#endif
