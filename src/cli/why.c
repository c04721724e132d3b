/* What is wrong with a history: see why.h. */
#include "cli/why.h"

#include <stdlib.h>
#include <string.h>

#include "check/serial.h"
#include "cli/loosened.h"
#include "cli/pointed.h"
#include "cli/why_values.h"

enum { MOST_ORDERS = 200000 };

struct why {
    struct pl_trial *trial;
    const struct pl_bad *is;
    const struct pl_seen_history *bad; /* the same as it came */
    const char *const *name;
    uint32_t before[PL_MOST_CALLED]; /* in the history shown: those that had returned */
    uint32_t completed;
};

/* What invocation i answered in the history. */
static const char *answer_of(const struct why *w, unsigned i)
{
    const struct pl_trial *t = w->trial;
    size_t number = w->bad->answer[i];
    return (w->bad->head.returned >> i & 1) && number < t->responses.count
               ? t->responses.at[number].text
               : "";
}

/* "deq() = 2", or "enq(1)" where the response is nothing. */
static void add_answered(const struct why *w, unsigned i, struct pl_strbuf *out)
{
    const char *text = answer_of(w, i);
    pl_strbuf_addf(out, "%s%s%s", w->name[i], text[0] ? " = " : "", text);
}

/* What the spec would have answered. */
static void add_expected(const struct why *w, pl_value response, struct pl_strbuf *out)
{
    size_t before = out->length;
    pl_trial_text(w->trial, w->is->judge, response, out);
    if (out->length == before)
        pl_strbuf_add(out, "nothing");
}

/* ---- the columns ---- */

static void cell(const struct why *w, unsigned i, struct pl_strbuf *out)
{
    if (!(w->bad->head.called >> i & 1))
        pl_strbuf_addf(out, "%s  (not called)", w->name[i]);
    else if (!(w->bad->head.returned >> i & 1))
        pl_strbuf_addf(out, "%s  never returns", w->name[i]);
    else
        add_answered(w, i, out);
}

static void add_sequence(const struct why *w, const char *title, unsigned first, unsigned count,
                         struct pl_strbuf *out)
{
    if (!count)
        return;
    pl_strbuf_addf(out, "    %s: ", title);
    for (unsigned i = 0; i < count; i++) {
        pl_strbuf_add(out, i ? ", " : "");
        cell(w, first + i, out);
    }
    pl_strbuf_add(out, "\n");
}

static void pad_to(struct pl_strbuf *out, size_t start, size_t width)
{
    while (out->length - start < width)
        pl_strbuf_add(out, " ");
}

static void columns(const struct why *w, struct pl_strbuf *out)
{
    const struct pl_test *t = w->trial->test;
    size_t width[PL_TEST_THREADS];
    unsigned rows = 0, first[PL_TEST_THREADS + 1] = {0, t->init};
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    for (unsigned c = 1; c < t->threads; c++) {
        first[c + 1] = first[c] + t->length[c];
        rows = t->length[c] > rows ? t->length[c] : rows;
        width[c] = 10;
        for (unsigned i = 0; i < t->length[c]; i++) {
            pl_strbuf_clear(&text);
            cell(w, first[c] + i, &text);
            width[c] = text.length > width[c] ? text.length : width[c];
        }
    }
    pl_strbuf_release(&text);
    add_sequence(w, "before it", 0, t->init, out);
    for (int row = -1; row < (int)rows; row++) {
        pl_strbuf_add(out, "    ");
        for (unsigned c = 1; c < t->threads; c++) {
            size_t start = out->length;
            if (row < 0)
                pl_strbuf_addf(out, "thread %u", c);
            else if ((unsigned)row < t->length[c])
                cell(w, first[c] + (unsigned)row, out);
            if (c + 1u < t->threads)
                pad_to(out, start, width[c] + 3);
        }
        while (out->length && out->text[out->length - 1] == ' ')
            out->text[--out->length] = '\0';
        pl_strbuf_add(out, "\n");
    }
    add_sequence(w, "after it", pl_test_count(t) - t->final, t->final, out);
}

/* ---- the nearest serial orders ---- */

