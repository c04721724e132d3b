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

/* The first so many cells of the columns as a test; false: it is too long, or the marks of calls
 * forbid it. Then they forbid whatever begins so. */
static bool make_part(const struct pl_agenda *a, unsigned threads, unsigned length, unsigned cells,
                      struct pl_test *out)
{
    unsigned used = a->like ? a->like->init : 0, final = a->like ? a->like->final : 0;
    *out = (struct pl_test){.threads = (uint8_t)(threads + 1),
                            .init = (uint8_t)used,
                            .final = (uint8_t) final,
                            .length = {(uint8_t)(used + final)}};
    if (a->like)
        memcpy(out->operation, a->like->operation, used);
    for (unsigned i = 0; i < cells; i++) {
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

static bool make(const struct pl_agenda *a, unsigned threads, unsigned length, struct pl_test *out)
{
    return make_part(a, threads, length, threads * length, out);
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

/* From the columns as they stand on, the next that may be a test. Where a beginning is forbidden
 * all that begins so is passed over. NONE: there is no other; OPEN: not in so many steps. */
enum seek { FOUND, NONE, OPEN };
static enum seek seek(struct pl_agenda *a, const struct pl_stage *s, unsigned *steps,
                      struct pl_test *out)
{
    unsigned size = s->threads * s->length;
    do {
        unsigned good = 0;
        if (make(a, s->threads, s->length, out))
            return FOUND;
        if (*steps == 0)
            return OPEN;
        --*steps;
        while (make_part(a, s->threads, s->length, good + 1, out))
            good++;
        memset(a->cells_now + good + 1, (int)(s->cells - 1), size - (good + 1));
    } while (pl_test_next(a->cells_now, s->threads, s->length, s->cells));
    return NONE;
}

static bool may_forbid(const struct pl_agenda *a)
{
    bool may = a->like && pl_test_count(a->like);
    for (unsigned i = 0; i < a->cells && !may; i++) {
        const struct pl_call *call = a->calls ? &a->calls[a->cell[i].call[0]] : NULL;
        may = a->cell[i].length > 1 || (call && pl_marks_restrict(call, 1));
    }
    return may;
}

/* Every test of a size, if they are fewer than so many and can be counted; else all there were if
 * none was forbidden. */
static uint64_t count_all(struct pl_agenda *a, const struct pl_stage *s, uint64_t limit)
{
    struct pl_test test;
    uint64_t most = pl_test_all(s->threads, s->length, s->cells), count = 0;
    unsigned steps = MOST_COUNTED;
    if (!may_forbid(a))
        return most;
    memset(a->cells_now, 0, sizeof a->cells_now);
    enum seek sought = seek(a, s, &steps, &test);
    for (; sought == FOUND && count < limit; count++) {
        bool more = pl_test_next(a->cells_now, s->threads, s->length, s->cells);
        sought = more ? seek(a, s, &steps, &test) : NONE;
    }
    return sought == NONE ? count : most;
}

/* A size of which there is no test has no stage. */
static void add(struct pl_agenda *a, struct pl_stage stage)
{
    struct pl_test test;
    PL_ASSERT(a->stages < PL_AGENDA_STAGES);
    stage.cells = stage.cells ? stage.cells : a->cells;
    if (stage.kind == PL_STAGE_ALL)
        stage.total = count_all(a, &stage, MOST_COUNTED);
    pl_prng_init(&a->prng, a->seed);
    bool drawn = stage.kind == PL_STAGE_RANDOM || stage.kind == PL_STAGE_ENDLESS;
    if (drawn ? draw(a, &stage, &test) : stage.total > 0)
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

static bool has_few(struct pl_agenda *a, unsigned threads, unsigned length)
{
    const struct pl_stage size = {.threads = threads, .length = length, .cells = a->cells};
    return count_all(a, &size, FEW + 1) <= FEW;
}

void pl_agenda_growing(struct pl_agenda *a)
{
    static const unsigned whole[][2] = {{2, 1}, {2, 2}, {3, 1}};
    static const unsigned sampled[][2] = {{2, 3}, {3, 2}, {3, 3}};
    for (unsigned i = 0; i < 3; i++)
        pl_agenda_all(a, whole[i][0], whole[i][1]);
    for (unsigned i = 0; i < 3; i++)
        if (has_few(a, sampled[i][0], sampled[i][1]))
            pl_agenda_all(a, sampled[i][0], sampled[i][1]);
    for (unsigned i = 0; i < 3; i++)
        if (!has_few(a, sampled[i][0], sampled[i][1]))
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
    a->number = 0;
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

/* The next of those that can be counted. If there is none it is known now how many there are. */
static enum seek next_of_all(struct pl_agenda *a, struct pl_stage *s, struct pl_test *out)
{
    unsigned steps = MOST_COUNTED;
    enum seek sought = NONE;
    if (a->number == 0)
        memset(a->cells_now, 0, sizeof a->cells_now);
    if (a->number == 0 || pl_test_next(a->cells_now, s->threads, s->length, s->cells))
        sought = seek(a, s, &steps, out);
    if (sought == NONE)
        s->total = a->number;
    return sought;
}

static bool next_random(struct pl_agenda *a, struct pl_stage *s, struct pl_test *out)
{
    if (a->number == 0)
        pl_prng_init(&a->prng, a->seed);
    if (draw(a, s, out))
        return true;
    s->total = a->number;
    return false;
}

/* False: the stage has no other test, or none that could be found. */
static bool next_of(struct pl_agenda *a, struct pl_stage *s, struct pl_item *out)
{
    out->stage = a->at;
    out->under = a->model;
    if (a->number == s->total)
        return false;
    if (s->kind == PL_STAGE_GIVEN)
        out->test = a->given[a->number];
    else if (s->kind == PL_STAGE_RANDOM ? !next_random(a, s, &out->test)
                                        : next_of_all(a, s, &out->test) != FOUND)
        return false;
    a->number++;
    return true;
}

void pl_agenda_distinct(struct pl_agenda *a, size_t calls)
{
    a->distinct = calls;
}

bool pl_agenda_next(struct pl_agenda *a, struct pl_item *out)
{
    for (unsigned failures = 0; a->at < a->stages;) {
        struct pl_stage *s = &a->stage[a->at];
        bool found = s->kind == PL_STAGE_ENDLESS ? next_endless(a, out) : next_of(a, s, out);
        if (found) {
            out->model = a->models[out->under];
            if (s->kind != PL_STAGE_GIVEN)
                pl_distinct(&out->test, a->calls, a->distinct);
            return true;
        }
        if (s->kind != PL_STAGE_ENDLESS)
            go_on(a);
        else if (++failures > DRAWS)
            return false;
    }
    return false;
}
