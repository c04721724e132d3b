/*
 * Which tests, in which order, under which memory models.
 *
 *   given      the tests of the command line
 *   all        every test of a size, up to a renaming of threads
 *   random     tests of a size drawn by a seed
 *   growing    every test of 2x1, 2x2 and 3x1 under each model, then random ones of 2x3, 3x2 and
 *              3x3 without end
 *
 * A size is threads x invocations of each.
 *
 * Ownership: borrows the tests given and the models.
 */
#ifndef PL_PLAN_AGENDA_H
#define PL_PLAN_AGENDA_H

#include "plan/test.h"

enum { PL_AGENDA_STAGES = 16 };

enum pl_stage_kind { PL_STAGE_GIVEN, PL_STAGE_ALL, PL_STAGE_RANDOM, PL_STAGE_ENDLESS };

struct pl_stage {
    enum pl_stage_kind kind;
    unsigned threads, length;
    const char *model; /* NULL: each in turn */
    uint64_t total;    /* tests; 0: without end */
    uint64_t done;     /* of them, to the end: counted by the user of the agenda */
};

struct pl_agenda {
    const struct pl_test *given;
    const struct pl_test *like;   /* initial and final sequence; NULL: none */
    const struct pl_call *marked; /* with groups or limits, which tests respect; NULL: none */
    unsigned calls;
    uint64_t seed;
    const char *const *models;
    unsigned model_count;
    struct pl_stage stage[PL_AGENDA_STAGES];
    unsigned stages;
    /* where we are */
    unsigned at;
    uint64_t number; /* within the stage */
    unsigned last;   /* endless: which size was drawn */
    uint8_t cells[PL_TEST_OPERATIONS];
    struct pl_prng prng;
};

struct pl_item {
    struct pl_test test;
    const char *model;
    unsigned stage;
};

void pl_agenda_init(struct pl_agenda *agenda, const char *const *models, unsigned model_count,
                    unsigned calls, uint64_t seed, const struct pl_test *like);
/* Only tests that respect groups and limits; before the stages are added. A size of which there is
 * no such test has no stage. */
void pl_agenda_restrict(struct pl_agenda *agenda, const struct pl_call *calls);
void pl_agenda_given(struct pl_agenda *agenda, const struct pl_test *tests, size_t count);
void pl_agenda_all(struct pl_agenda *agenda, unsigned threads, unsigned length);
void pl_agenda_random(struct pl_agenda *agenda, unsigned threads, unsigned length, uint64_t count);
void pl_agenda_growing(struct pl_agenda *agenda);

/* False: there is nothing more. */
bool pl_agenda_next(struct pl_agenda *agenda, struct pl_item *out);

#endif
