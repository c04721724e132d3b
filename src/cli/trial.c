/* One test under one model: see trial.h. */
#include "cli/trial.h"

#include <stdlib.h>
#include <string.h>

#include "check/serial.h"

void pl_trial_init(struct pl_trial *t, const struct pl_test *test, const struct pl_call *calls,
                   const char *model, struct pl_against *against)
{
    *t = (struct pl_trial){
        .test = test, .calls = calls, .model = model, .walk = pl_walk_new(), .against = against};
    pl_derived_init(&t->derived);
    t->machine = &t->derived.machine;
    if (against) {
        pl_wrapped_init(&t->wrapped, against->spec, against->initial, &against->history);
        t->machine = &t->wrapped.machine;
    }
    for (unsigned i = 0; i < pl_test_count(test); i++) {
        t->invocation[i] = i;
        if (!against)
            continue;
        struct pl_operation operation = against->meant[test->operation[i]].operation;
        operation.thread = pl_test_thread(test, i);
        t->invocation[i] = pl_wrapped_invocation(&t->wrapped, &operation);
    }
}

void pl_trial_text(const struct pl_trial *t, pl_value response, struct pl_strbuf *out)
{
    if (t->against)
        pl_against_print(t->against, response, out);
    else if (response >= 0 && (size_t)response < t->responses.count)
        pl_strbuf_add(out, t->responses.at[response].text);
}

void pl_trial_release(struct pl_trial *t)
{
    pl_responses_release(&t->responses);
    pl_derived_release(&t->derived);
    if (t->against)
        pl_wrapped_release(&t->wrapped);
    pl_walk_free(t->walk);
    free(t->bad.graph);
    *t = (struct pl_trial){0};
}

void pl_trial_options(const struct pl_trial *t, struct pl_wire_options *o)
{
    struct pl_wire_check *c = &o->check;
    _Static_assert((int)PL_TEST_THREADS == PL_CHECK_COLUMNS, "the same limits");
    _Static_assert((int)PL_TEST_OPERATIONS == PL_CHECK_OPERATIONS, "the same limits");
    *c = (struct pl_wire_check){.mode = PL_CHECK_ON,
                                .columns = t->test->threads,
                                .init = t->test->init,
                                .final = t->test->final,
                                .no_serial = t->against != NULL};
    memcpy(c->length, t->test->length, sizeof c->length);
    for (unsigned i = 0; i < pl_test_count(t->test); i++) {
        const struct pl_call *call = &t->calls[t->test->operation[i]];
        c->operation[i] = call->place;
        memcpy(c->argument[i], call->argument, sizeof call->argument);
    }
    memset(o->explore, 0, sizeof o->explore);
    (void)strncpy(o->explore, t->model, sizeof o->explore - 1);
}

/* ---- reading ---- */

/* The record at `bytes`; false if it does not hold together. */
static bool read_history(struct pl_trial *t, const uint8_t *bytes, struct pl_seen_history *out)
{
    memcpy(&out->head, bytes, sizeof out->head);
    const struct pl_wire_history *h = &out->head;
    unsigned count = h->operations;
    const uint8_t *at = bytes + sizeof *h, *end = bytes + h->bytes;
    if (count != pl_test_count(t->test) || h->ran > count ||
        (size_t)(end - at) < 2 * count * sizeof(uint64_t) + h->graph)
        return false;
    out->order = (struct pl_order){.operations = count, .pending = h->called & ~h->returned};
    memcpy(out->order.before, at, 2 * count * sizeof(uint64_t));
    at += 2 * count * sizeof(uint64_t);
    for (unsigned i = 0; i < count; i++) {
        out->called[i] = (struct pl_called){.invocation = t->invocation[i], .response = PL_ANY};
        if (!(h->returned >> i & 1))
            continue;
        if (at >= end || *at >= end - at)
            return false;
        out->answer[i] = pl_responses_number(&t->responses, at + 1, *at);
        out->called[i].response =
            t->against ? pl_against_value(t->against, t->test->operation[i], at + 1, *at)
                       : (pl_value)out->answer[i];
        at += 1 + *at;
    }
    out->graph = NULL;
    if ((size_t)(end - at) < h->graph)
        return false;
    if (h->graph) {
        out->graph = malloc(h->graph);
        PL_ASSERT(out->graph);
        memcpy(out->graph, at, h->graph);
    }
    return true;
}

