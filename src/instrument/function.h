/*
 * One function while it is instrumented. First everything is decided, on the function as the
 * compiler left it; then the calls are put in.
 *
 *     plan (loops.c, values.c, delay.c, in_vain.c, helping.c, dead.c, pairs.c, bits.c)
 *     ─> heads of loops (loops.c) ─> accesses, atomics, calls
 *     ─> entries and exits of loops (edges.c)
 */
#ifndef PL_INSTRUMENT_FUNCTION_H
#define PL_INSTRUMENT_FUNCTION_H

#include "instrument/cfg.h"
#include "instrument/memory.h"
#include "instrument/unit.h"

/* Flags of struct plumb_loop, which the runtime reads. */
enum {
    PL_LOOP_PURE = 1,    /* only atomic accesses to global variables, nothing that can fail */
    PL_LOOP_COUNTED = 2, /* one of the values moves on in every round: no round is void */
    PL_LOOP_POINTS = 4,  /* as pure, but accesses may be through pointers */
};

/* Of a pair, which the runtime reads: the loop's head comes between the two; after the load the
   compare-exchange comes for sure, or does unless the load finds a certain value. */
enum { PL_PAIR_HEAD = 1, PL_PAIR_SURE = 2, PL_PAIR_UNLESS = 4 };

/* A loop as it will be marked. */
struct pl_marks {
    const struct pl_loop *loop;
    bool marked;
    unsigned flags;
    LLVMValueRef *value;          /* the loop-carried values */
    size_t value_count, compared; /* those that are compared come first */
    LLVMValueRef record, room;    /* its struct plumb_loop; the alloca of the values */
    LLVMValueRef wait, place;     /* waits in vain: the comparison that keeps it going, of what is
                                     there (in_vain.c), with this operand */
    unsigned operand;
};

struct pl_function {
    const struct pl_unit *unit;
    LLVMValueRef value;
    bool checked; /* else the source says no_sanitize("thread") */
    struct pl_cfg cfg;
    struct pl_locals locals;
    struct pl_marks *marks; /* one for each loop of cfg, in its order */
    LLVMValueRef *dead;     /* stores that do not count in a round */
    size_t dead_count;
    LLVMValueRef *retry; /* compare-exchanges whose failing ends a round */
    size_t retry_count;
    struct pl_pair { /* pairs.c */
        LLVMValueRef load, compare;
        unsigned how;
        uint64_t unless;
    } * pair;
    size_t pair_count;
    struct pl_help { /* compare-exchanges that help, or are helped with (helping.c) */
        LLVMValueRef access;
        unsigned how;
    } * help;
    size_t help_count;
    struct pl_bits { /* loads of which not all is used, stores that put some back (bits.c) */
        LLVMValueRef access;
        uint64_t bits;
    } * bits;
    size_t bits_count;
};

/* Instruments the function; it must have a body. */
void pl_function_instrument(const struct pl_unit *u, LLVMValueRef function);

/* ---- the parts ---- */

/* accesses.c: a plain or volatile load or store. atomics.c: all that is atomic, fences. */
void pl_access(const struct pl_function *f, LLVMValueRef access);
void pl_atomic(const struct pl_function *f, LLVMValueRef access);
bool pl_is_atomic(LLVMValueRef instruction);

/* calls.c: copies and fills, structs passed by value, functions out of sight. */
void pl_foreign_call(const struct pl_function *f, LLVMValueRef call);
/* Nothing but a hint, a mark for the compiler, or a call of the runtime? */
bool pl_is_harmless_call(LLVMValueRef call);
/* Is it a call that only lets time pass? */
bool pl_is_pause(LLVMValueRef call);

/* loops.c */
void pl_loops_plan(struct pl_function *f);
void pl_loops_mark_heads(struct pl_function *f);

/* in_vain.c: which loops are so, and f->retry; after the loops are planned. */
void pl_in_vain_find(struct pl_function *f);
/* A call before the loop is entered, before the compare-exchange, if it is one of them; the builder
   stands there. */
void pl_announce_in_vain(const struct pl_function *f, const struct pl_marks *m);
void pl_announce_retry(const struct pl_function *f, LLVMValueRef access);

/* pairs.c: finds f->pair; after in_vain.c and dead.c. Is the compare-exchange one of them? A call
   before the load if it is; the builder stands there. */
void pl_pairs_find(struct pl_function *f);
bool pl_is_paired(const struct pl_function *f, LLVMValueRef access);
void pl_announce_pair(const struct pl_function *f, LLVMValueRef load);

/* Does the round of its loop end after the access, with nothing done, whatever it returned? */
bool pl_ends_round(const struct pl_function *f, LLVMValueRef access);

/* helping.c: finds f->help; after the loops are planned. A call before the compare-exchange if it
   is one of them. */
void pl_help_find(struct pl_function *f);
void pl_announce_help(const struct pl_function *f, LLVMValueRef access);

/* edges.c: entries and exits; after all else, because it rebuilds phi nodes. */
void pl_loops_mark_edges(const struct pl_function *f);

/* Does it matter in a round of a marked loop what `writer` leaves in the local at `address`? */
bool pl_local_counts(const struct pl_function *f, LLVMValueRef writer, LLVMValueRef address);
/* The first instruction of a block before which calls may stand. */
LLVMValueRef pl_first_place(LLVMBasicBlockRef block);

/* values.c: is this phi node of the head of `loop` what a compare-exchange that failed has read, so
   that a round that changes only it is void? And does it go up, or down, by a constant in every
   round? */
bool pl_value_is_retried(const struct pl_function *f, const struct pl_loop *loop, LLVMValueRef phi);
bool pl_value_moves(const struct pl_function *f, const struct pl_loop *loop, LLVMValueRef phi);
/* Does the value depend on nothing that the loop changes? */
bool pl_is_invariant(const struct pl_function *f, const struct pl_loop *loop, LLVMValueRef value);

/* delay.c: does the value decide nothing but how long a pause is? Is the loop one? */
bool pl_value_only_delays(const struct pl_function *f, const struct pl_loop *loop,
                          LLVMValueRef phi);
bool pl_is_delay_loop(const struct pl_function *f, const struct pl_loop *loop);

/* dead.c: finds f->dead; after the loops are planned. */
void pl_dead_find(struct pl_function *f);
/* A call before the store if it is one of them; the builder stands there. */
void pl_announce_if_dead(const struct pl_function *f, LLVMValueRef store);

/* bits.c: finds f->bits. A call if the access is one of them; the builder stands before the load,
   or behind the store. */
void pl_bits_find(struct pl_function *f);
void pl_announce_bits(const struct pl_function *f, LLVMValueRef access, LLVMValueRef address,
                      uint64_t size);

#endif
