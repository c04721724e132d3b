/* A written spec: see written.h. */
#include "cli/written.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "cli/against.h"
#include "cli/answerer.h"
#include "cli/responses.h"

enum { SLOTS = 256 };

struct outcome {
    enum pl_step step;
    pl_value response;
    uint32_t next;
};

struct cell { /* what a call may do in a state */
    uint32_t first, count;
    bool known;
};

struct pl_written {
    struct pl_machine machine; /* first */
    struct pl_written_options is;
    struct pl_wire_options *options; /* the same as in `is`, owned */
    struct pl_answerer answerer;
    uint8_t *step;     /* of each call */
    int64_t *argument; /* of each call, PL_CHECK_ARGUMENTS of them */
    size_t bytes;      /* of a state */
    uint8_t *state;    /* one after the other */
    uint32_t states, state_room;
    uint32_t *slot; /* hash table: state + 1 */
    uint32_t slot_mask;
    struct cell *cell; /* [state * calls + call] */
    struct outcome *outcome;
    uint32_t outcomes, outcome_room;
    struct pl_responses responses;
};

static void *resized(void *memory, size_t count, size_t size)
{
    void *bigger = realloc(memory, (count + 1) * size);
    PL_ASSERT(bigger);
    return bigger;
}

/* ---- states ---- */

static uint32_t slot_of(const struct pl_written *w, const uint8_t *state)
{
    uint32_t i = (uint32_t)XXH3_64bits(state, w->bytes) & w->slot_mask;
    while (w->slot[i] && memcmp(w->state + (w->slot[i] - 1) * w->bytes, state, w->bytes) != 0)
        i = (i + 1) & w->slot_mask;
    return i;
}

static void grow(struct pl_written *w)
{
    size_t before = (size_t)w->state_room * w->is.count;
    w->state_room = w->state_room ? 2 * w->state_room : SLOTS / 4;
    size_t cells = (size_t)w->state_room * w->is.count;
    w->state = resized(w->state, w->state_room, w->bytes);
    w->cell = resized(w->cell, cells, sizeof *w->cell);
    memset(w->cell + before, 0, (cells - before) * sizeof *w->cell);
    w->slot_mask = 4 * w->state_room - 1;
    free(w->slot);
    w->slot = calloc((size_t)w->slot_mask + 1, sizeof *w->slot);
    PL_ASSERT(w->slot);
    for (uint32_t k = 0; k < w->states; k++)
        w->slot[slot_of(w, w->state + k * w->bytes)] = k + 1;
}

static uint32_t number_of(struct pl_written *w, const uint8_t *state)
{
    if (w->states == w->state_room)
        grow(w);
    uint32_t i = slot_of(w, state);
    if (w->slot[i])
        return w->slot[i] - 1;
    memcpy(w->state + w->states * w->bytes, state, w->bytes);
    w->slot[i] = ++w->states;
    return w->states - 1;
}

/* ---- responses ---- */

/* One value in its common form; returns the bytes it took of `bytes`. */
static unsigned plain_value(const uint8_t *bytes, unsigned length, uint8_t *out, unsigned *used)
{
    unsigned size = bytes[1];
    pl_value value = pl_against_number(bytes, length, 0);
    unsigned kind = bytes[0];
    if (kind == PL_RESPONSE_SIGNED || kind == PL_RESPONSE_UNSIGNED || kind == PL_RESPONSE_BOOL) {
        out[(*used)++] = PL_RESPONSE_SIGNED;
        out[(*used)++] = sizeof value;
        memcpy(out + *used, &value, sizeof value);
        *used += (unsigned)sizeof value;
    } else if (kind == PL_RESPONSE_POINTER && value == PL_NIL) {
        out[(*used)++] = PL_RESPONSE_EMPTY;
        out[(*used)++] = 0;
    } else {
        memcpy(out + *used, bytes, size + 2);
        *used += size + 2;
    }
    return size + 2;
}

/* Numbers may be longer than they were recorded: 64 of one byte would be. */
enum { PLAIN_BYTES = PL_CHECK_RESPONSE * 4 };

/* Of a call of type void: does it leave its answer in an out-parameter? */
static bool is_void_with_more(const uint8_t *bytes, unsigned length)
{
    return length > 2 && bytes[0] == PL_RESPONSE_VOID && !bytes[1];
}

