/* States are interned, and what a spec answers is computed once for a state and an invocation. */
#include "check/wrapped.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { SLOTS = 64 };

static void *resized(void *memory, size_t count, size_t size)
{
    void *bigger = realloc(memory, (count + 1) * size);
    PL_ASSERT(bigger);
    return bigger;
}

static size_t bytes_of(const struct pl_state *s)
{
    return s->count * sizeof *s->at;
}

static uint32_t slot_of(const struct pl_wrapped *w, const struct pl_state *s)
{
    uint64_t hash = s->count ? XXH3_64bits(s->at, bytes_of(s)) : 0;
    uint32_t i = (uint32_t)hash & w->slot_mask;
    for (; w->slot[i]; i = (i + 1) & w->slot_mask) {
        const struct pl_state *known = &w->state[w->slot[i] - 1];
        if (known->count == s->count && (!s->count || !memcmp(known->at, s->at, bytes_of(s))))
            break;
    }
    return i;
}

static void grow_slots(struct pl_wrapped *w)
{
    w->slot_mask = 2 * w->slot_mask + 1;
    free(w->slot);
    w->slot = calloc((size_t)w->slot_mask + 1, sizeof *w->slot);
    PL_ASSERT(w->slot);
    for (uint32_t k = 0; k < w->states; k++)
        w->slot[slot_of(w, &w->state[k])] = k + 1;
}

/* Makes the cells of new states. */
static void grow_states(struct pl_wrapped *w)
{
    size_t before = (size_t)w->state_room * w->invocations;
    w->state_room = w->state_room ? 2 * w->state_room : 64;
    size_t cells = (size_t)w->state_room * w->invocations;
    w->state = resized(w->state, w->state_room, sizeof *w->state);
    w->cell = resized(w->cell, cells, sizeof *w->cell);
    memset(w->cell + before, 0, (cells - before) * sizeof *w->cell);
}

static uint32_t number_of(struct pl_wrapped *w, const struct pl_state *s)
{
    uint32_t i = slot_of(w, s);
    if (w->slot[i])
        return w->slot[i] - 1;
    if (w->states == w->state_room)
        grow_states(w);
    struct pl_state *own = &w->state[w->states];
    *own = (struct pl_state){0};
    pl_state_copy(own, s, 0);
    w->slot[i] = ++w->states;
    if (w->states * 2 > w->slot_mask)
        grow_slots(w);
    return w->states - 1;
}

static void add_answer(struct pl_wrapped *w, pl_value response, uint32_t next)
{
    if (w->answers == w->answer_room) {
        w->answer_room = w->answer_room ? 2 * w->answer_room : 64;
        w->answer = resized(w->answer, w->answer_room, sizeof *w->answer);
    }
    w->answer[w->answers++] = (struct pl_wrapped_answer){response, next};
}

static bool spec_step(struct pl_wrapped *w, uint32_t state, uint32_t invocation, unsigned which,
                      pl_value *response)
{
    const struct pl_state *from = &w->state[state];
    const struct pl_operation *o = &w->invocation[invocation];
    return w->relaxation.on ? pl_relaxation_step(&w->relaxation, w->spec, w->values, from, o, which,
                                                 &w->scratch, response)
                            : w->spec->step(w->values, from, o, which, &w->scratch, response);
}

static void ask(struct pl_wrapped *w, uint32_t state, uint32_t invocation)
{
    uint32_t first = w->answers;
    pl_value response;
    for (unsigned which = 0; spec_step(w, state, invocation, which, &response); which++) {
        if (response != PL_ANY && response == w->refused[invocation])
            continue;
        uint32_t next = number_of(w, &w->scratch);
        if (response == PL_ANY)
            response = pl_values_list(w->values, w->scratch.count ? w->scratch.at : &response,
                                      w->scratch.count);
        add_answer(w, response, next);
    }
    w->cell[(size_t)state * w->invocations + invocation] =
        (struct pl_wrapped_cell){first, w->answers - first, true};
}

