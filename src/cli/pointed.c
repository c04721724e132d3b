/* Points of histories: see pointed.h. */
#include "cli/pointed.h"

#include <string.h>

#include "check/serial.h"
#include "cli/asked.h"
#include "cli/execute.h"

/* ---- as they came ---- */

size_t pl_pointed_read(struct pl_seen_history *out, const uint8_t *bytes, size_t room)
{
    uint64_t count;
    size_t rows = out->head.clients ? 2 * out->head.operations * sizeof *out->reach : 0, points;
    _Static_assert((int)PL_CHECK_EFFECTS == PL_MOST_POINTS, "the same limits");
    if (room < sizeof count)
        return 0;
    memcpy(&count, bytes, sizeof count);
    points = count * sizeof *out->effect;
    if (count > PL_CHECK_EFFECTS || room < sizeof count + points + rows)
        return 0;
    out->effects = (unsigned)count;
    memcpy(out->effect, bytes + sizeof count, points);
    memcpy(out->reach, bytes + sizeof count + points, rows);
    return sizeof count + points + rows;
}

/* Calls and returns of the operations number[] alone. */
static uint64_t selected(uint64_t row, const struct pl_bad *b)
{
    uint64_t to = 0;
    for (unsigned i = 0; i < b->order.operations; i++)
        to |= (row >> 2 * b->number[i] & 3) << 2 * i;
    return to;
}

/* Those of operations that are judged, and whose they are. A late one returns last. */
static void select_points(const struct pl_trial *t, struct pl_bad *b)
{
    const struct pl_seen_history *h = &b->seen;
    uint8_t as[PL_MOST_CALLED], kept[PL_MOST_POINTS] = {0};
    uint64_t late = 0;
    memset(as, PL_MOST_CALLED, sizeof as);
    for (unsigned i = 0; i < b->order.operations; i++) {
        as[b->number[i]] = (uint8_t)i;
        if (t->calls[t->test->operation[b->number[i]]].marks.late)
            late |= pl_event_bit(2 * i + 1) & pl_order_events(&b->order);
    }
    b->points = (struct pl_points){.clocked = h->head.clients == PL_CLIENTS_NONE};
    for (unsigned k = 0; k < h->effects; k++)
        if (h->effect[k].operation < PL_MOST_CALLED && as[h->effect[k].operation] < PL_MOST_CALLED)
            kept[b->points.count++] = (uint8_t)k;
    for (unsigned k = 0; k < b->points.count; k++) {
        const struct pl_wire_effect *e = &h->effect[kept[k]];
        struct pl_point *p = &b->points.at[k];
        *p = (struct pl_point){.operation = as[e->operation],
                               .before = selected(e->before, b) & ~late,
                               .after = selected(e->after, b) | late,
                               .past = selected(e->past, b) & ~late,
                               .future = selected(e->future, b) | late};
        b->mark[k] = kept[k];
        for (unsigned i = 0; i < b->points.count; i++) {
            p->earlier |= (e->earlier >> kept[i] & 1) << i;
            p->with |= (e->with >> kept[i] & 1) << i;
        }
    }
    for (unsigned e = 0; e < 2 * b->order.operations && !b->points.clocked; e++)
        b->points.reach[e] = selected(h->reach[2 * b->number[e / 2] + e % 2], b) & ~late;
}

enum pl_decision pl_pointed_decide(struct pl_trial *t, struct pl_judge *j, struct pl_bad *b,
                                   const struct pl_behaviour *behaviour)
{
    select_points(t, b);
    if (!b->points.clocked)
        return pl_bad_decide_points(t, j, b, behaviour);
    return pl_points_decide(j->machine, behaviour, &b->points, &t->deciding->budget, &b->mismatch,
                            &t->stats.points);
}

/* ---- in words ---- */

/* "deq() = 2". */
static void add_answered(const struct pl_bad *b, unsigned operation, const char *const *name,
                         const char *const *answer, struct pl_strbuf *out)
{
    unsigned i = b->number[operation];
    pl_strbuf_addf(out, "%s%s%s", name[i], answer[i][0] ? " = " : "", answer[i]);
}

static const struct pl_wire_effect *mark_of(const struct pl_bad *b, unsigned point)
{
    return &b->seen.effect[b->mark[point % PL_MOST_POINTS] % PL_CHECK_EFFECTS];
}

/* "the point of deq() = 2 on thread 1 (queue.c:41)". */
static void add_point(const struct pl_trial *t, const struct pl_bad *b, unsigned point,
                      const char *const *name, const char *const *answer, struct pl_strbuf *out)
{
    unsigned operation = b->points.at[point].operation;
    struct pl_strbuf line;
    pl_strbuf_init(&line);
    pl_strbuf_add(out, "the point of ");
    add_answered(b, operation, name, answer, out);
    pl_strbuf_addf(out, " on thread %u", pl_test_thread(t->test, b->number[operation]));
    if (t->deciding->execute && pl_execute_line(t->deciding->execute, mark_of(b, point)->pc, &line))
        pl_strbuf_addf(out, " (%s)", line.text);
    pl_strbuf_release(&line);
}