/* A whole order of the operations in which every answer fits. */
struct attempt {
    uint8_t order[PL_MOST_CALLED];
    unsigned length;
    unsigned inverted; /* pairs against the real-time order */
};

struct attempts {
    struct why *why;
    struct attempt now, legal;
    unsigned tried;
    bool has_legal;
};

/* Whole orders in which every answer fits, with the fewest pairs against the real-time order. */
static void try_legal(struct attempts *a, uint32_t state, uint32_t effects, unsigned inverted)
{
    struct why *w = a->why;
    if (effects == w->completed) {
        if (!a->has_legal || inverted < a->legal.inverted) {
            a->legal = a->now;
            a->legal.inverted = inverted;
            a->has_legal = true;
        }
        return;
    }
    for (uint32_t left = w->completed & ~effects; left && a->tried < MOST_ORDERS;
         left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left), length = a->now.length;
        pl_value response;
        uint32_t next;
        for (unsigned which = 0;; which++) {
            enum pl_step step = pl_step(w->trial->judge[w->is->judge].machine, state,
                                        w->trial->invocation[i], which, &response, &next);
            if (step == PL_STEP_END || step == PL_STEP_UNTRIED)
                break;
            if (step != PL_STEP_ANSWERS || response != w->bad->called[i].response)
                continue;
            a->tried++;
            a->now.order[length] = (uint8_t)i;
            a->now.length = length + 1;
            try_legal(a, next, effects | (uint32_t)1 << i,
                      inverted + (unsigned)__builtin_popcount(w->before[i] & ~effects));
            a->now.length = length;
        }
    }
}

static void add_order(const struct why *w, const struct attempt *a, struct pl_strbuf *out)
{
    for (unsigned i = 0; i < a->length; i++) {
        pl_strbuf_add(out, i ? ", " : "");
        add_answered(w, a->order[i], out);
    }
}

/* The pair of the legal order that the history contradicts. */
static void add_contradiction(const struct why *w, const struct attempt *a, struct pl_strbuf *out)
{
    for (unsigned i = 0; i < a->length; i++)
        for (unsigned k = i + 1; k < a->length; k++)
            if (w->before[a->order[i]] >> a->order[k] & 1) {
                pl_strbuf_addf(out, "but %s had returned before %s was called\n",
                               w->name[a->order[k]], w->name[a->order[i]]);
                return;
            }
    pl_strbuf_add(out, "but not in this history\n");
}

/* After the operations that agree, what the spec says to the next. */
static void add_near(const struct why *w, const struct pl_near *n, struct pl_strbuf *out)
{
    const uint8_t *number = w->is->number;
    unsigned next = number[n->operation];
    pl_strbuf_add(out, n->length ? "      after  " : "      at first  ");
    for (unsigned i = 0; i < n->length; i++) {
        pl_strbuf_add(out, i ? ", " : "");
        add_answered(w, number[n->order[i]], out);
    }
    pl_strbuf_addf(out, "%s%s ", n->length ? "  " : "", w->name[next]);
    if (n->blocks) {
        pl_strbuf_add(out, "blocks\n");
        return;
    }
    if (n->pending && !w->trial->against) {
        pl_strbuf_add(out, "returns at once in every serial run\n");
        return;
    }
    pl_strbuf_add(out, "answers ");
    for (unsigned i = 0; i < n->answers; i++) {
        bool again = false; /* a relaxed spec may go on in several ways */
        for (unsigned k = 0; k < i; k++)
            again = again || n->answer[k] == n->answer[i];
        if (again)
            continue;
        pl_strbuf_add(out, i ? " or " : "");
        add_expected(w, n->answer[i], out);
    }
    if (n->pending)
        pl_strbuf_add(out, ", and does not wait\n");
    else
        pl_strbuf_addf(out, ", not %s\n",
                       answer_of(w, next)[0] ? answer_of(w, next) : "without an answer");
}

