#include "executions.h"

#include <stdio.h>
#include <string.h>

static bool chance(struct pl_prng *r, unsigned percent)
{
    return pl_prng_below(r, 100) < percent;
}

struct or_shape or_execution_shape(struct pl_prng *r)
{
    static const unsigned kept[] = {0, 10, 30, 60, 100}, wrong[] = {0, 5, 20}, left[] = {0, 10, 30},
                          sizes[] = {1, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6};
    struct or_shape s = {
        .nondeterministic = chance(r, 40),
        .blocking = chance(r, 60),
        .threads = chance(r, 70),
        .stuck = chance(r, 50),
        .operations = sizes[pl_prng_below(r, sizeof sizes / sizeof sizes[0])],
        .kept = kept[pl_prng_below(r, 5)],
        .wrong = wrong[pl_prng_below(r, 3)],
        .left = left[pl_prng_below(r, 3)],
    };
    /* Brute force has to come to an end. */
    if (s.operations >= (s.threads ? 5u : 4u) && s.kept < 30)
        s.kept = s.operations < 6 ? 30 : 60;
    return s;
}

void or_random_spec(struct pl_prng *r, const struct or_shape *shape, struct or_spec *out)
{
    *out =
        (struct or_spec){.states = 2 + pl_prng_below(r, 5), .invocations = 1 + pl_prng_below(r, 4)};
    unsigned responses = 1 + pl_prng_below(r, 3);
    for (unsigned s = 0; s < out->states; s++)
        for (unsigned i = 0; i < out->invocations; i++) {
            struct or_cell *cell = &out->cell[s][i];
            cell->count = shape->blocking && chance(r, 25) ? 0 : 1;
            while (cell->count && shape->nondeterministic && cell->count < OR_ANSWERS &&
                   chance(r, 25))
                cell->count++;
            for (unsigned a = 0; a < cell->count; a++) {
                cell->response[a] = pl_prng_below(r, responses);
                cell->next[a] = pl_prng_below(r, out->states);
            }
        }
}

enum { BEFORE, CALLED, DONE, RETURNED, PENDING };

/* One run of the object: who comes next is random. Events go into event[]. */
static unsigned run(struct pl_prng *r, const struct or_shape *shape, const struct or_spec *spec,
                    struct or_execution *x, const unsigned *thread, unsigned *event)
{
    unsigned at[OR_CALLS] = {0}, events = 0, state = 0, idle = 0;
    while (idle < 200) {
        idle++;
        unsigned i = pl_prng_below(r, x->operations);
        const struct or_cell *cell = &spec->cell[state][x->invocation[i]];
        bool waits = false; /* for the one before it in its thread */
        for (unsigned j = 0; j < i; j++)
            waits |= thread[i] == thread[j] && at[j] != RETURNED;
        if (waits || at[i] >= RETURNED || (at[i] == CALLED && !cell->count))
            continue;
        if (at[i] == CALLED) {
            unsigned a = pl_prng_below(r, cell->count);
            x->response[i] = chance(r, shape->wrong) ? pl_prng_below(r, 3) : cell->response[a];
            state = cell->next[a];
            at[i] = DONE;
        } else if (at[i] == DONE && chance(r, shape->left)) {
            at[i] = PENDING;
        } else {
            event[events++] = 2 * i + (at[i] == DONE);
            at[i] = at[i] == DONE ? RETURNED : CALLED;
        }
        idle = 0;
    }
    for (unsigned i = 0; i < x->operations; i++)
        x->pending[i] = at[i] != RETURNED;
    return events;
}

/* Leaves out operations that were never called. */
static void compact(struct or_execution *x, unsigned *thread, unsigned *event, unsigned events)
{
    unsigned number[OR_CALLS], count = 0;
    for (unsigned i = 0; i < x->operations; i++) {
        bool called = false;
        for (unsigned k = 0; k < events; k++)
            called |= event[k] == 2 * i;
        number[i] = count;
        if (!called)
            continue;
        x->invocation[count] = x->invocation[i];
        x->response[count] = x->response[i];
        x->pending[count] = x->pending[i];
        thread[count++] = thread[i];
    }
    x->operations = count;
    for (unsigned k = 0; k < events; k++)
        event[k] = 2 * number[event[k] / 2] + event[k] % 2;
}

