/* Which tests: see agenda.h. */
#include "plan/agenda.h"

#include <string.h>

#include "plan/marks.h"

enum { MOST_COUNTED = 1000000 };

void pl_agenda_init(struct pl_agenda *a, const char *const *models, unsigned model_count,
                    unsigned calls, uint64_t seed, const struct pl_test *like)
{
    *a = (struct pl_agenda){
        .models = models, .model_count = model_count, .calls = calls, .seed = seed, .like = like};
}

void pl_agenda_restrict(struct pl_agenda *a, const struct pl_call *calls)
{
    a->marked = pl_marks_restrict(calls, a->calls) ? calls : NULL;
}

static bool is_allowed(const struct pl_agenda *a, unsigned threads, unsigned length)
{
    struct pl_test test;
    pl_test_make(&test, threads, length, a->cells, a->like);
    return !a->marked || pl_marks_check(&test, a->marked, NULL) == PL_OK;
}

/* To the first test of a size, or to the next; false: there is none. */
static bool advance(struct pl_agenda *a, unsigned threads, unsigned length, bool first)
{
    if (first)
        memset(a->cells, 0, sizeof a->cells);
    else if (!pl_test_next(a->cells, threads, length, a->calls))
        return false;
    while (!is_allowed(a, threads, length))
        if (!pl_test_next(a->cells, threads, length, a->calls))
            return false;
    return true;
}

/* How many tests of a size; too many to be counted: how many there would be without marks. */
static uint64_t count_all(struct pl_agenda *a, unsigned threads, unsigned length)
{
    uint64_t all = pl_test_all(threads, length, a->calls), count = 0;
    if (!a->marked || all > MOST_COUNTED)
        return all;
    for (bool more = advance(a, threads, length, true); more;
         more = advance(a, threads, length, false))
        count++;
    return count;
}

static bool draw(struct pl_agenda *a, unsigned threads, unsigned length)
{
    if (a->marked)
        return pl_marks_draw(a->cells, threads, length, a->marked, a->calls, a->like, &a->prng);
    pl_test_draw(a->cells, threads, length, a->calls, &a->prng);
    return true;
}

/* A size of which there is no test is left out. */
static void add(struct pl_agenda *a, struct pl_stage stage)
{
    if (stage.kind != PL_STAGE_ENDLESS && !stage.total)
        return;
    PL_ASSERT(a->stages < PL_AGENDA_STAGES);
    a->stage[a->stages++] = stage;
}

void pl_agenda_given(struct pl_agenda *a, const struct pl_test *tests, size_t count)
{
    a->given = tests;
    for (unsigned m = 0; m < a->model_count; m++)
        add(a, (struct pl_stage){.kind = PL_STAGE_GIVEN, .model = a->models[m], .total = count});
}

void pl_agenda_all(struct pl_agenda *a, unsigned threads, unsigned length)
{
    for (unsigned m = 0; m < a->model_count; m++)
        add(a, (struct pl_stage){.kind = PL_STAGE_ALL,
                                 .threads = threads,
                                 .length = length,
                                 .model = a->models[m],
                                 .total = count_all(a, threads, length)});
}

void pl_agenda_random(struct pl_agenda *a, unsigned threads, unsigned length, uint64_t count)
{
    pl_prng_init(&a->prng, a->seed);
    if (!draw(a, threads, length))
        return;
    for (unsigned m = 0; m < a->model_count; m++)
        add(a, (struct pl_stage){.kind = PL_STAGE_RANDOM,
                                 .threads = threads,
                                 .length = length,
                                 .model = a->models[m],
                                 .total = count});
}

void pl_agenda_growing(struct pl_agenda *a)
{
    static const unsigned size[][2] = {{2, 1}, {2, 2}, {3, 1}};
    for (unsigned m = 0; m < a->model_count; m++)
        for (unsigned i = 0; i < 3; i++)
            add(a, (struct pl_stage){.kind = PL_STAGE_ALL,
                                     .threads = size[i][0],
                                     .length = size[i][1],
                                     .model = a->models[m],
                                     .total = count_all(a, size[i][0], size[i][1])});
    add(a, (struct pl_stage){.kind = PL_STAGE_ENDLESS});
}

/* A random test of a size of its own, under each model in turn. */
static bool make_endless(struct pl_agenda *a, struct pl_item *out)
{
    static const unsigned size[][2] = {{2, 3}, {3, 2}, {3, 3}};
    uint64_t turn = a->number / a->model_count;
    bool again = a->number % a->model_count != 0;
    unsigned which = again ? a->last : 0;
    bool drawn = again;
    for (unsigned i = 0; i < 3 && !drawn; i++) {
        which = (unsigned)((turn + i) % 3);
        drawn = draw(a, size[which][0], size[which][1]);
    }
    if (!drawn)
        return false;
    a->last = which;
    out->model = a->models[a->number % a->model_count];
    pl_test_make(&out->test, size[which][0], size[which][1], a->cells, a->like);
    return true;
}

/* The test of the stage with this number; numbers come one after the other. False: no more. */
static bool make(struct pl_agenda *a, const struct pl_stage *s, struct pl_item *out)
{
    out->model = s->model;
    if (s->kind == PL_STAGE_GIVEN) {
        out->test = a->given[a->number];
        return true;
    }
    if (a->number == 0)
        pl_prng_init(&a->prng, a->seed);
    if (s->kind == PL_STAGE_ENDLESS)
        return make_endless(a, out);
    if (s->kind == PL_STAGE_ALL ? !advance(a, s->threads, s->length, a->number == 0)
                                : !draw(a, s->threads, s->length))
        return false;
    pl_test_make(&out->test, s->threads, s->length, a->cells, a->like);
    return true;
}

bool pl_agenda_next(struct pl_agenda *a, struct pl_item *out)
{
    for (; a->at < a->stages; a->at++, a->number = 0) {
        struct pl_stage *s = &a->stage[a->at];
        if (s->total && a->number == s->total)
            continue;
        out->stage = a->at;
        if (make(a, s, out)) {
            a->number++;
            return true;
        }
        if (s->kind == PL_STAGE_ALL)
            s->total = a->number; /* they were too many to be counted before */
    }
    return false;
}