static void nearest_orders(struct why *w, struct pl_strbuf *out)
{
    static const struct pl_budget none;
    struct pl_trial *t = w->trial;
    const struct pl_refuted *r = &w->is->refuted;
    struct pl_behaviour behaviour = {.order = &w->is->order,
                                     .called = w->is->called,
                                     .stuck = w->bad->head.kind == PL_HISTORY_STUCK};
    struct pl_nearest nearest = {0};
    if (r->events)
        (void)pl_serial_history(t->judge[w->is->judge].machine, &behaviour, r->event, r->events,
                                &none, &nearest);
    else
        (void)pl_serial_order(t->judge[w->is->judge].machine, &behaviour, &none, &nearest);
    struct pl_strbuf line;
    pl_strbuf_init(&line);
    const size_t first = out->length;
    for (unsigned i = 0; i < nearest.count; i++) {
        pl_strbuf_clear(&line);
        add_near(w, &nearest.near[i], &line);
        if (!strstr(out->text + first, line.text)) /* of calls that are written alike */
            pl_strbuf_add(out, line.text);
    }
    pl_strbuf_release(&line);
}

/* "The value 1 was put once and taken twice." */
static void add_values(const struct why *w, struct pl_strbuf *out)
{
    const char *answer[PL_MOST_CALLED];
    const struct pl_judge *judge = &w->trial->judge[w->is->judge];
    const struct pl_against *against = judge->against;
    struct pl_why_facts facts = {
        .count = pl_test_count(w->trial->test),
        .name = w->name,
        .answer = answer,
        .called = w->bad->head.called & judge->invocations,
        .returned = w->bad->head.returned & judge->invocations,
        .before = w->before,
        .map = against ? against->map : NULL,
        .spec = against && against->spec ? against->spec->name : NULL,
    };
    if (against && (against->relaxation.on || w->trial->deciding->relaxed))
        facts.spec = pl_spec_bag.name; /* of their order nothing can be said */
    struct pl_strbuf text;
    for (unsigned i = 0; i < facts.count; i++)
        answer[i] = answer_of(w, i);
    pl_strbuf_init(&text);
    pl_why_values(&facts, &text);
    if (text.length)
        pl_strbuf_addf(out, "      %s\n", text.text);
    pl_strbuf_release(&text);
}

static void contradictions(struct why *w, struct pl_strbuf *out)
{
    struct attempts a = {.why = w};
    pl_strbuf_add(out, "\n    Why no order explains it:\n");
    if (w->is->kind == PL_FINDING_STUCK) {
        nearest_orders(w, out);
        return;
    }
    add_values(w, out);
    try_legal(&a, w->trial->judge[w->is->judge].machine->start, 0, 0);
    if (a.has_legal) {
        pl_strbuf_add(out, "      one at a time these answers come from  ");
        add_order(w, &a.legal, out);
        pl_strbuf_add(out, ",\n        ");
        add_contradiction(w, &a.legal, out);
    } else if (a.tried < MOST_ORDERS) {
        pl_strbuf_add(out, "      no order at all, one at a time, gives these answers\n");
    }
    nearest_orders(w, out);
}

/* ---- quasi linearizability ---- */

static void add_places(const struct why *w, const char *title, const uint8_t *order, unsigned count,
                       struct pl_strbuf *out)
{
    pl_strbuf_addf(out, "        %-20s", title);
    for (unsigned i = 0; i < count; i++) {
        pl_strbuf_add(out, i ? ", " : "");
        add_answered(w, w->is->number[order[i]], out);
    }
    pl_strbuf_add(out, "\n");
}

/* How large the factor would have to be. */
static void needed_factor(struct why *w, struct pl_strbuf *out)
{
    struct pl_trial *t = w->trial;
    const struct pl_relaxed *r = t->deciding->relaxed;
    struct pl_behaviour behaviour = {.order = &w->is->order,
                                     .called = w->is->called,
                                     .stuck = w->bad->head.kind == PL_HISTORY_STUCK};
    unsigned factor[PL_MOST_CALLED];
    uint8_t group[PL_MOST_CALLED];
    struct pl_quasi_witness witness;
    pl_trial_groups(t, w->is, group);
    pl_strbuf_add(out, "\n    Which factor would explain it:\n");
    enum pl_decision decision =
        r->find ? PL_BAD
                : pl_relaxed_needed(r, t->judge[w->is->judge].machine, &behaviour, group,
                                    &w->is->refuted, factor, &witness);
    unsigned lacks = r->as_given ? pl_relaxed_lacks(r, t->test) : 0;
    if (lacks)
        pl_strbuf_addf(out,
                       "      the test is not well formed: it lacks %u take%s at its end, so that "
                       "what was overtaken\n      may stay inside; without --complete=off they are "
                       "added\n",
                       lacks, lacks == 1 ? "" : "s");
    if (decision != PL_GOOD) {
        pl_strbuf_add(out, decision == PL_BAD ? "      none, however large\n"
                                              : "      not known: it was not found in time\n");
        return;
    }
    pl_strbuf_add(out, "      ");
    pl_relaxed_print(r, factor, out);
    pl_strbuf_add(out, "\n");
    add_places(w, "what happened", witness.happened, witness.count, out);
    add_places(w, "what the spec says", witness.accepted, witness.count, out);
}

