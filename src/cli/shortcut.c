/* Histories that are explained already: see shortcut.h. */
#include "cli/shortcut.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "check/line.h"
#include "check/publish.h"

enum { SLOTS = 1 << 12, MOST_SEEN = 1 << 12, MOST_BYTES = 256, MOST_AHEAD = 1 << 14 };

/* Answers that were seen, as bytes and in the words of the spec. */
struct answers {
    uint32_t length;
    uint8_t bytes[MOST_BYTES];
    pl_value response[PL_MOST_CALLED];
    uint32_t needed[PL_MOST_CALLED]; /* of `passed`: all; if it goes by pairs, one if any */
};

struct pl_shortcut {
    unsigned operations;
    bool publishes;
    const struct pl_spec *pairs;               /* if that goes by them */
    struct pl_operation meant[PL_MOST_CALLED]; /* then: without results */
    uint64_t own[PL_MOST_CALLED];              /* calls of the operation's thread */
    struct pl_called called[PL_MOST_CALLED];
    struct answers *seen; /* address space: pages are used as it fills */
    unsigned count;
    uint16_t slot[SLOTS]; /* 1 + number of the last ones with the hash, 0: none */
    unsigned states;      /* of the spec, whose steps are still to be told ahead */
    uint16_t state[PL_CHECK_STATES];
};

static bool is_plain(const struct pl_trial *t)
{
    const struct pl_deciding *d = t->deciding;
    uint32_t all = (uint32_t)(((uint64_t)1 << pl_test_count(t->test)) - 1);
    if (t->only_walk || t->enumerate || d->relaxed || d->points || d->inferred || t->takes_any ||
        t->judges != 1 || (t->judge[0].invocations & all) != all)
        return false;
    for (unsigned i = 0; i < pl_test_count(t->test); i++) {
        const struct pl_marks *m = &t->calls[t->test->operation[i]].marks;
        if (m->late || m->may_fail || m->aside)
            return false;
    }
    return true;
}

struct pl_shortcut *pl_shortcut_new(const struct pl_trial *t)
{
    if (!is_plain(t))
        return NULL;
    struct pl_shortcut *s = calloc(1, sizeof *s);
    PL_ASSERT(s);
    s->operations = pl_test_count(t->test);
    s->publishes = pl_trial_publishes(t);
    if (s->publishes && pl_spec_publishes_by_pairs(t->judge[0].against->spec))
        s->pairs = t->judge[0].against->spec;
    s->seen = calloc(MOST_SEEN, sizeof *s->seen);
    PL_ASSERT(s->seen);
    for (unsigned i = 0; i < s->operations; i++) {
        s->called[i].invocation = t->invocation[i];
        if (s->pairs)
            s->meant[i] = t->judge[0].against->meant[t->test->operation[i]].operation;
        for (unsigned k = 0; k < s->operations; k++)
            s->own[i] |= (uint64_t)(pl_test_thread(t->test, i) == pl_test_thread(t->test, k))
                         << 2 * k;
    }
    return s;
}

void pl_shortcut_free(struct pl_shortcut *s)
{
    if (s)
        free(s->seen);
    free(s);
}

bool pl_shortcut_pairs(const struct pl_shortcut *s)
{
    return s->pairs != NULL;
}

/* ---- the ring ---- */

/* What the ring has of a history (result/wire.h). */
struct record {
    struct pl_wire_history head;
    uint64_t order[PL_CALLED_EVENTS], cause[PL_CALLED_EVENTS], global[PL_CALLED_EVENTS];
    uint32_t barred[PL_MOST_CALLED], passed[PL_MOST_CALLED];
    const uint8_t *answers;
    uint32_t length;
};

static const uint8_t *copy(void *to, const uint8_t *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return from + bytes;
}

/* False: it is not one in which all has returned, or it does not hold together. */
static bool read_record(const struct pl_shortcut *s, const uint8_t *at, uint32_t bytes,
                        struct record *r)
{
    uint32_t all = (uint32_t)(((uint64_t)1 << s->operations) - 1);
    size_t rows = 2 * s->operations * sizeof(uint64_t), sets = s->operations * sizeof(uint32_t);
    const uint8_t *end = at + bytes;
    if (bytes < sizeof r->head)
        return false;
    at = copy(&r->head, at, sizeof r->head);
    bool weak = r->head.clients != PL_CLIENTS_NONE;
    if (r->head.kind != PL_HISTORY_WHOLE || r->head.operations != s->operations ||
        r->head.called != all || r->head.returned != all ||
        (size_t)(end - at) < rows + (weak ? 2 * rows + sets : 0) + (s->publishes ? sets : 0))
        return false;
    at = copy(r->order, at, rows);
    if (weak) {
        at = copy(r->cause, at, rows);
        at = copy(r->global, at, rows);
        at = copy(r->barred, at, sets);
    }
    if (s->publishes)
        at = copy(r->passed, at, sets);
    r->answers = at;
    for (unsigned i = 0; i < s->operations; i++) {
        if (at >= end || *at >= end - at)
            return false;
        at += 1 + *at;
    }
    r->length = (uint32_t)(at - r->answers);
    return r->length <= MOST_BYTES;
}

