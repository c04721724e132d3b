/* Which tests: see agenda.h. */
#include "plan/agenda.h"

#include <string.h>

#include "plan/distinct.h"
#include "plan/marks.h"

enum { DRAWS = 1000, MOST_COUNTED = 1000000, FEW = 100 };

void pl_agenda_init(struct pl_agenda *a, const char *const *models, unsigned model_count,
                    const struct pl_cell *cell, unsigned cells, uint64_t seed,
                    const struct pl_test *like, const struct pl_call *calls)
{
    PL_ASSERT(model_count <= PL_AGENDA_MODELS);
    *a = (struct pl_agenda){.models = models,
                            .model_count = model_count,
                            .cell = cell,
                            .cells = cells,
                            .seed = seed,
                            .like = like,
                            .calls = calls};
}

/* ---- one test ---- */

/* The columns of cells as a test; false: it is too long, or the marks of calls forbid it. */
static bool make(const struct pl_agenda *a, unsigned threads, unsigned length, struct pl_test *out)
{
    unsigned used = a->like ? a->like->init : 0, final = a->like ? a->like->final : 0;
    *out = (struct pl_test){.threads = (uint8_t)(threads + 1),
                            .init = (uint8_t)used,
                            .final = (uint8_t) final,
                            .length = {(uint8_t)(used + final)}};
    if (a->like)
        memcpy(out->operation, a->like->operation, used);
    for (unsigned i = 0; i < threads * length; i++) {
        const struct pl_cell *cell = &a->cell[a->cells_now[i]];
        if (used + cell->length + final > PL_TEST_OPERATIONS)
            return false;
        memcpy(out->operation + used, cell->call, cell->length);
        used += cell->length;
        out->length[1 + i / length] = (uint8_t)(out->length[1 + i / length] + cell->length);
    }
    if (a->like)
        memcpy(out->operation + used, a->like->operation + pl_test_count(a->like) - final, final);
    return !a->calls || pl_marks_check(out, a->calls, NULL) == PL_OK;
}

/* A random one; false: none was found in many tries. */
static bool draw(struct pl_agenda *a, const struct pl_stage *s, struct pl_test *out)
{
    bool single = a->calls != NULL;
    for (unsigned i = 0; i < a->cells; i++)
        single = single && a->cell[i].length == 1 && a->cell[i].call[0] == i;
    if (single) /* a group may be most of what there is: it is given a thread first */
        return pl_marks_draw(a->cells_now, s->threads, s->length, a->calls, s->cells, a->like,
                             &a->prng) &&
               make(a, s->threads, s->length, out);
    for (unsigned tries = 0; tries < DRAWS; tries++) {
        pl_test_draw(a->cells_now, s->threads, s->length, s->cells, &a->prng);
        if (make(a, s->threads, s->length, out))
            return true;
    }
    return false;
}

/* ---- stages ---- */

/* Tests of a size that the marks forbid, counted before they are run unless there are too many. */
static uint64_t count_left_out(struct pl_agenda *a, const struct pl_stage *s)
{
    struct pl_test test;
    uint64_t count = 0;
    if (s->total > MOST_COUNTED)
        return 0;
    memset(a->cells_now, 0, sizeof a->cells_now);
    do
        count += !make(a, s->threads, s->length, &test);
    while (pl_test_next(a->cells_now, s->threads, s->length, s->cells));
    return count;
}

/* A size of which there is no test has no stage. */
static void add(struct pl_agenda *a, struct pl_stage stage)
{
    struct pl_test test;
    PL_ASSERT(a->stages < PL_AGENDA_STAGES);
    stage.cells = stage.cells ? stage.cells : a->cells;
    if (stage.kind == PL_STAGE_ALL) {
        stage.total = pl_test_all(stage.threads, stage.length, stage.cells);
        stage.left_out = count_left_out(a, &stage);
    }
    pl_prng_init(&a->prng, a->seed);
    bool none = stage.kind == PL_STAGE_GIVEN ? !stage.total
                : stage.kind == PL_STAGE_ALL ? stage.left_out == stage.total
                                             : !draw(a, &stage, &test);
    if (!none)
        a->stage[a->stages++] = stage;
}

