/*
 * --criterion quasi: which operations may change places, and how far.
 *
 *     --factor 2                 each operation within those of its name, by at most 2
 *     --factor deq=2,enq=0       the same, by name; those not named by 0
 *     --factor push+pop=1        two names are one group
 *
 * A subject says it by PLUMB_FACTOR(deq=2, enq=0).
 *
 * A take that answers "empty" is in none of these groups (the paper's are takes of values): it is
 * in one of its own, with factor 0.
 *
 * A test must let what was overtaken be taken, too: of enq(1), enq(2), deq() = 2 alone, no take of
 * 1 can have changed places with that of 2. So takes are added at the end of a test,
 * pl_relaxed_complete.
 */
#ifndef PL_CLI_RELAXED_H
#define PL_CLI_RELAXED_H

#include "check/quasi_factors.h"
#include "cli/against.h"
#include "plan/test.h"

enum { PL_RELAXED_CALLS = 256, PL_RELAXED_NAME = 80 };

/* What an operation is: the spec's words say it, or it is found by trying (check_tried.c). */
enum pl_role { PL_ROLE_OTHER, PL_ROLE_PUT, PL_ROLE_TAKE };

struct pl_relaxed {
    enum pl_quasi_reading reading;
    uint8_t role[PL_RELAXED_CALLS]; /* of each call: enum pl_role */
    struct pl_relaxed_empty {       /* of a take, what it does when there is nothing: */
        bool waits;
        uint8_t length,
            bytes[PL_CHECK_RESPONSE]; /* its answer, where the spec has no word for it */
    } empty[PL_RELAXED_CALLS];
    uint8_t group[PL_RELAXED_CALLS];            /* of each call */
    unsigned groups;                            /* and one more: takes that answer "empty" */
    char name[PL_MOST_CALLED][PL_RELAXED_NAME]; /* of each group */
    unsigned factor[PL_MOST_CALLED];
    bool as_given; /* tests are not completed */
    bool find;     /* the factors are not given, but looked for: */
    struct pl_quasi_factors found;
};

#define PL_QUASI_WORDS "positions|all-subsets|definition4" /* enum pl_quasi_reading */
const char *pl_relaxed_reading(const struct pl_relaxed *relaxed);

/* `text` may be NULL if the factors are looked for. `from` names the option or the line in errors:
   PL_ERR_INPUT. */
enum pl_status pl_relaxed_init(struct pl_relaxed *out, enum pl_quasi_reading reading, bool find,
                               const char *text, const char *from, const struct pl_call *calls,
                               size_t count, struct pl_error *error);

/* The roles of the calls, by the words of the spec; a written one has none. */
void pl_relaxed_set_roles(struct pl_relaxed *relaxed, const struct pl_against *against,
                          const struct pl_call *calls);

/*
 * Adds takes at the end of the test: as many there as the test has puts, so that nothing is left
 * whatever the others answered; of takes that wait, as many as puts in all. Nothing if there are no
 * takes. Errors: PL_ERR_INPUT: the test has no room.
 */
enum pl_status pl_relaxed_complete(const struct pl_relaxed *relaxed, struct pl_test *test,
                                   struct pl_error *error);

/* How many takes the test lacks at its end; 0 if there are none. Without them what was overtaken
   may stay inside, and then nothing explains the answer that overtook it. */
unsigned pl_relaxed_lacks(const struct pl_relaxed *relaxed, const struct pl_test *test);

/* "deq=2, enq=0"; all-subsets: "2". */
void pl_relaxed_print(const struct pl_relaxed *relaxed, const unsigned *factor,
                      struct pl_strbuf *out);
/* Those found: "deq=2, enq=0; or …". */
void pl_relaxed_print_found(const struct pl_relaxed *relaxed, struct pl_strbuf *out);
/* The least of the largest factors. */
unsigned pl_relaxed_smallest(const struct pl_relaxed *relaxed);

/* Factors, not below those given, under which one refuted history would do: those of one group made
   larger, or of all. BAD: there are none. NEITHER: they were not found in a few seconds. */
enum pl_decision pl_relaxed_needed(const struct pl_relaxed *relaxed, struct pl_machine *machine,
                                   const struct pl_behaviour *behaviour, const uint8_t *group,
                                   const struct pl_refuted *refuted,
                                   unsigned factor[PL_MOST_CALLED], struct pl_quasi_witness *out);

#endif
