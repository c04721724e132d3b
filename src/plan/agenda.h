/*
 * Which tests, in which order, under which memory models.
 *
 *   given      the tests of the command line
 *   all        every test of a size, up to a renaming of threads
 *   random     tests of a size drawn by a seed
 *   growing    every test of 2x1, 2x2 and 3x1, then random ones of 2x3, 3x2 and 3x3 without end;
 *              of a size that has few tests, each once
 *   auto       for n = 1, 2, …: every test of n x n over the first n cells
 *
 * A size is threads x cells of each; a cell is a call, or a sequence of calls. Stages come one
 * after the other, each under the first model, then under the next. Tests that the marks of calls
 * forbid are left out; a size of which there is no test has no stage.
 *
 * Ownership: borrows the tests given, the models, the calls and the cells.
 */
#ifndef PL_PLAN_AGENDA_H
#define PL_PLAN_AGENDA_H

#include "plan/test.h"

enum { PL_AGENDA_STAGES = 16, PL_AGENDA_MODELS = 3, PL_CELL_CALLS = 8, PL_CELLS = 200 };

enum pl_stage_kind { PL_STAGE_GIVEN, PL_STAGE_ALL, PL_STAGE_RANDOM, PL_STAGE_ENDLESS };

struct pl_cell {
    uint8_t length;
    uint8_t call[PL_CELL_CALLS];
};

struct pl_stage {
    enum pl_stage_kind kind;
    unsigned threads, length;
    unsigned cells; /* so many of the first cells */
    uint64_t total; /* tests; 0: without end; more than there are if they are too many to count */
    /* Under each model; counted by the user of the agenda. */
    struct pl_stage_count {
        uint64_t run, done, executions; /* done: to the end, nothing wrong */
        bool wrong;
    } under[PL_AGENDA_MODELS];
};

struct pl_agenda {
    const struct pl_call *calls;
    const struct pl_cell *cell;
    unsigned cells;
    const struct pl_test *given;
    const struct pl_test *like; /* initial and final sequence; NULL: none */
    uint64_t seed;
    size_t distinct; /* calls that may stand for each other; 0: none */
    const char *const *models;
    unsigned model_count;
    struct pl_stage stage[PL_AGENDA_STAGES];
    unsigned stages;
    /* where we are */
    unsigned at, model;
    uint64_t number; /* within the stage, under this model */
    uint8_t cells_now[PL_TEST_OPERATIONS];
    struct pl_prng prng;
};

struct pl_item {
    struct pl_test test;
    const char *model;
    unsigned stage, under; /* which of the models */
};

/* `calls` may be NULL: then no test is left out. */
void pl_agenda_init(struct pl_agenda *agenda, const char *const *models, unsigned model_count,
                    const struct pl_cell *cell, unsigned cells, uint64_t seed,
                    const struct pl_test *like, const struct pl_call *calls);
/* Equal values of data-independent operations are told apart, with any of so many calls; tests that
 * are given are run as they are. */
void pl_agenda_distinct(struct pl_agenda *agenda, size_t calls);
void pl_agenda_given(struct pl_agenda *agenda, const struct pl_test *tests, size_t count);
void pl_agenda_all(struct pl_agenda *agenda, unsigned threads, unsigned length);
void pl_agenda_random(struct pl_agenda *agenda, unsigned threads, unsigned length, uint64_t count);
void pl_agenda_growing(struct pl_agenda *agenda);
void pl_agenda_auto(struct pl_agenda *agenda);

/* False: there is nothing more. */
bool pl_agenda_next(struct pl_agenda *agenda, struct pl_item *out);

#endif