/* ---- the history: calls and returns in one order ---- */

/* Puts out those of `events` that have to come before what has these predecessors. */
static void add_before(const struct pl_order *order, uint64_t events, uint64_t before,
                       uint8_t *event, unsigned *count, uint64_t *done)
{
    for (uint64_t left; (left = events & before & ~*done);) {
        uint64_t next = left;
        while (next && (order->before[__builtin_ctzll(next)] & left))
            next &= next - 1;
        if (!next)
            return;
        event[(*count)++] = (uint8_t)__builtin_ctzll(next);
        *done |= next & -next;
    }
}

/* The history that was refuted, with the calls that failed and may do so at any time: they had no
 * effect, and were left out when it was decided. Events as 2i, 2i + 1 of the invocations. */
static unsigned whole_history(const struct why *w, uint8_t event[PL_CALLED_EVENTS])
{
    const struct pl_refuted *r = &w->is->refuted;
    struct pl_order order;
    uint64_t failed = 0, done = 0;
    unsigned count = 0;
    bool closed = pl_order_close(&w->bad->order, &order);
    for (unsigned i = 0; i < w->bad->head.operations && closed; i++)
        if ((w->bad->head.returned >> i & 1) && w->bad->called[i].failed)
            failed |= (uint64_t)3 << 2 * i;
    for (unsigned k = 0; k < r->events; k++) {
        unsigned e = 2u * w->is->number[r->event[k] / 2] + (r->event[k] & 1);
        add_before(&order, failed, failed ? order.before[e] : 0, event, &count, &done);
        event[count++] = (uint8_t)e;
        done |= (uint64_t)1 << e;
    }
    for (uint64_t left = failed & ~done; left; left &= left - 1)
        if (order.before[__builtin_ctzll(left)] & ~failed & ~done)
            failed &= ~(left & -left); /* after the end of what was refuted */
    add_before(&order, failed, UINT64_MAX, event, &count, &done);
    return count;
}

static unsigned add_history(struct why *w, uint8_t event[PL_CALLED_EVENTS], struct pl_strbuf *out)
{
    unsigned events = whole_history(w, event);
    uint32_t returned = 0;
    pl_strbuf_add(out, "\n    The history, call by call:\n     ");
    for (unsigned i = 0; i < events; i++) {
        unsigned o = event[i] / 2;
        pl_strbuf_add(out, event[i] & 1 ? " ◀ " : " ▶ ");
        if (event[i] & 1)
            add_answered(w, o, out);
        else
            pl_strbuf_add(out, w->name[o]);
        if (event[i] & 1)
            returned |= (uint32_t)1 << o;
        else
            w->before[o] = returned;
    }
    pl_strbuf_add(out, "\n");
    return events;
}

/* Under a weak model there is no such order: what synchronises, and the client's own edges. */
static void weak_order(struct why *w, struct pl_strbuf *out)
{
    const struct pl_client *c = &w->is->client;
    const uint8_t *number = w->is->number;
    const char *gap = "\n    The client synchronises (release after the return, acquire before the "
                      "call):\n";
    for (unsigned j = 0; j < w->is->order.operations; j++)
        for (uint32_t rest = c->edges[j]; rest; rest &= rest - 1) {
            unsigned i = (unsigned)__builtin_ctz(rest);
            pl_strbuf_addf(out,
                           "%s      %s on thread %u returns before %s on thread %u is called\n",
                           gap, w->name[number[i]], pl_test_thread(w->trial->test, number[i]),
                           w->name[number[j]], pl_test_thread(w->trial->test, number[j]));
            gap = "";
        }
    if (!*gap)
        pl_strbuf_add(out,
                      "      (The steps below are the object's alone, and need not come in this "
                      "order.)\n");
    struct pl_order closed;
    uint32_t before[PL_MOST_CALLED];
    if (!pl_order_close(&w->is->order, &closed))
        return;
    pl_order_operations(&closed, before);
    for (unsigned i = 0; i < closed.operations; i++)
        for (unsigned k = 0; k < closed.operations; k++)
            w->before[w->is->number[i]] |= (before[i] >> k & 1) << w->is->number[k];
}