void pl_agenda_given(struct pl_agenda *a, const struct pl_test *tests, size_t count)
{
    a->given = tests;
    add(a, (struct pl_stage){.kind = PL_STAGE_GIVEN, .total = count});
}

void pl_agenda_all(struct pl_agenda *a, unsigned threads, unsigned length)
{
    add(a, (struct pl_stage){.kind = PL_STAGE_ALL, .threads = threads, .length = length});
}

void pl_agenda_random(struct pl_agenda *a, unsigned threads, unsigned length, uint64_t count)
{
    add(a, (struct pl_stage){
               .kind = PL_STAGE_RANDOM, .threads = threads, .length = length, .total = count});
}

void pl_agenda_growing(struct pl_agenda *a)
{
    static const unsigned whole[][2] = {{2, 1}, {2, 2}, {3, 1}};
    static const unsigned sampled[][2] = {{2, 3}, {3, 2}, {3, 3}};
    for (unsigned i = 0; i < 3; i++)
        pl_agenda_all(a, whole[i][0], whole[i][1]);
    for (unsigned i = 0; i < 3; i++)
        if (pl_test_all(sampled[i][0], sampled[i][1], a->cells) <= FEW)
            pl_agenda_all(a, sampled[i][0], sampled[i][1]);
    for (unsigned i = 0; i < 3; i++)
        if (pl_test_all(sampled[i][0], sampled[i][1], a->cells) > FEW)
            add(a, (struct pl_stage){.kind = PL_STAGE_ENDLESS,
                                     .threads = sampled[i][0],
                                     .length = sampled[i][1]});
}

void pl_agenda_auto(struct pl_agenda *a)
{
    for (unsigned n = 1; n * n <= PL_TEST_OPERATIONS; n++)
        add(a, (struct pl_stage){.kind = PL_STAGE_ALL,
                                 .threads = n,
                                 .length = n,
                                 .cells = n < a->cells ? n : a->cells});
}

/* ---- one after the other ---- */

/* The next model, or the next stage. */
static void go_on(struct pl_agenda *a)
{
    a->stage[a->at].left_out = a->left_out;
    a->number = a->left_out = 0;
    if (++a->model == a->model_count) {
        a->model = 0;
        a->at++;
    }
}

/* Sizes in turn, each test under every model. */
static bool next_endless(struct pl_agenda *a, struct pl_item *out)
{
    uint64_t number = a->number++;
    unsigned sizes = a->stages - a->at;
    out->under = (unsigned)(number % a->model_count);
    out->stage = a->at + (unsigned)(number / a->model_count % sizes);
    const struct pl_stage *s = &a->stage[out->stage];
    if (number == 0)
        pl_prng_init(&a->prng, a->seed);
    return out->under ? make(a, s->threads, s->length, &out->test) : draw(a, s, &out->test);
}

/* True: a test. False: this one is left out. */
static bool next_of(struct pl_agenda *a, const struct pl_stage *s, struct pl_item *out)
{
    uint64_t number = a->number++;
    out->stage = a->at;
    out->under = a->model;
    if (s->kind == PL_STAGE_GIVEN) {
        out->test = a->given[number];
        return true;
    }
    if (s->kind == PL_STAGE_RANDOM) {
        if (number == 0)
            pl_prng_init(&a->prng, a->seed);
        return draw(a, s, &out->test);
    }
    if (number == 0)
        memset(a->cells_now, 0, sizeof a->cells_now);
    else
        (void)pl_test_next(a->cells_now, s->threads, s->length, s->cells);
    return make(a, s->threads, s->length, &out->test);
}

void pl_agenda_distinct(struct pl_agenda *a, size_t calls)
{
    a->distinct = calls;
}

bool pl_agenda_next(struct pl_agenda *a, struct pl_item *out)
{
    for (unsigned failures = 0; a->at < a->stages;) {
        const struct pl_stage *s = &a->stage[a->at];
        bool found;
        if (s->kind == PL_STAGE_ENDLESS) {
            found = next_endless(a, out);
            if (!found && ++failures > DRAWS)
                return false;
        } else if (a->number == s->total) {
            go_on(a);
            continue;
        } else {
            found = next_of(a, s, out);
            a->left_out += !found;
        }
        if (found) {
            out->model = a->models[out->under];
            pl_distinct(&out->test, a->calls, a->distinct);
            return true;
        }
    }
    return false;
}
