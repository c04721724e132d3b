/*
 * Oracle 2: every execution of a small program under a memory model, by enumerating all
 * candidates (every source for every read, every order of the writes of every location)
 * and keeping those the model's axioms accept. No cleverness: it is here to be right.
 *
 * Blocked graphs: a thread that stands before a LOCK for ever is one more choice, kept
 * when the order of that lock ends in an acquisition that is never given back.
 */
#ifndef OR_AXIOMATIC_H
#define OR_AXIOMATIC_H

#include "graph.h"

struct or_axiomatic_options {
    /* Leave out the shortcuts that drop candidates before the axioms are asked (they are
     * argued for in axiomatic.c); much slower, to test the shortcuts themselves. */
    bool no_shortcuts;
};

/* Adds to an initialised result. The program has been checked. Options may be NULL. */
void or_axiomatic(const struct or_program *p, enum or_model model,
                  const struct or_axiomatic_options *options, struct or_result *result);

#endif