static void add_spec_answer(const struct pl_trial *t, const struct pl_bad *b, struct pl_strbuf *out)
{
    if (b->mismatch.answer == PL_ANY) {
        pl_strbuf_add(out, "waits");
        return;
    }
    pl_strbuf_add(out, "answers ");
    size_t before = out->length;
    pl_trial_text(t, b->judge, b->mismatch.answer, out);
    if (out->length == before)
        pl_strbuf_add(out, "nothing");
}

void pl_pointed_sentence(const struct pl_trial *t, const struct pl_bad *b, const char *const *name,
                         const char *const *answer, struct pl_strbuf *out)
{
    const struct pl_mismatch *m = &b->mismatch;
    unsigned thread = pl_test_thread(t->test, b->number[m->operation]);
    switch (m->kind) {
    case PL_MISMATCH_CYCLE:
        add_point(t, b, m->point, name, answer, out);
        pl_strbuf_add(out, " and ");
        add_point(t, b, m->other, name, answer, out);
        pl_strbuf_add(out, " come before each other");
        break;
    case PL_MISMATCH_OUTSIDE:
        add_point(t, b, m->point, name, answer, out);
        pl_strbuf_add(out, " can be passed outside its call and return");
        break;
    case PL_MISMATCH_ANSWER:
        pl_strbuf_add(out, "the spec ");
        add_spec_answer(t, b, out);
        pl_strbuf_add(out, " at ");
        add_point(t, b, m->point, name, answer, out);
        break;
    case PL_MISMATCH_MOMENT:
    case PL_MISMATCH_CHANGE:
        add_answered(b, m->operation, name, answer, out);
        pl_strbuf_addf(out, " on thread %u passed no point, and ", thread);
        pl_strbuf_add(out, m->kind == PL_MISMATCH_CHANGE
                               ? "with this answer it changes the object"
                               : "the spec has this answer at no moment from its call to its "
                                 "return");
        break;
    case PL_MISMATCH_WAITS:
        pl_strbuf_addf(out,
                       "%s on thread %u never returns, though after the points it does not wait",
                       name[b->number[m->operation]], thread);
        break;
    case PL_MISMATCH_NONE:
        break;
    }
    pl_strbuf_add(out, "; the structure is fine here, the point is not");
}

/* An order that explains the answers: what the points should have been. */
static void add_witness(struct pl_trial *t, const struct pl_bad *b, const char *const *name,
                        const char *const *answer, struct pl_strbuf *out)
{
    static const struct pl_budget none;
    struct pl_nearest nearest = {0};
    const struct pl_behaviour behaviour = {.order = &b->order,
                                           .called = b->called,
                                           .stuck = b->seen.head.kind == PL_HISTORY_STUCK &&
                                                    b->order.pending};
    if (pl_serial_order(t->judge[b->judge].machine, &behaviour, &none, &nearest) != PL_GOOD)
        return;
    pl_strbuf_add(out, "\n    The structure is fine here; its answers come from\n     ");
    for (unsigned k = 0; k < nearest.near[0].length; k++) {
        pl_strbuf_add(out, k ? ", " : " ");
        add_answered(b, nearest.near[0].order[k], name, answer, out);
    }
    pl_strbuf_add(out, "\n");
}

void pl_pointed_details(struct pl_trial *t, const struct pl_bad *b, const char *const *name,
                        const char *const *answer, struct pl_strbuf *out)
{
    const struct pl_mismatch *m = &b->mismatch;
    const char *const how[] = {" ▶ ", " ◀ "};
    if (m->events)
        pl_strbuf_addf(out, "\n    The points (●)%s, up to what is wrong:\n     ",
                       b->points.clocked ? ", calls (▶) and returns (◀)" : " in their order");
    for (unsigned k = 0; k < m->events; k++) {
        unsigned e = m->event[k], point = e - 64u;
        unsigned operation = e < 64 ? e / 2 : b->points.at[point % PL_MOST_POINTS].operation;
        pl_strbuf_add(out, e < 64 ? how[e & 1] : " ● ");
        if (e < 64 && (e & 1))
            add_answered(b, operation, name, answer, out);
        else
            pl_strbuf_add(out, name[b->number[operation]]);
        unsigned by = e < 64 ? 0 : mark_of(b, point)->by;
        if (e >= 64 && by != mark_of(b, point)->operation)
            pl_strbuf_addf(out, " (by %s)",
                           by == PL_BY_THREAD ? "another thread" : name[by % PL_MOST_CALLED]);
    }
    pl_strbuf_add(out, m->events ? "\n" : "");
    add_witness(t, b, name, answer, out);
}