/* What is missing, as the client's data race that it is. */
static void unpublished(const struct why *w, struct pl_strbuf *out)
{
    unsigned from = w->is->number[w->is->unpublished.before],
             to = w->is->number[w->is->unpublished.after];
    pl_strbuf_addf(out,
                   "\n    Why it matters:\n      a plain variable that thread %u writes before %s "
                   "and thread %u reads after %s\n      has a data race: on the way below no "
                   "release store is read by an acquire load\n",
                   pl_test_thread(w->trial->test, from), w->name[from],
                   pl_test_thread(w->trial->test, to), w->name[to]);
}

/* ---- sentences ---- */

/* What the spec lets takes do. */
static void add_relaxation(const struct why *w, struct pl_strbuf *out)
{
    const struct pl_against *against = w->trial->judge[w->is->judge].against;
    if (!against || !against->relaxation.on)
        return;
    pl_strbuf_add(out, " (");
    pl_loosened_print(&against->relaxation, out);
    pl_strbuf_add(out, ")");
}

static void sentence_of(struct why *w, struct pl_strbuf *out)
{
    const struct pl_trial *t = w->trial;
    const struct pl_refuted *r = &w->is->refuted;
    const struct pl_against *against = t->judge[w->is->judge].against;
    if (against && against->object)
        pl_strbuf_addf(out, "%s: ", against->object);
    if (w->is->kind == PL_FINDING_NONDETERMINISTIC) {
        const struct pl_wire_history *h = &w->bad->head;
        unsigned last = h->order[w->is->conflict.place % PL_MOST_CALLED];
        for (unsigned i = 0; i < w->is->conflict.place; i++)
            pl_strbuf_addf(out, "%s%s", i ? ", " : "after ", w->name[h->order[i]]);
        pl_strbuf_addf(out, "%s%s ", w->is->conflict.place ? ", " : "", w->name[last]);
        if (!(h->returned >> last & 1))
            pl_strbuf_add(out, "blocks");
        else
            pl_strbuf_addf(out, "answers %s", answer_of(w, last));
        if (w->is->conflict.blocked)
            pl_strbuf_add(out, " in one serial run and blocks in another");
        else {
            pl_strbuf_add(out, " in one serial run and ");
            add_expected(w, w->is->conflict.answer, out);
            pl_strbuf_add(out, " in another");
        }
    } else if (w->is->kind == PL_FINDING_STUCK) {
        pl_strbuf_addf(
            out, "%s on thread %u never returns, though %s", w->name[w->is->number[r->unjustified]],
            pl_test_thread(t->test, w->is->number[r->unjustified]),
            w->is->effective ? "it has taken effect: without it the others would answer differently"
                             : "no order of the operations before it makes it wait");
    } else if (w->is->kind == PL_FINDING_UNPUBLISHED) {
        unsigned from = w->is->number[w->is->unpublished.before],
                 to = w->is->number[w->is->unpublished.after];
        add_answered(w, to, out);
        pl_strbuf_addf(
            out,
            " on thread %u depends on %s on thread %u, but what was done before that does "
            "not happen before it returns",
            pl_test_thread(t->test, to), w->name[from], pl_test_thread(t->test, from));
    } else if (w->is->kind == PL_FINDING_NOT_QUASI_LINEARIZABLE) {
        const struct pl_relaxed *relaxed = t->deciding->relaxed;
        if (relaxed->find) {
            pl_strbuf_add(out, "no factor, however large, explains the answers");
            return;
        }
        pl_strbuf_add(out, "no order of the operations within factor ");
        pl_relaxed_print(relaxed, relaxed->factor, out);
        pl_strbuf_add(out, " explains their answers");
    } else if (r->at < r->events) {
        unsigned o = w->is->number[r->event[r->at] / 2];
        const char *text = answer_of(w, o);
        pl_strbuf_addf(out, "no order of the operations explains that %s answers %s", w->name[o],
                       text[0] ? text : "at all");
        add_relaxation(w, out);
    } else {
        pl_strbuf_add(out, "no order of the operations explains their answers");
        add_relaxation(w, out);
    }
}

