/*
 * A set of hashes: the proof of debug builds that no execution is explored twice. It grows with
 * the executions, so it is not for everyday; past its limit it no longer looks.
 */
#ifndef PL_EXPLORE_ONCE_H
#define PL_EXPLORE_ONCE_H

#include <stdbool.h>
#include <stdint.h>

struct pl_once;

struct pl_once *pl_once_new(uint32_t most); /* hashes, a power of 2; NULL: no memory */
void pl_once_free(struct pl_once *set);
void pl_once_clear(struct pl_once *set);
/* Is the hash new? */
bool pl_once_add(struct pl_once *set, uint64_t hash);

/* Of a set all of whose hashes have a number each, in its lowest bits: is the hash there, with this
 * number or a smaller one? If not, and only if, `note` says so, it is from now on. */
enum { PL_ONCE_NUMBERS = 64 };
bool pl_once_within(struct pl_once *set, uint64_t hash, unsigned number, bool note);

#endif