static pl_value plain(struct pl_written *w, const uint8_t *bytes, unsigned length)
{
    uint8_t out[PLAIN_BYTES];
    static const uint8_t empty[] = {PL_RESPONSE_EMPTY, 0};
    unsigned used = 0, values = 0;
    if (is_void_with_more(bytes, length)) {
        bytes += 2;
        length -= 2;
    }
    for (unsigned at = 0; at + 2 <= length && at + 2 + bytes[at + 1] <= length; values++)
        at += plain_value(bytes + at, length - at, out, &used);
    if (values == 1 && w->is.has_empty && pl_against_number(bytes, length, 0) == w->is.empty)
        return (pl_value)pl_responses_number(&w->responses, empty, sizeof empty);
    if (used > UINT8_MAX) /* as recorded: both sides have it so, or they differ */
        return (pl_value)pl_responses_number(&w->responses, bytes, (uint8_t)length);
    return (pl_value)pl_responses_number(&w->responses, out, (uint8_t)used);
}

pl_value pl_written_value(struct pl_written *w, unsigned call, const uint8_t *bytes, uint8_t length)
{
    static const uint8_t empty[] = {PL_RESPONSE_EMPTY, 0};
    const struct pl_call *c = &w->is.calls[call];
    if (!c->outs[0] || c->always || is_void_with_more(bytes, length))
        return plain(w, bytes, length);
    pl_value flag = pl_against_number(bytes, length, 0);
    unsigned second = length >= 2 ? 2u + bytes[1] : length;
    if (flag == 0 || flag == PL_NIL || second >= length)
        return (pl_value)pl_responses_number(&w->responses, empty, sizeof empty);
    return plain(w, bytes + second, length - second);
}

bool pl_written_is_failing(const struct pl_written *w, pl_value response)
{
    const struct pl_response_text *r = &w->responses.at[response];
    pl_value value = pl_against_number(r->bytes, r->length, 0);
    return pl_response_has_value(r) && (value == 0 || value == PL_NIL);
}

const char *pl_written_text(const struct pl_written *w, pl_value response)
{
    return response >= 0 && (size_t)response < w->responses.count ? w->responses.at[response].text
                                                                  : "";
}

/* ---- asking ---- */

static void add_outcome(struct pl_written *w, struct outcome outcome)
{
    if (w->outcomes == w->outcome_room) {
        w->outcome_room = w->outcome_room ? 2 * w->outcome_room : SLOTS;
        w->outcome = resized(w->outcome, w->outcome_room, sizeof *w->outcome);
    }
    w->outcome[w->outcomes++] = outcome;
}

static enum pl_status ask(struct pl_written *w, uint32_t state, uint32_t call)
{
    if (!pl_answerer_is_ours(&w->answerer) && pl_answerer_start(&w->answerer))
        return w->answerer.error.status;
    struct pl_wire_spec *q = &w->answerer.process->wire->written;
    const char *shown = w->is.calls[call].shown;
    uint32_t first = w->outcomes;
    q->step = w->step[call];
    memcpy(q->argument, w->argument + (size_t)call * PL_CHECK_ARGUMENTS, sizeof q->argument);
    memcpy(q->state, w->state + state * w->bytes, w->bytes);
    enum pl_status status = pl_answerer_ask(&w->answerer, shown);
    if (status)
        return status;
    if (q->contradicts)
        return pl_answerer_fail(
            &w->answerer, shown,
            "contradicts itself: asked twice in the same state it answers otherwise; a step "
            "may depend on its state and arguments only");
    uint32_t answers = q->answers < PL_SPEC_ANSWERS ? q->answers : PL_SPEC_ANSWERS;
    for (uint32_t i = 0; i < answers; i++) {
        const struct pl_wire_answer *a = &q->answer[i];
        struct outcome outcome = {.step = PL_STEP_BLOCKS};
        uint32_t length = a->length < sizeof a->response ? a->length : sizeof a->response;
        if (a->response[0] != PL_RESPONSE_BLOCKS)
            outcome = (struct outcome){PL_STEP_ANSWERS, plain(w, a->response, length),
                                       number_of(w, a->state)};
        add_outcome(w, outcome);
    }
    w->cell[(size_t)state * w->is.count + call] = (struct cell){first, w->outcomes - first, true};
    return PL_OK;
}

