/* Which tests: see agenda.h. */
#include "plan/agenda.h"

#include <string.h>

void pl_agenda_init(struct pl_agenda *a, const char *const *models, unsigned model_count,
                    unsigned calls, uint64_t seed, const struct pl_test *like)
{
    *a = (struct pl_agenda){
        .models = models, .model_count = model_count, .calls = calls, .seed = seed, .like = like};
}

static void add(struct pl_agenda *a, struct pl_stage stage)
{
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
                                 .total = pl_test_all(threads, length, a->calls)});
}

void pl_agenda_random(struct pl_agenda *a, unsigned threads, unsigned length, uint64_t count)
{
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
                                     .total = pl_test_all(size[i][0], size[i][1], a->calls)});
    add(a, (struct pl_stage){.kind = PL_STAGE_ENDLESS});
}

/* The test of the stage with this number; numbers come one after the other. */
static void make(struct pl_agenda *a, const struct pl_stage *s, struct pl_item *out)
{
    static const unsigned size[][2] = {{2, 3}, {3, 2}, {3, 3}};
    unsigned threads = s->threads, length = s->length;
    out->model = s->model;
    if (s->kind == PL_STAGE_GIVEN) {
        out->test = a->given[a->number];
        return;
    }
    if (a->number == 0)
        pl_prng_init(&a->prng, a->seed);
    if (s->kind == PL_STAGE_ENDLESS) {
        unsigned which = (unsigned)(a->number / a->model_count % 3);
        threads = size[which][0];
        length = size[which][1];
        out->model = a->models[a->number % a->model_count];
    }
    if (s->kind == PL_STAGE_ALL && a->number == 0)
        memset(a->cells, 0, sizeof a->cells);
    else if (s->kind == PL_STAGE_ALL)
        (void)pl_test_next(a->cells, threads, length, a->calls);
    else if (s->kind == PL_STAGE_RANDOM || a->number % a->model_count == 0)
        pl_test_draw(a->cells, threads, length, a->calls, &a->prng);
    pl_test_make(&out->test, threads, length, a->cells, a->like);
}

bool pl_agenda_next(struct pl_agenda *a, struct pl_item *out)
{
    while (a->at < a->stages && a->stage[a->at].total && a->number == a->stage[a->at].total) {
        a->at++;
        a->number = 0;
    }
    if (a->at == a->stages)
        return false;
    out->stage = a->at;
    make(a, &a->stage[a->at], out);
    a->number++;
    return true;
}