static uint16_t *slot_of(struct pl_shortcut *s, const struct record *r)
{
    return &s->slot[XXH3_64bits(r->answers, r->length) % SLOTS];
}

/* ---- what the process is told ---- */

static void tell_step(struct pl_wire_lines *l, const struct pl_shortcut *s, uint32_t state,
                      unsigned operation, uint8_t answer, bool taken, uint32_t next)
{
    size_t at = ((size_t)state * s->operations + operation) * PL_CHECK_ANSWERS + answer;
    if (answer >= PL_CHECK_ANSWERS || at >= PL_CHECK_LINE_STEPS ||
        next > UINT16_MAX - PL_LINES_FIRST)
        return;
    uint16_t what = taken ? (uint16_t)(next + PL_LINES_FIRST) : PL_LINES_REFUSED;
    __atomic_store_n(&l->step[at], what, __ATOMIC_RELAXED);
}

/* Steps that no history has asked for yet. */
struct ahead {
    const struct pl_trial *trial;
    struct pl_shortcut *shortcut; /* the trial's */
    struct pl_wire_lines *lines;
};

/* Not with specs whose steps are runs of another program. */
static bool tells_ahead(const struct pl_trial *t)
{
    const struct pl_judge *j = &t->judge[0];
    return j->machine == &j->wrapped.machine || j->machine == &t->derived.machine;
}

static void meet(struct ahead *a, uint32_t state)
{
    if (state >= PL_CHECK_STATES || a->lines->met[state] || !tells_ahead(a->trial))
        return;
    a->lines->met[state] = 1;
    a->shortcut->state[a->shortcut->states++] = (uint16_t)state;
}

static void ask(struct ahead *a, uint32_t state, unsigned operation, uint8_t answer)
{
    const struct pl_shortcut *s = a->shortcut;
    struct pl_called called = {.invocation = s->called[operation].invocation,
                               .response = a->lines->answer[operation][answer]};
    uint32_t next = 0;
    if (a->lines->ahead >= MOST_AHEAD)
        return;
    a->lines->ahead++;
    enum pl_line_answer what = pl_line_ask(a->trial->judge[0].machine, &called, state, &next);
    bool taken = what == PL_LINE_TAKEN;
    if (what != PL_LINE_UNKNOWN)
        tell_step(a->lines, s, state, operation, answer, taken, taken ? next : 0);
}

static void go_on(struct ahead *a)
{
    struct pl_shortcut *s = a->shortcut;
    while (s->states) {
        uint32_t state = s->state[--s->states];
        for (unsigned i = 0; i < s->operations; i++)
            for (unsigned k = 0; k < PL_CHECK_ANSWERS; k++)
                if (a->lines->told[i][k])
                    ask(a, state, i, (uint8_t)k);
    }
}

static struct pl_operation with_result(const struct pl_shortcut *s, unsigned i, pl_value result)
{
    struct pl_operation operation = s->meant[i];
    operation.result = result;
    return operation;
}

static void tell_bringers(const struct pl_shortcut *s, struct pl_wire_lines *l, unsigned j,
                          unsigned answer, unsigned i, unsigned own)
{
    const struct pl_operation what = with_result(s, i, l->answer[i][own]),
                              found = with_result(s, j, l->answer[j][answer]);
    if (i != j && pl_brings_about(s->pairs, &what, &found))
        l->bringers[j][answer][own] |= (uint32_t)1 << i;
}

/* An answer with a number. */
static void learn(struct ahead *a, unsigned i, uint8_t number, pl_value response)
{
    const struct pl_shortcut *s = a->shortcut;
    struct pl_wire_lines *l = a->lines;
    if (number >= PL_CHECK_ANSWERS || l->told[i][number])
        return;
    l->answer[i][number] = response;
    for (unsigned k = 0; k < s->operations && s->pairs; k++)
        for (unsigned other = 0; other < PL_CHECK_ANSWERS; other++) {
            if (!l->told[k][other])
                continue;
            tell_bringers(s, l, i, number, k, other);
            tell_bringers(s, l, k, other, i, number);
        }
    __atomic_store_n(&l->told[i][number], 1, __ATOMIC_RELEASE);
    for (uint32_t state = 0; state < PL_CHECK_STATES; state++)
        if (l->met[state])
            ask(a, state, i, number);
}

static void learn_all(struct ahead *a, const struct record *r, const struct answers *answers)
{
    meet(a, a->trial->judge[0].machine->start);
    for (unsigned i = 0; i < a->shortcut->operations; i++)
        learn(a, i, r->head.order[i], answers->response[i]);
}

static void tell_decided(const struct pl_shortcut *s, const struct record *r,
                         const uint32_t *needed, struct pl_wire_lines *l)
{
    uint32_t vector = r->head.vector, count = r->head.operations;
    if (!s->publishes || s->pairs || vector >= PL_CHECK_VECTORS || l->decided[vector])
        return;
    memcpy(&l->needed[vector * count], needed, count * sizeof *needed);
    __atomic_store_n(&l->decided[vector], 1, __ATOMIC_RELEASE);
}

