/*
 * Why a history is bad: its shortest bad prefix, and few operations that conflict.
 *
 * The prefix is the first events of the history; operations that have not returned in it are
 * pending, so anything goes for them. Linearizability is closed under prefixes: the shortest
 * bad one ends with a return, and without it the history is good.
 *
 * In containers and registers everything about one value can be left out and a good history
 * stays good. There the operations named are about a few values, those near the end of the
 * prefix if possible, and by themselves they are bad. Some may have returned after the prefix:
 * a value that should have been taken shows by its later take. Of other types the last
 * operation is named with those that overlap it.
 */
#ifndef PL_CHECK_EXPLAIN_H
#define PL_CHECK_EXPLAIN_H

#include "check/check.h"

struct pl_explanation {
    uint32_t events;     /* of the bad prefix */
    uint32_t last;       /* the operation whose return ends it */
    bool shortest;       /* false: the budget ran out before it was found */
    uint32_t *operation; /* that conflict, by call */
    uint32_t count;
    bool conflict; /* these alone are bad */
    bool minimal;  /* and no value could be left out */
};

/* The history is bad; `how` it was decided, NULL: not known. What searching is spent on it is
   bounded by what deciding took. */
void pl_explain(const struct pl_case *c, const struct pl_check_how *how, unsigned jobs,
                struct pl_explanation *out);
void pl_explanation_release(struct pl_explanation *explanation);

#endif
