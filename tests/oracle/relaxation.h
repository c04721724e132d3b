/*
 * Relaxed takes by their definition, and by brute force: every order of the operations that keeps
 * real time, every way to say which value a take took; then each condition on the whole sequence.
 */
#ifndef ORACLE_RELAXATION_H
#define ORACLE_RELAXATION_H

#include "history/history.h"

enum { OR_RELAXED_OPERATIONS = 8, OR_NO_LIMIT = 1000 };

struct or_relaxation {
    enum or_head { OR_QUEUE, OR_STACK, OR_LEAST, OR_GREATEST } head;
    unsigned places;   /* a take's value is at most so far from the head */
    unsigned row;      /* at most so many takes one after the other do not take the head */
    unsigned head_for; /* nothing is the head for more than so many takes of others */
    unsigned empty;    /* "empty" is answered with at most so many values there */
};

/* Codes PL_PUT and PL_TAKE; pending operations have PL_NEVER as return. */
bool or_relaxed_good(const struct or_relaxation *relaxation, const struct pl_history *history);

#endif