/* ---- the outside ---- */

static bool is_passed(const struct pl_shortcut *s, const uint32_t *needed, const uint32_t *passed)
{
    bool missing = false;
    for (unsigned i = 0; i < s->operations && s->publishes; i++)
        missing |= s->pairs ? needed[i] && !(needed[i] & passed[i]) : needed[i] & ~passed[i];
    return !missing;
}

static void find_needed(const struct pl_shortcut *s, const struct record *r, struct answers *a)
{
    if (!s->pairs) {
        memcpy(a->needed, r->passed, sizeof a->needed);
        return;
    }
    for (unsigned j = 0; j < s->operations; j++) {
        const struct pl_operation found = with_result(s, j, a->response[j]);
        a->needed[j] = 0;
        for (unsigned i = 0; i < s->operations; i++) {
            const struct pl_operation what = with_result(s, i, a->response[i]);
            bool brings = i != j && pl_brings_about(s->pairs, &what, &found);
            a->needed[j] |= (uint32_t)brings << i;
        }
    }
}

/* What the process is told of a history. */
struct telling {
    struct ahead *ahead;
    const struct pl_wire_history *head;
};

static void note_step(void *context, uint32_t state, unsigned operation, bool taken, uint32_t next)
{
    const struct telling *t = context;
    tell_step(t->ahead->lines, t->ahead->shortcut, state, operation, t->head->order[operation],
              taken, next);
    if (taken)
        meet(t->ahead, next);
}

bool pl_shortcut_may_settle(const struct pl_wire_history *head, const struct pl_wire_lines *lines)
{
    return head->clients != PL_CLIENTS_NONE && head->key < PL_CHECK_KEYS &&
           lines->settled[head->key] == PL_SETTLED_UNKNOWN;
}

void pl_shortcut_settle(const struct pl_wire_history *head, struct pl_wire_lines *lines, bool good)
{
    __atomic_store_n(&lines->settled[head->key], good ? PL_SETTLED : PL_SETTLED_NOT,
                     __ATOMIC_RELAXED);
}

static bool is_explained(const struct pl_trial *t, const struct record *r, const struct answers *a,
                         bool global, struct pl_wire_lines *lines)
{
    struct pl_shortcut *s = t->shortcut;
    struct ahead ahead = {.trial = t, .shortcut = s, .lines = lines};
    struct telling telling = {.ahead = &ahead, .head = &r->head};
    const struct pl_line_note note = {note_step, &telling};
    for (unsigned i = 0; i < s->operations; i++)
        s->called[i].response = a->response[i];
    const struct pl_line_order order = {
        .operations = s->operations,
        .order = r->order,
        .cause = r->head.clients == PL_CLIENTS_NONE ? NULL : r->cause,
        .global = global && r->head.clients == PL_CLIENTS_EXACT ? r->global : NULL,
        .barred = r->barred,
        .own = s->own};
    bool explained = pl_line_explains(&order, t->judge[0].machine, s->called, &note);
    learn_all(&ahead, r, a);
    go_on(&ahead);
    return explained;
}

bool pl_shortcut_takes(const struct pl_trial *t, const uint8_t *at, uint32_t bytes,
                       struct pl_wire_lines *lines)
{
    struct pl_shortcut *s = t->shortcut;
    struct record r;
    if (!s || t->split || !read_record(s, at, bytes, &r))
        return false;
    uint16_t number = *slot_of(s, &r);
    if (!number)
        return false;
    const struct answers *a = &s->seen[number - 1];
    if (a->length != r.length || memcmp(a->bytes, r.answers, r.length) != 0)
        return false;
    tell_decided(s, &r, a->needed, lines); /* another process may have come to it first */
    if (!is_passed(s, a->needed, r.passed))
        return false;
    if (!pl_shortcut_may_settle(&r.head, lines))
        return is_explained(t, &r, a, true, lines);
    if (!is_explained(t, &r, a, false, lines))
        return false;
    pl_shortcut_settle(&r.head, lines, true);
    return true;
}

void pl_shortcut_add(const struct pl_trial *t, const uint8_t *at, uint32_t bytes,
                     const struct pl_bad *decided, struct pl_wire_lines *lines)
{
    struct pl_shortcut *s = t->shortcut;
    struct record r;
    if (!s || t->split || !read_record(s, at, bytes, &r))
        return;
    uint16_t *slot = slot_of(s, &r);
    if (!*slot && s->count == MOST_SEEN)
        return;
    *slot = *slot ? *slot : (uint16_t)++s->count;
    struct answers *a = &s->seen[*slot - 1];
    a->length = r.length;
    memcpy(a->bytes, r.answers, r.length);
    for (unsigned i = 0; i < s->operations; i++)
        a->response[i] = decided->seen.called[i].response;
    find_needed(s, &r, a);
    tell_decided(s, &r, a->needed, lines);
    (void)is_explained(t, &r, a, true, lines);
}