static enum pl_step step(struct pl_machine *machine, uint32_t state, uint32_t invocation,
                         unsigned which, pl_value *response, uint32_t *next)
{
    struct pl_wrapped *w = (struct pl_wrapped *)machine;
    size_t place = (size_t)state * w->invocations + invocation;
    if (!w->cell[place].known)
        ask(w, state, invocation);
    const struct pl_wrapped_cell *cell = &w->cell[place];
    if (which >= cell->count)
        return !which ? PL_STEP_BLOCKS : PL_STEP_END;
    *response = w->answer[cell->first + which].response;
    *next = w->answer[cell->first + which].next;
    return PL_STEP_ANSWERS;
}

void pl_wrapped_init(struct pl_wrapped *w, const struct pl_spec *spec, pl_value initial,
                     struct pl_history *history)
{
    *w = (struct pl_wrapped){.machine = {.step = step}, .spec = spec, .values = &history->values};
    w->slot_mask = SLOTS - 1;
    w->slot = calloc(SLOTS, sizeof *w->slot);
    PL_ASSERT(w->slot);
    spec->start(initial, history, &w->scratch);
    w->machine.start = number_of(w, &w->scratch);
}

void pl_wrapped_relax(struct pl_wrapped *w, const struct pl_relaxation *relaxation)
{
    PL_ASSERT(pl_relaxation_fits(w->spec) && w->states == 1 && !w->invocations);
    w->relaxation = *relaxation;
    pl_state_copy(&w->scratch, &w->state[w->machine.start], 1);
    pl_relaxation_start(&w->scratch);
    w->machine.start = number_of(w, &w->scratch);
}

void pl_wrapped_release(struct pl_wrapped *w)
{
    for (uint32_t k = 0; k < w->states; k++)
        pl_state_release(&w->state[k]);
    pl_state_release(&w->scratch);
    free(w->state);
    free(w->slot);
    free(w->cell);
    free(w->answer);
    free(w->invocation);
    free(w->refused);
    *w = (struct pl_wrapped){0};
}

static bool same(const struct pl_operation *a, const struct pl_operation *b)
{
    return a->code == b->code && a->thread == b->thread &&
           memcmp(a->argument, b->argument, sizeof a->argument) == 0;
}

uint32_t pl_wrapped_waiting(struct pl_wrapped *w, const struct pl_operation *operation,
                            pl_value refused)
{
    for (uint32_t i = 0; i < w->invocations; i++)
        if (same(&w->invocation[i], operation) && w->refused[i] == refused)
            return i;
    PL_ASSERT(w->states == (w->relaxation.on ? 2 : 1) && !w->answers);
    if (w->invocations == w->invocation_room) {
        w->invocation_room = w->invocation_room ? 2 * w->invocation_room : 16;
        w->invocation = resized(w->invocation, w->invocation_room, sizeof *w->invocation);
        w->refused = resized(w->refused, w->invocation_room, sizeof *w->refused);
    }
    w->refused[w->invocations] = refused;
    w->invocation[w->invocations] = *operation;
    w->invocation[w->invocations++].result = PL_ANY;
    size_t cells = (size_t)w->state_room * w->invocations; /* nothing is in them yet */
    w->cell = resized(w->cell, cells, sizeof *w->cell);
    memset(w->cell, 0, cells * sizeof *w->cell);
    return w->invocations - 1;
}

uint32_t pl_wrapped_invocation(struct pl_wrapped *w, const struct pl_operation *operation)
{
    return pl_wrapped_waiting(w, operation, PL_ANY);
}

uint32_t pl_wrapped_reads(const struct pl_wrapped *w, const struct pl_behaviour *behaviour)
{
    uint32_t reads = 0;
    if (w->relaxation.on) /* an "empty" may count */
        return 0;
    for (unsigned i = 0; i < behaviour->order->operations; i++) {
        struct pl_operation o = w->invocation[behaviour->called[i].invocation];
        o.result = behaviour->called[i].response;
        if (!(behaviour->order->pending >> i & 1) && w->spec->pure && w->spec->pure(&o))
            reads |= (uint32_t)1 << i;
    }
    return reads;
}
