/*
 * Small concurrent programs, for the oracles: a few threads of a few operations on
 * named locations and locks, all of them 0 (and free) at first. A litmus test is such a
 * program with an outcome and what each memory model says of it:
 *
 *     SB                                           # a comment ends a line
 *     thread: store x 1 rlx; r0 = load y rlx
 *     thread: store y 1 rlx; r0 = load x rlx
 *     outcome: 0:r0=0 1:r0=0
 *     sc: forbidden  tso: allowed  rc11: allowed
 *     graphs: sc=3 tso=4 rc11=4                    # optional
 *
 * Operations (V is a number, a register, or register+number; a CAS gives the old value):
 *
 *     rN = load LOC ORDER          store LOC V ORDER          fence ORDER
 *     rN = cas LOC V V ORDER FAILURE-ORDER                    lock LOCK
 *     rN = fadd LOC V ORDER        rN = xchg LOC V ORDER      unlock LOCK
 *     skip COUNT if rN == V        assume rN != V             (either comparison)
 *
 * The orders are na rlx acq rel ar sc; con is read as acq. `outcome:` is a conjunction
 * of THREAD:rN=V and LOC=V (or !=), or the one word `blocked` (some thread waits for a
 * lock for ever) or `race` (some execution has a data race). `allowed` says that there is
 * an execution with this outcome.
 *
 * Invariants, which or_program_check decides:
 *  P1 every index is below its limit, at most OR_TOTAL operations in all;
 *  P2 a thread unlocks only what it holds, on every path: a skip jumps only between two
 *     operations where the same locks are held;
 *  P3 an order fits its operation (no release load, no acquire store, ...).
 */
#ifndef OR_PROGRAM_H
#define OR_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/strbuf.h"

enum {
    OR_THREADS = 4,
    OR_OPS = 20,   /* of one thread */
    OR_TOTAL = 40, /* of all threads */
    OR_LOCS = 8,
    OR_LOCKS = 2,
    OR_REGS = 8,
    OR_TERMS = 12,
    OR_NAME = 8,
};

#define OR_ORDER_TABLE(X) X(NA, na) X(RLX, rlx) X(ACQ, acq) X(REL, rel) X(AR, ar) X(SC, sc)
enum or_order {
#define X(name, text) OR_##name,
    OR_ORDER_TABLE(X)
#undef X
};

#define OR_MODEL_TABLE(X) X(SC, sc) X(TSO, tso) X(RC11, rc11)
enum or_model {
#define X(name, text) OR_MODEL_##name,
    OR_MODEL_TABLE(X)
#undef X
        OR_MODELS
};

/* A value that thread t has for itself, in tests of symmetry: OR_OWN * (t + 1), and a little more.
 */
enum { OR_OWN = 1000 };

enum or_kind {
    OR_LOAD,
    OR_STORE,
    OR_CAS,
    OR_FADD,
    OR_XCHG,
    OR_FENCE,
    OR_LOCK,
    OR_UNLOCK,
    OR_SKIP_IF,
    OR_ASSUME,
};

struct or_value {
    int reg; /* -1: none, the constant alone */
    int constant;
};

struct or_op {
    enum or_kind kind;
    int loc;                  /* a location; of LOCK and UNLOCK a lock */
    enum or_order order;      /* of CAS when it succeeds */
    enum or_order failure;    /* of CAS when it fails */
    struct or_value value;    /* stored, added, or compared with (SKIP_IF, ASSUME) */
    struct or_value expected; /* of CAS */
    int dest;                 /* register that takes the value read, -1: none */
    int reg;                  /* of SKIP_IF and ASSUME: the register looked at */
    bool equal;               /* of SKIP_IF and ASSUME: == rather than != */
    int skip;                 /* of SKIP_IF: how many operations to leave out */
};

struct or_thread {
    int count;
    struct or_op ops[OR_OPS];
};

enum or_verdict { OR_UNSAID, OR_ALLOWED, OR_FORBIDDEN };
enum or_outcome { OR_FINAL, OR_BLOCKED, OR_RACE };

struct or_term {
    int thread; /* -1: a location */
    int index;  /* of the register or the location */
    int value;
    bool equal;
};

struct or_program {
    char name[64];
    int threads, locs, locks;
    char loc_names[OR_LOCS][OR_NAME];
    char lock_names[OR_LOCKS][OR_NAME];
    struct or_thread thread[OR_THREADS];

    enum or_outcome outcome;
    int terms;
    struct or_term term[OR_TERMS];
    enum or_verdict verdict[OR_MODELS];
    int graphs[OR_MODELS]; /* complete ones, -1: unsaid */
};

/* A program without threads. */
void or_program_init(struct or_program *p, const char *name);

enum pl_status or_program_check(const struct or_program *p, struct pl_error *error);

/* Errors read "where:line:column: what". The program is checked (P1 to P3). */
enum pl_status or_program_parse(struct or_program *out, const char *where, const char *text,
                                struct pl_error *error);
enum pl_status or_program_read(struct or_program *out, const char *path, struct pl_error *error);

/* In the format above: parsing it gives the same program. */
void or_program_print(const struct or_program *p, struct pl_strbuf *out);

/* The value of an operand, given the thread's registers. */
int or_evaluate(struct or_value v, const int regs[OR_REGS]);
/* Does the comparison of a SKIP_IF or ASSUME hold? */
bool or_holds(const struct or_op *op, const int regs[OR_REGS]);

bool or_reads(enum or_kind kind);       /* LOAD, CAS, FADD, XCHG */
bool or_may_write(enum or_kind kind);   /* STORE, CAS, FADD, XCHG */
bool or_makes_event(enum or_kind kind); /* all but SKIP_IF, ASSUME */
bool or_holds_lock(enum or_kind kind);  /* LOCK, UNLOCK */
const char *or_order_name(enum or_order order);
const char *or_model_name(enum or_model model);

#endif