void or_random_execution(struct pl_prng *r, const struct or_shape *shape,
                         const struct or_spec *spec, struct or_execution *x)
{
    unsigned thread[OR_CALLS], event[2 * OR_CALLS], threads = 1 + pl_prng_below(r, 4);
    *x = (struct or_execution){.operations = shape->operations, .stuck = shape->stuck};
    for (unsigned i = 0; i < x->operations; i++) {
        x->invocation[i] = pl_prng_below(r, spec->invocations);
        thread[i] = shape->threads ? pl_prng_below(r, threads) : i;
    }
    unsigned events = run(r, shape, spec, x, thread, event);
    compact(x, thread, event, events);
    for (unsigned a = 0; a < events; a++)
        for (unsigned b = a + 1; b < events; b++)
            if (thread[event[a] / 2] == thread[event[b] / 2] || chance(r, shape->kept))
                x->before[event[a]][event[b]] = true;
    for (unsigned via = 0; via < events; via++)
        for (unsigned a = 0; a < events; a++)
            for (unsigned b = 0; b < events; b++)
                if (x->before[event[a]][event[via]] && x->before[event[via]][event[b]])
                    x->before[event[a]][event[b]] = true;
}

void or_case_make(const struct or_execution *x, bool by_cell, struct or_case *out)
{
    *out = (struct or_case){.order = {.operations = x->operations}};
    for (unsigned i = 0; i < x->operations; i++) {
        out->called[i] =
            (struct pl_called){by_cell ? i : x->invocation[i], x->response[i], i, false};
        if (x->pending[i])
            out->order.pending |= 1u << i;
    }
    unsigned events = 2 * x->operations;
    for (unsigned a = 0; a < events; a++)
        for (unsigned b = 0; b < events; b++) {
            bool follows = false; /* from other pairs: those do without it */
            for (unsigned via = 0; via < events; via++)
                follows |= x->before[a][via] && x->before[via][b];
            if (x->before[a][b] && !(follows && !by_cell))
                out->order.before[b] |= pl_event_bit(a);
        }
    out->behaviour = (struct pl_behaviour){&out->order, out->called, x->stuck};
}

static enum pl_step step(struct pl_machine *machine, uint32_t state, uint32_t invocation,
                         unsigned which, pl_value *response, uint32_t *next)
{
    const struct or_spec *spec = ((struct or_machine *)machine)->spec;
    const struct or_cell *cell = &spec->cell[state][invocation];
    if (which >= cell->count)
        return which ? PL_STEP_END : PL_STEP_BLOCKS;
    *response = cell->response[which];
    *next = cell->next[which];
    return PL_STEP_ANSWERS;
}

struct or_machine or_machine_of(const struct or_spec *spec)
{
    return (struct or_machine){{.start = 0, .step = step}, spec};
}

void or_print(const struct or_spec *spec, const struct or_execution *x)
{
    for (unsigned s = 0; s < spec->states; s++)
        for (unsigned i = 0; i < spec->invocations; i++) {
            const struct or_cell *cell = &spec->cell[s][i];
            printf("state %u invocation %u:", s, i);
            for (unsigned a = 0; a < cell->count; a++)
                printf(" %u->%u", cell->response[a], cell->next[a]);
            printf(cell->count ? "\n" : " blocks\n");
        }
    for (unsigned i = 0; i < x->operations; i++) {
        printf("operation %u: invocation %u ", i, x->invocation[i]);
        printf(x->pending[i] ? "pending\n" : "answers %u\n", x->response[i]);
    }
    for (unsigned a = 0; a < 2 * x->operations; a++)
        for (unsigned b = 0; b < 2 * x->operations; b++)
            if (x->before[a][b])
                printf("%c%u<%c%u ", a % 2 ? 'r' : 'c', a / 2, b % 2 ? 'r' : 'c', b / 2);
    printf("%s\n", x->stuck ? "stuck" : "");
}