static enum pl_step step(struct pl_machine *machine, uint32_t state, uint32_t call, unsigned which,
                         pl_value *response, uint32_t *next)
{
    struct pl_written *w = (struct pl_written *)machine;
    size_t place = (size_t)state * w->is.count + call;
    if (!w->cell[place].known && ask(w, state, call))
        return which ? PL_STEP_END : PL_STEP_UNTRIED;
    const struct cell *cell = &w->cell[place];
    if (which >= cell->count)
        return PL_STEP_END;
    const struct outcome *o = &w->outcome[cell->first + which];
    *response = o->response;
    *next = o->next;
    return o->step;
}

/* ---- making ---- */

/* Which step each call is, and its arguments as numbers. */
static enum pl_status match(struct pl_written *w, struct pl_error *error)
{
    const struct pl_wire *wire = w->answerer.process->wire;
    for (size_t i = 0; i < w->is.count; i++) {
        const struct pl_call *call = &w->is.calls[i];
        size_t length = pl_call_name_length(call);
        uint32_t k = 0;
        while (k < wire->step_count &&
               (strlen(wire->names + wire->step[k]) != length ||
                strncmp(wire->names + wire->step[k], call->shown, length) != 0))
            k++;
        if (k == wire->step_count)
            return pl_fail(error, PL_ERR_INPUT,
                           "the written spec has no step for %s: add PLUMB_STEP(%.*s)", call->shown,
                           (int)length, call->shown);
        w->step[i] = (uint8_t)k;
        enum pl_status status = pl_call_numbers(call, w->argument + i * PL_CHECK_ARGUMENTS,
                                                PL_CHECK_ARGUMENTS, NULL, error);
        if (status)
            return status;
    }
    return PL_OK;
}

static bool is_sound(const struct pl_wire *w)
{
    bool sound = w->step_count <= PL_CHECK_STEPS && w->state_bytes <= PL_SPEC_STATE &&
                 !w->names[sizeof w->names - 1];
    for (uint32_t i = 0; sound && i < w->step_count; i++)
        sound = w->step[i] < sizeof w->names;
    return sound;
}

static enum pl_status start(struct pl_written *w, struct pl_error *error)
{
    struct pl_answerer *a = &w->answerer;
    enum pl_status status = pl_answerer_start(a);
    if (!status) {
        a->process->wire->written.step = PL_CHECK_STEPS;
        status = pl_answerer_ask(a, "its start");
    }
    if (status) {
        *error = a->error;
        return status;
    }
    struct pl_wire *wire = a->process->wire;
    if (!wire->step_count)
        return pl_fail(error, PL_ERR_INPUT,
                       "the written spec has no PLUMB_STEP: #include <plumb/spec.h> says how");
    if (!is_sound(wire))
        return pl_fail(error, PL_ERR_SYSTEM, "the program has damaged what it shares with plumb");
    w->bytes = wire->state_bytes ? wire->state_bytes : 1;
    status = match(w, error);
    if (!status)
        w->machine.start = number_of(w, wire->written.answer[0].state);
    return status;
}

enum pl_status pl_written_new(struct pl_written **out, const struct pl_written_options *options,
                              struct pl_error *error)
{
    struct pl_written *w = calloc(1, sizeof *w);
    struct pl_wire_options *wire = malloc(sizeof *wire);
    PL_ASSERT(w && wire);
    *out = w;
    *wire = *options->options;
    wire->check = (struct pl_wire_check){.mode = PL_CHECK_SPEC, .columns = 1};
    w->machine.step = step;
    w->is = *options;
    w->is.options = wire;
    w->step = calloc(options->count, sizeof *w->step);
    w->argument = calloc(options->count * PL_CHECK_ARGUMENTS, sizeof *w->argument);
    PL_ASSERT(w->step && w->argument);
    w->options = wire;
    w->answerer = (struct pl_answerer){.program = options->program,
                                       .argv = options->argv,
                                       .options = wire,
                                       .hang_seconds = options->hang_seconds,
                                       .title = "the written spec"};
    return start(w, error);
}

void pl_written_free(struct pl_written *w)
{
    if (!w)
        return;
    pl_answerer_release(&w->answerer);
    free(w->options);
    pl_responses_release(&w->responses);
    free(w->step);
    free(w->argument);
    free(w->state);
    free(w->slot);
    free(w->cell);
    free(w->outcome);
    free(w);
}

struct pl_machine *pl_written_machine(struct pl_written *w)
{
    return &w->machine;
}

enum pl_status pl_written_failed(const struct pl_written *w, struct pl_error *error)
{
    if (!w->answerer.failed)
        return PL_OK;
    *error = w->answerer.error;
    return error->status;
}
