/*
 * Is a history linearizable? One file an algorithm; check.c chooses.
 *
 * A decider says GOOD and gives a witness, an order of the operations (pending ones may be
 * left out) that keeps the real-time order and that the spec accepts; or BAD; or NEITHER:
 * it cannot tell (values are not distinct, the budget ran out). GOOD is believed only after
 * the witness was replayed (replay.c), which shares no code with the deciders.
 *
 * Ownership: a case borrows its history; a witness is released by its owner.
 */
#ifndef PL_CHECK_CHECK_H
#define PL_CHECK_CHECK_H

#include "history/history.h"
#include "spec/spec.h"

enum pl_decision { PL_GOOD, PL_BAD, PL_NEITHER };

struct pl_budget {
    double until;              /* pl_check_now() to stop at; 0: none */
    const volatile bool *stop; /* Ctrl-C; may be NULL */
    size_t memory;             /* bytes of remembered states of one search; 0: 2 GiB */
    uint64_t steps;            /* of one search, about; 0: no limit */
    /* For our own tests: a search of so many operations remembers less (0: 32,768), and forgets
       when a table of so many places, 2^n - 1, is full (0: 32,767). */
    uint32_t long_from, most_young;
};

struct pl_case {
    const struct pl_spec *spec;
    pl_value initial;
    const struct pl_history *history; /* finished */
    bool keyed;                       /* argument[PL_KEY] says which object */
    const struct pl_budget *budget;
    const pl_value *hint; /* what pending operations may have answered; NULL: no idea */
};

struct pl_witness {
    uint32_t *order;  /* operations */
    pl_value *answer; /* of each */
    uint32_t count;
    uint32_t reached; /* BAD: so many events have an order, perhaps more; 0: unknown */
    uint32_t suspect; /* BAD: near this event something is wrong; 0: unknown */
    uint64_t steps;   /* of the search */
};

void pl_witness_init(struct pl_witness *witness, uint32_t most);
void pl_witness_release(struct pl_witness *witness);
void pl_witness_add(struct pl_witness *witness, uint32_t operation, pl_value answer);

/* Each adds to an empty witness that has room for all operations. */
enum pl_decision pl_decide_queue(const struct pl_case *c, struct pl_witness *out);
enum pl_decision pl_decide_stack(const struct pl_case *c, struct pl_witness *out);
enum pl_decision pl_decide_pqueue(const struct pl_case *c, struct pl_witness *out);
enum pl_decision pl_decide_bag(const struct pl_case *c, struct pl_witness *out);
enum pl_decision pl_decide_deque(const struct pl_case *c, struct pl_witness *out);
enum pl_decision pl_decide_toggle(const struct pl_case *c, struct pl_witness *out);
enum pl_decision pl_decide_register(const struct pl_case *c, struct pl_witness *out);
enum pl_decision pl_decide_counter(const struct pl_case *c, struct pl_witness *out);
enum pl_decision pl_decide_semaphore(const struct pl_case *c, struct pl_witness *out);

/* Wing and Gong's search: any spec; exponential at worst. */
enum pl_decision pl_decide_search(const struct pl_case *c, struct pl_witness *out);

/* States of an object, each once, at most so many. */
struct pl_ends {
    struct pl_state *state;
    uint32_t count, most;
};

/* windows.c. False: there would be more than the most. */
bool pl_ends_add(struct pl_ends *ends, const struct pl_state *state);
void pl_ends_release(struct pl_ends *ends);

/* By the same search, to its end: all states that orders of the operations, none of them pending,
   lead to from one of the given ones. GOOD: these are they; BAD: there is no order; NEITHER: there
   are more than the most, or the budget ran out. */
enum pl_decision pl_decide_ends(const struct pl_case *c, const struct pl_ends *from,
                                struct pl_ends *out);

/* The state that a witness leads to. */
void pl_witness_end(const struct pl_case *c, const struct pl_witness *witness,
                    struct pl_state *out);

/* True if the witness proves the history good; if not, why is told. */
bool pl_replay(const struct pl_case *c, const struct pl_witness *witness, struct pl_error *why);

/* How a case was decided. */
struct pl_check_how {
    const char *decider; /* "queue", …, "search" */
    uint32_t parts;      /* objects decided each by itself */
    uint32_t searched;   /* of those, the ones that needed the search */
    uint64_t steps;      /* the searches took */
    uint32_t reached;    /* BAD: so many events of the bad part have an order; 0: unknown */
    uint32_t suspect;    /* BAD: near this event something is wrong; 0: unknown */
    uint32_t bad;        /* BAD, and several parts: an operation of the bad one; else PL_NEVER */
};

/* The whole thing: splits by part, runs the decider of the type, else the search, on up to
   `jobs` threads; replays. */
enum pl_decision pl_check(const struct pl_case *c, unsigned jobs, struct pl_witness *out,
                          struct pl_check_how *how);

/* One object alone: the decider of its type, then the search. A witness is replayed. */
enum pl_decision pl_check_one(const struct pl_case *c, struct pl_witness *out, bool *searched);

/* The type's decider; NULL: it has none. */
typedef enum pl_decision pl_decider(const struct pl_case *c, struct pl_witness *out);
pl_decider *pl_decider_of(const struct pl_spec *spec, const char **name);

/* Seconds on a clock that only goes forward. */
double pl_check_now(void);
bool pl_check_over(const struct pl_budget *budget);

#endif
