/*
 * Helping, of a check: what the front end says of compare-exchanges, and what the rest of the
 * runtime sees that matters to it. The argument is in explore/helping.c.
 */
#ifndef PL_RUNTIME_HELPING_H
#define PL_RUNTIME_HELPING_H

#include "explore/trust.h"

/* What the front end says of a compare-exchange: it comes right after an update or a store, with no
 * access or call between; after it a round ends, whether it succeeds or not. In both cases nobody
 * looks at what it returns. */
enum { PL_HELP_OWN = 1, PL_HELP_LENT = 2 };

void pl_helping_init(void); /* after the explorer */
/* What has been said of the compare-exchange that comes now, if anything has. */
extern unsigned pl_helping_said;
unsigned pl_helping_take(uint64_t address);
/* Does the running thread leave it to another, by standing still where it is? When it returns, the
 * thread makes its event after all. */
bool pl_helping_leaves(const struct pl_trust_access *a, uint64_t pc);

extern bool pl_helping_on;
/* A plain access to an atomic; memory is given back (at 0: a block of the heap; else of a pool). */
void pl_helping_plain(uint64_t address);
void pl_helping_free(uint64_t pool);

#endif
