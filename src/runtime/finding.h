/* What an execution came to, between finding.c and the engine. */
#ifndef PL_RUNTIME_FINDING_H
#define PL_RUNTIME_FINDING_H

#include <stdbool.h>
#include <stdint.h>

struct pl_finding_state {
    uint32_t kind;           /* enum pl_finding_kind; NONE while nothing is found */
    bool written;            /* the wire has it (its output excepted) */
    uint64_t steps;          /* at which it was found */
    uint64_t place;          /* the same for findings that are the same */
    int last;                /* the thread at whose step it was found; -1: nobody can go on */
    uint64_t whole, waiting; /* bits of threads: they take part in it; they cannot go on */
    bool noted;              /* the others went on */
    bool passed;             /* so did the thread: a race */
};
extern struct pl_finding_state pl_finding; /* the first one of the execution */
/* Where more is looked for, the others go on when a thread has failed: what else was found. */
enum { PL_MORE_FINDINGS = 16 };
extern struct pl_finding_state pl_more_findings[PL_MORE_FINDINGS];
extern uint32_t pl_more_count;
bool pl_engine_is_beyond(void); /* engine.c: does what was found need more than the bound? */

bool pl_finding_known(uint64_t place); /* on the wire already */
/* Ends the process at once; a sentence goes to stderr (there is no wire yet). */
_Noreturn void pl_die(const char *sentence);

#endif
