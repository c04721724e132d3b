/*
 * The memory models, as predicates on candidate executions, straight from the papers:
 *
 *   sc    Lamport; as acyclicity: Shasha and Snir 1988, Alglave, Maranget, Tautschnig
 *         ("Herding cats", TOPLAS 2014).
 *   tso   x86-TSO: Owens, Sarkar, Sewell (TPHOLs 2009); the axioms as in "Herding cats".
 *   rc11  Lahav, Vafeiadis, Kang, Hur, Dreyer, "Repairing Sequential Consistency in
 *         C/C++11" (PLDI 2017), figure 1 and section 3.
 *
 * In an execution every access is one event, a read-modify-write two: its read and its
 * write, consecutive in sb and related by rmw. Each location and each lock has an initial
 * write, plain, before everything in sb.
 *
 * Locks. A lock is a location of its own: LOCK is an acquiring read-modify-write that
 * reads from the initial write or from an UNLOCK (never from a LOCK), UNLOCK a releasing
 * write. With atomicity that is mutual exclusion, and mo of the location is the order of
 * the lock. Both are events of sb like any other (so they count in sb≠loc of rc11).
 *
 * tso: how the orders of C map to it. As compilers for x86 compile them:
 *  T1 a load of any order is a plain load (mov);
 *  T2 a store na, rlx or rel is a plain store (mov): it goes through the store buffer;
 *  T3 a store sc is mov+mfence (or xchg): it and what is before it are in memory before
 *     any later load of the thread;
 *  T4 cas, fadd, xchg of any order are locked: the buffer is empty when they are done,
 *     and a cas that FAILS is locked no less (lock cmpxchg);
 *  T5 fence sc is mfence; fences acq, rel and ar are nothing (but keep their index);
 *  T6 LOCK is locked like T4, UNLOCK is a plain store: it does not drain the buffer. A
 *     pthread_mutex_unlock that uses a locked instruction shows fewer executions.
 */
#ifndef OR_MODELS_H
#define OR_MODELS_H

#include "program.h"
#include "relation.h"

struct or_node {
    bool read, write, fence;
    bool locked; /* part of a read-modify-write, a failed CAS, a LOCK */
    int thread;  /* -1: the initial write */
    int loc;     /* locks after the locations; -1: a fence */
    enum or_order order;
};

struct or_exec {
    int n;
    struct or_node node[OR_EVENTS];
    struct or_rel sb, rf, rmw, mo;
    struct or_rel hb; /* filled by or_exec_derive; does not depend on mo */
};

/* Once sb, rf and rmw are there. False: no mo can make it consistent in any model. */
bool or_exec_derive(struct or_exec *x);
bool or_consistent(const struct or_exec *x, enum or_model model);
/* Two accesses to one location, one of them a write and one of them plain, neither
 * happening before the other. Happens-before is rc11's under every model. */
bool or_racy(const struct or_exec *x);

#endif