/* ---- together ---- */

static void set_names(struct pl_why *out, const struct pl_trial *t, const struct pl_call *calls)
{
    struct pl_strbuf test;
    *out = (struct pl_why){0};
    pl_strbuf_init(&test);
    pl_test_print(t->test, calls, &test);
    out->test = pl_strbuf_detach(&test);
    unsigned count = pl_test_count(t->test);
    for (unsigned i = 0; i < count; i++) {
        out->name[i] = calls[t->test->operation[i]].shown;
        out->thread[i] = (uint8_t)pl_test_thread(t->test, i);
        out->response[i] = "";
    }
    out->report = (struct pl_report_check){.test = out->test,
                                           .name = out->name,
                                           .response = out->response,
                                           .thread = out->thread,
                                           .event = out->event,
                                           .operations = count};
}

void pl_why_bad(struct pl_why *out, struct pl_trial *t, const struct pl_bad *bad,
                const struct pl_call *calls)
{
    struct pl_strbuf text;
    set_names(out, t, calls);
    struct why w = {.trial = t,
                    .is = bad,
                    .bad = &bad->seen,
                    .name = out->name,
                    .completed = bad->seen.head.returned & t->judge[bad->judge].invocations};
    for (unsigned i = 0; i < out->report.operations; i++)
        if (bad->seen.head.returned >> i & 1)
            out->response[i] = answer_of(&w, i);
    for (unsigned i = 0; i < out->report.operations; i++)
        if (bad->seen.called[i].failed) /* it had no effect */
            w.completed &= ~((uint32_t)1 << i);
    pl_strbuf_init(&text);
    if (bad->kind == PL_FINDING_POINT_MISMATCH)
        pl_pointed_sentence(t, bad, out->name, out->response, &text);
    else
        sentence_of(&w, &text);
    out->sentence = pl_strbuf_detach(&text);
    pl_strbuf_init(&text);
    pl_strbuf_addf(&text, "\n    Test: %s\n\n", out->test);
    columns(&w, &text);
    size_t why = text.length;
    if (bad->kind == PL_FINDING_UNPUBLISHED) {
        unpublished(&w, &text);
    } else if (bad->kind == PL_FINDING_POINT_MISMATCH) {
        if (strcmp(t->model, "sc") != 0)
            weak_order(&w, &text);
        pl_pointed_details(t, bad, out->name, out->response, &text);
    } else if (bad->kind != PL_FINDING_NONDETERMINISTIC) {
        if (strcmp(t->model, "sc") == 0) {
            out->report.events = add_history(&w, out->event, &text);
            why = text.length;
        } else {
            weak_order(&w, &text);
        }
        if (bad->kind == PL_FINDING_NOT_QUASI_LINEARIZABLE)
            needed_factor(&w, &text);
        contradictions(&w, &text);
    }
    memcpy(out->before, w.before, sizeof w.before);
    out->details = pl_strbuf_detach(&text);
    out->report.sentence = out->sentence;
    out->report.details = out->details;
    out->report.why = out->details + why;
    out->report.returned = bad->seen.head.returned;
}

void pl_why_other(struct pl_why *out, const struct pl_trial *t, const struct pl_call *calls)
{
    struct pl_strbuf text;
    set_names(out, t, calls);
    pl_strbuf_init(&text);
    pl_strbuf_addf(&text, "\n    Test: %s\n", out->test);
    out->details = pl_strbuf_detach(&text);
    out->report.sentence = "";
    out->report.details = out->details;
}

void pl_why_release(struct pl_why *w)
{
    free(w->test);
    free(w->sentence);
    free(w->details);
    *w = (struct pl_why){0};
}