/* ---- deciding ---- */

static void keep(struct pl_trial *t, struct pl_seen_history *h, enum pl_finding_kind kind)
{
    t->kind = kind;
    t->bad = *h;
    h->graph = NULL;
}

static void take_serial(struct pl_trial *t, struct pl_seen_history *h)
{
    struct pl_called run[PL_MOST_CALLED];
    const struct pl_wire_history *head = &h->head;
    t->serial++;
    for (unsigned i = 0; i < head->ran; i++)
        run[i] = h->called[head->order[i] % PL_MOST_CALLED];
    if (!pl_derived_add(&t->derived, run, head->ran, (head->called & ~head->returned) != 0,
                        &t->conflict))
        keep(t, h, PL_FINDING_NONDETERMINISTIC);
}

/* Operations that were never called, since the test got stuck before them, are not there. */
static void drop_uncalled(const struct pl_seen_history *h, struct pl_order *order,
                          struct pl_called *called, uint8_t *number)
{
    unsigned count = 0;
    *order = (struct pl_order){0};
    for (unsigned i = 0; i < h->head.operations; i++)
        if (h->head.called >> i & 1)
            number[count++] = (uint8_t)i;
    for (unsigned i = 0; i < count; i++) {
        called[i] = h->called[number[i]];
        order->pending |= (h->order.pending >> number[i] & 1) << i;
        for (unsigned half = 0; half < 2; half++) {
            uint64_t before = h->order.before[2 * number[i] + half];
            for (unsigned k = 0; k < count; k++)
                order->before[2 * i + half] |= (before >> 2 * number[k] & 3) << 2 * k;
        }
    }
    order->operations = count;
}

static void decide(struct pl_trial *t, struct pl_seen_history *h)
{
    static const struct pl_budget none;
    t->histories++;
    drop_uncalled(h, &t->order, t->called, t->number);
    struct pl_behaviour behaviour = {
        .order = &t->order, .called = t->called, .stuck = h->head.kind == PL_HISTORY_STUCK};
    struct pl_nearest nearest;
    enum pl_decision decision;
    t->refuted = (struct pl_refuted){0};
    if (strcmp(t->model, "sc") == 0) {
        decision = pl_walk(t->walk, t->machine, &behaviour, &none, &t->refuted);
    } else {
        decision = pl_serial_order(t->machine, &behaviour, &none, &nearest);
        t->refuted.unjustified = nearest.unjustified;
    }
    t->undecided = t->undecided || decision == PL_NEITHER;
    if (decision == PL_BAD)
        keep(t, h,
             t->refuted.unjustified == PL_NONE_CALLED ? PL_FINDING_NOT_LINEARIZABLE
                                                      : PL_FINDING_STUCK);
}

void pl_trial_take(void *context, struct pl_process *p)
{
    struct pl_trial *t = context;
    struct pl_wire *w = p->wire;
    uint64_t sent = __atomic_load_n(&w->sent, __ATOMIC_ACQUIRE);
    while (w->received < sent && t->kind == PL_FINDING_NONE && !t->malformed) {
        const uint8_t *at = w->history + w->received % PL_CHECK_RING;
        uint32_t bytes;
        memcpy(&bytes, at, sizeof bytes);
        uint64_t left = PL_CHECK_RING - w->received % PL_CHECK_RING;
        struct pl_seen_history h;
        if (!bytes || bytes > left) {
            t->malformed = true;
            break;
        }
        bool wraps = bytes == left &&
                     (left < sizeof(struct pl_wire_history) ||
                      ((const struct pl_wire_history *)(const void *)at)->kind == PL_HISTORY_WRAP);
        if (!wraps) {
            if (bytes < sizeof h.head || !read_history(t, at, &h))
                t->malformed = true;
            else if (h.head.kind == PL_HISTORY_SERIAL)
                take_serial(t, &h);
            else
                decide(t, &h);
            if (!t->malformed)
                free(h.graph);
        }
        w->received += bytes;
    }
    if (t->kind != PL_FINDING_NONE || t->malformed)
        w->stop = 1;
}
