/* Sequences of calls, run by a golden implementation: see sequences.h. */
#include "cli/sequences.h"

#include <stdlib.h>
#include <string.h>

struct pl_sequences {
    struct pl_machine machine; /* first */
    struct pl_trial *trial;
    struct pl_answerer *answerer;
    struct from { /* of each node of the trial's tree: the last call, and what is before */
        uint32_t node;
        uint8_t call;
    } * from;
    uint32_t room;
    uint64_t runs, most;
    bool alike; /* two invocations are the same call */
    bool too_many;
};

/* Which invocation makes the call the next time, after those that were made. */
static uint8_t next_of(const struct pl_trial *t, unsigned call, uint32_t made)
{
    unsigned i = 0, count = pl_test_count(t->test);
    while (i < count && (t->invocation[i] != call || (made >> i & 1)))
        i++;
    PL_ASSERT(i < count);
    return (uint8_t)i;
}

/* The sequence that ends with the call made in the state; returns its length. */
static unsigned sequence_to(const struct pl_sequences *s, uint32_t state, uint32_t call,
                            uint8_t *out)
{
    uint8_t back[PL_CHECK_OPERATIONS];
    unsigned count = 0;
    uint32_t made = 0;
    back[count++] = (uint8_t)call;
    for (; state != s->machine.start; state = s->from[state].node) {
        PL_ASSERT(count < PL_CHECK_OPERATIONS);
        back[count++] = s->from[state].call;
    }
    for (unsigned i = 0; i < count; i++) {
        out[i] = next_of(s->trial, back[count - 1 - i], made);
        made |= (uint32_t)1 << out[i];
    }
    return count;
}

/* The process may have been asked of another test, or have to be started. */
static enum pl_status put_question(struct pl_sequences *s, const uint8_t *invocation,
                                   unsigned count)
{
    struct pl_answerer *a = s->answerer;
    if (!a->failed && !pl_answerer_is_ours(a))
        (void)pl_answerer_start(a);
    if (a->failed)
        return a->error.status;
    struct pl_wire *w = a->process->wire;
    struct pl_wire_check check;
    pl_trial_test(s->trial, &check);
    check.mode = PL_CHECK_SEQUENCES;
    w->options.check = check; /* at once: it may be starting, and look what it is to do */
    w->question.count = (uint8_t)count;
    memcpy(w->question.invocation, invocation, count);
    return PL_OK;
}

static void shown(const struct pl_sequences *s, const uint8_t *invocation, unsigned count,
                  struct pl_strbuf *out)
{
    for (unsigned i = 0; i < count; i++)
        pl_strbuf_addf(out, "%s%s", i ? ", " : "",
                       s->trial->calls[s->trial->test->operation[invocation[i]]].shown);
}

/* The tree has one more node, unless the call blocked or this was known. */
static void keep(struct pl_sequences *s, uint32_t state, uint32_t call, uint32_t before)
{
    const struct pl_derived *d = &s->trial->derived;
    if (d->nodes == before)
        return;
    PL_ASSERT(d->nodes == before + 1);
    if (d->nodes > s->room) {
        s->room = 2 * d->nodes;
        s->from = realloc(s->from, s->room * sizeof *s->from);
        PL_ASSERT(s->from);
    }
    s->from[before] = (struct from){state, (uint8_t)call};
}

/* A block is named by the invocation that made it: where two are alike it may be the other's. */
static bool names_block(struct pl_trial *t, uint32_t state, uint32_t call)
{
    pl_value response;
    uint32_t next;
    if (pl_step(&t->derived.machine, state, call, 0, &response, &next) != PL_STEP_ANSWERS)
        return false;
    const struct pl_response_text *r = &t->responses.at[response];
    for (unsigned at = 0; at + 2u <= r->length; at += 2u + r->bytes[at + 1]) {
        pl_value value = pl_against_number(r->bytes, r->length, at);
        if (r->bytes[at] == PL_RESPONSE_POINTER && (uint64_t)value >> 48 == PL_BLOCK_TAG)
            return true;
    }
    return false;
}

static void take_answer(struct pl_sequences *s, uint32_t state, uint32_t call, const char *shown)
{
    struct pl_trial *t = s->trial;
    uint32_t before = t->derived.nodes;
    if (!pl_trial_take_serial(t, s->answerer->process->wire))
        (void)pl_answerer_fail(s->answerer, shown,
                               "answers otherwise when it is run again: it contradicts itself");
    else if (s->alike && names_block(t, state, call))
        (void)pl_answerer_fail(s->answerer, shown,
                               "answers a pointer to what it has allocated: for --criterion quasi "
                               "let calls answer numbers, or make each call only once in a test");
    else
        keep(s, state, call, before);
}

static void ask(struct pl_sequences *s, uint32_t state, uint32_t call)
{
    uint8_t sequence[PL_CHECK_OPERATIONS];
    struct pl_strbuf text;
    s->too_many = s->too_many || s->runs == s->most;
    if (s->too_many)
        return;
    s->runs++;
    unsigned count = sequence_to(s, state, call, sequence);
    if (put_question(s, sequence, count))
        return;
    pl_strbuf_init(&text);
    pl_strbuf_add(&text, "run one at a time, ");
    shown(s, sequence, count, &text);
    if (!pl_answerer_ask(s->answerer, text.text))
        take_answer(s, state, call, text.text);
    pl_strbuf_release(&text);
}

static enum pl_step step(struct pl_machine *machine, uint32_t state, uint32_t call, unsigned which,
                         pl_value *response, uint32_t *next)
{
    struct pl_sequences *s = (struct pl_sequences *)machine;
    struct pl_machine *tree = &s->trial->derived.machine;
    if (!s->answerer->failed) { /* then nothing counts any more, and nothing is asked */
        enum pl_step known = pl_step(tree, state, call, which, response, next);
        if (known != PL_STEP_UNTRIED && (which || !s->trial->deciding->run_again))
            return known;
        ask(s, state, call);
    }
    return pl_step(tree, state, call, which, response, next);
}

void pl_sequences_attach(struct pl_trial *t, struct pl_answerer *answerer, uint64_t most)
{
    struct pl_sequences *s = calloc(1, sizeof *s);
    PL_ASSERT(s && !t->against && !t->sequences);
    *s = (struct pl_sequences){.machine = {.start = t->derived.machine.start, .step = step},
                               .trial = t,
                               .answerer = answerer,
                               .most = most};
    for (unsigned i = 0; i < pl_test_count(t->test); i++) {
        unsigned first = 0;
        while (t->test->operation[first] != t->test->operation[i])
            first++;
        t->invocation[i] = first;
        s->alike = s->alike || first != i;
    }
    t->sequences = s;
    t->judge[0].machine = &s->machine;
}

void pl_sequences_free(struct pl_sequences *s)
{
    if (!s)
        return;
    free(s->from);
    free(s);
}

bool pl_sequences_are_too_many(const struct pl_sequences *s)
{
    return s && s->too_many;
}
