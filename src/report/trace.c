/*
 * The interleaving. A column for each thread while they fit, else a label:
 *
 *          #  main                   thread 1
 *          1  q.c:20  create thread 1
 *             — thread 1 runs —
 *          2                         q.c:9  n.load relaxed = 0
 *      *   3                         q.c:9  write n
 *
 * A star marks the steps of the finding. What is a thread's own business (own.c) is left out; a
 * long trace is folded: what touches the same memory or objects as the finding stays, threads and
 * locks stay, and where threads meet (shared.c); of a finding that is one step, the end, too.
 */
#include <stdlib.h>
#include <string.h>

#include "report/view.h"
#include "result/layout.h"

enum {
    SHORT_TRACE = 60, /* shown whole */
    LAST_STEPS = 16,
    KEEP_SAME = 40, /* of each sort of step, the last so many */
    KEEP_THREADS = 24,
    KEEP_LOCKS = 24,
    KEEP_PASSES = 40,
    ROOM_SELDOM = 24, /* steps at places that are used seldom */
    COLUMNS = 4,
    COLUMNS_WIDTH = 150,
};

/* ---- what is worth showing ---- */

static bool overlaps(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size)
{
    return a < b + (b_size ? b_size : 1) && b < a + (a_size ? a_size : 1);
}

bool trace_concerns(const struct view *view, const struct pl_wire_event *e)
{
    const struct pl_wire_finding *f = view->finding;
    if (!e->address)
        return false;
    if (f->address && overlaps(e->address, e->size, f->address, f->size))
        return true;
    if (e->kind == PL_EVENT_MALLOC || e->kind == PL_EVENT_FREE)
        return f->block && e->address == f->block;
    for (unsigned t = 0; t < PL_MAX_THREADS; t++)
        if ((f->blocked >> t & 1) && f->waits_at[t] == e->address)
            return true;
    return false;
}

static bool about_threads(unsigned kind)
{
    return kind == PL_EVENT_CREATE || kind == PL_EVENT_START || kind == PL_EVENT_EXIT ||
           kind == PL_EVENT_JOIN || kind == PL_EVENT_FAULT;
}

static bool about_locks(unsigned kind)
{
    return (kind >= PL_EVENT_LOCK && kind <= PL_EVENT_ONCE_DONE) || kind == PL_EVENT_BLOCKED;
}

/* A thread at its own stack: nobody else's business, unless the finding is about it. */
static bool private_access(const struct pl_wire_event *e)
{
    return e->address >= PL_STACKS && e->address < PL_STACKS_END &&
           (e->address - PL_STACKS) / PL_STACK_STRIDE == e->thread;
}

/* The steps from the first call on, up to the last return: after that main only cleans up. */
struct calls {
    uint32_t from, to;
};

static struct calls find_calls(const struct view *view)
{
    const struct pl_wire_finding *f = view->finding;
    const bool history =
        f->kind >= PL_FINDING_NOT_LINEARIZABLE && f->kind <= PL_FINDING_UNPUBLISHED;
    struct calls c = {0, view->count};
    bool called = false, main_is_in = false;
    for (uint32_t i = 0; view->report->check && i < view->count; i++) {
        const struct pl_wire_event *e = &view->events[i];
        if (e->kind != PL_EVENT_CALL && e->kind != PL_EVENT_RETURN)
            continue;
        if (!called)
            c.from = i;
        if (!e->thread)
            main_is_in = e->kind == PL_EVENT_CALL;
        c.to = i + 1;
        called = true;
    }
    if (!called || !history || main_is_in)
        c.to = view->count;
    return c;
}

/* What the threads of a test do is shown. What they do to set themselves up may be why calls that
 * are made one at a time answer differently. */
static bool harness_step(const struct view *view, struct calls calls, uint32_t i)
{
    const struct pl_wire_event *e = &view->events[i];
    bool sets_up = e->thread && view->finding->kind == PL_FINDING_NONDETERMINISTIC;
    return (i < calls.from && !sets_up) || (i >= calls.to && !e->thread) || private_access(e) ||
           (about_threads(e->kind) && e->kind != PL_EVENT_FAULT);
}

/* Left out without a word between the steps: their numbers tell. */
static void select_quiet(const struct view *view, bool *quiet)
{
    const struct pl_wire_finding *f = view->finding;
    const struct calls calls = find_calls(view);
    for (uint32_t i = 0; i < view->count; i++)
        quiet[i] = false;
    if (view->report->full_trace)
        return;
    if (!view->report->check) {
        trace_own(view, quiet);
        return;
    }
    for (uint32_t i = 0; i < view->count; i++)
        quiet[i] =
            i + 1 != f->this_event && i + 1 != f->other_event && harness_step(view, calls, i);
}

/* How many of each sort are shown so far. */
struct shown {
    unsigned same, threads, locks, passes, last;
};

static bool is_call(unsigned kind)
{
    return kind == PL_EVENT_CALL || kind == PL_EVENT_RETURN || kind == PL_EVENT_EFFECT;
}

/* The last ones of each sort. A history is no one step: its end is worth no more than the rest. */
static bool is_worth(const struct view *view, uint32_t i, enum shared shared, struct shown *n)
{
    const struct pl_wire_finding *f = view->finding;
    const struct pl_wire_event *e = &view->events[i];
    bool one_step = !view->report->check || f->this_event;
    return (one_step && !private_access(e) && n->last++ < LAST_STEPS) || i + 1 == f->this_event ||
           i + 1 == f->other_event || (trace_concerns(view, e) && n->same++ < KEEP_SAME) ||
           (about_threads(e->kind) && n->threads++ < KEEP_THREADS) ||
           (about_locks(e->kind) && n->locks++ < KEEP_LOCKS) || is_call(e->kind) ||
           (shared == SHARED_PASSES && n->passes++ < KEEP_PASSES) || shared == SHARED_SELDOM;
}

/* A note takes as much room as the one step that it stands for. */
static void keep_single(const struct view *view, const bool *quiet, bool *keep)
{
    uint32_t hidden = 0, last = 0;
    for (uint32_t i = 0; i <= view->count; i++) {
        bool kept = i == view->count || keep[i];
        if (kept && hidden == 1)
            keep[last] = true;
        if (kept)
            hidden = 0;
        if (!kept && !quiet[i]) {
            hidden++;
            last = i;
        }
    }
}

static void select_rows(const struct view *view, const bool *quiet, bool *keep)
{
    struct shown n = {0};
    uint32_t shown = 0;
    enum shared *shared = calloc(view->count + 1, sizeof *shared);
    PL_ASSERT(shared);
    for (uint32_t i = 0; i < view->count; i++)
        shown += !quiet[i];
    bool all = view->report->full_trace || shown <= SHORT_TRACE;
    if (!all)
        trace_shared(view, quiet, ROOM_SELDOM, shared);
    for (uint32_t i = view->count; i-- > 0;)
        keep[i] = !quiet[i] && (all || is_worth(view, i, shared[i], &n));
    keep_single(view, quiet, keep);
    free(shared);
}

void trace_select(struct view *view, bool *keep, bool *quiet)
{
    select_quiet(view, quiet);
    select_rows(view, quiet, keep);
}

/* ---- drawing ---- */

struct row {
    uint32_t event;
    char *text;
    size_t width;
};

struct drawing {
    struct view *view;
    const bool *quiet;
    struct row *rows;
    size_t count;
    int column_of[PL_MAX_THREADS]; /* -1: not there */
    int thread_of[COLUMNS];
    size_t width[COLUMNS];
    int columns; /* 0: labels */
};

static char *row_text(struct view *view, uint32_t i)
{
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    if (stack_short_line(view, view->events[i].stack, &text))
        pl_strbuf_add(&text, "  ");
    event_text(view, i, &text);
    return pl_strbuf_detach(&text);
}

static void read_rows(struct drawing *d, const bool *keep)
{
    struct view *view = d->view;
    for (uint32_t i = 0; i < view->count; i++) {
        if (!keep[i])
            continue;
        char *text = row_text(view, i);
        d->rows[d->count++] = (struct row){i, text, text_width(text)};
    }
}

/* The one of these with the lowest number by which it is called; -1: there is none. */
static int first_called(const struct view *view, const bool *threads)
{
    int first = -1;
    for (int t = 0; t < PL_MAX_THREADS; t++)
        if (threads[t] &&
            (first < 0 || view_thread(view, (unsigned)t) < view_thread(view, (unsigned)first)))
            first = t;
    return first;
}

static void set_columns(struct drawing *d)
{
    bool present[PL_MAX_THREADS] = {false};
    size_t total = 0;
    for (int t = 0; t < PL_MAX_THREADS; t++)
        d->column_of[t] = -1;
    for (size_t i = 0; i < d->count; i++)
        present[d->view->events[d->rows[i].event].thread % PL_MAX_THREADS] = true;
    for (int t; (t = first_called(d->view, present)) >= 0; present[t] = false)
        if (d->columns < COLUMNS) {
            d->thread_of[d->columns] = t;
            d->column_of[t] = d->columns++;
        } else {
            total = COLUMNS_WIDTH + 1; /* too many threads */
        }
    for (size_t i = 0; i < d->count; i++) {
        int c = d->column_of[d->view->events[d->rows[i].event].thread % PL_MAX_THREADS];
        if (c >= 0 && d->rows[i].width > d->width[c])
            d->width[c] = d->rows[i].width;
    }
    for (int c = 0; c < d->columns; c++) {
        d->width[c] = d->width[c] < 10 ? 10 : d->width[c];
        total += d->width[c] + 2;
    }
    if (total > COLUMNS_WIDTH)
        d->columns = 0;
}

static void pad(struct pl_strbuf *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pl_strbuf_add(out, " ");
}

static void print_head(const struct drawing *d, struct pl_strbuf *out)
{
    if (!d->columns)
        return;
    struct pl_strbuf line, name;
    pl_strbuf_init(&line);
    pl_strbuf_init(&name);
    pl_strbuf_add(&line, "         #");
    size_t owed = 2;
    for (int c = 0; c < d->columns; c++) {
        pl_strbuf_clear(&name);
        view_add_thread(d->view, (unsigned)d->thread_of[c], &name);
        pad(&line, owed);
        pl_strbuf_add(&line, name.text);
        owed = d->width[c] + 2 - name.length;
    }
    colour_add(d->view->report, COLOUR_STRONG, out);
    pl_strbuf_add(out, line.text);
    colour_add(d->view->report, COLOUR_END, out);
    pl_strbuf_add(out, "\n");
    pl_strbuf_release(&line);
    pl_strbuf_release(&name);
}

static void print_note(const struct drawing *d, struct pl_strbuf *out, const char *text)
{
    pl_strbuf_add(out, "            ");
    colour_add(d->view->report, COLOUR_DIM, out);
    pl_strbuf_add(out, text);
    colour_add(d->view->report, COLOUR_END, out);
    pl_strbuf_add(out, "\n");
}

/* The first time with how to see them. Steps that were never recorded are not to be seen. */
static void print_folded(const struct drawing *d, struct pl_strbuf *out, uint64_t steps, bool first)
{
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    pl_strbuf_add(&text, "… ");
    pl_report_count(&text, steps);
    pl_strbuf_addf(&text, " step%s not shown%s …", steps == 1 ? "" : "s",
                   first && !d->view->report->full_trace ? " (--trace=full)" : "");
    print_note(d, out, text.text);
    pl_strbuf_release(&text);
}

/* What goes without a note between the steps, of a program; a test's own steps are nobody's. */
static void print_quiet(const struct drawing *d, struct pl_strbuf *out)
{
    uint64_t steps = 0;
    for (uint32_t i = 0; i < d->view->count; i++)
        steps += d->quiet[i];
    if (!steps || d->view->report->check)
        return;
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    pl_report_count(&text, steps);
    pl_strbuf_addf(&text, " access%s to memory that only one thread uses not shown (--trace=full)",
                   steps == 1 ? "" : "es");
    print_note(d, out, text.text);
    pl_strbuf_release(&text);
}

static void print_row(const struct drawing *d, const struct row *row, struct pl_strbuf *out)
{
    const struct view *view = d->view;
    const struct pl_wire_event *e = &view->events[row->event];
    bool star =
        row->event + 1 == view->finding->this_event || row->event + 1 == view->finding->other_event;
    pl_strbuf_addf(out, "    %c%5llu  ", star ? '*' : ' ',
                   (unsigned long long)view->finding->dropped + row->event + 1);
    if (d->columns) {
        int column = d->column_of[e->thread % PL_MAX_THREADS];
        for (int c = 0; c < column; c++)
            pad(out, d->width[c] + 2);
    } else {
        size_t before = out->length;
        view_add_thread(view, e->thread, out);
        pad(out, out->length - before < 9 ? 11 - (out->length - before) : 2);
    }
    if (star)
        colour_add(view->report, COLOUR_STRONG, out);
    pl_strbuf_add(out, row->text);
    if (star)
        colour_add(view->report, COLOUR_END, out);
    pl_strbuf_add(out, "\n");
}

static void print_rows(const struct drawing *d, struct pl_strbuf *out)
{
    const struct view *view = d->view;
    uint32_t next = 0;
    unsigned folds = 0;
    uint64_t before = view->finding->dropped;
    int running = -1;
    for (size_t i = 0; i < d->count; i++) {
        const struct row *row = &d->rows[i];
        const struct pl_wire_event *e = &view->events[row->event];
        bool preempted = e->flags & PL_EVENT_F_SWITCH;
        for (uint32_t k = next; k < row->event; k++)
            preempted = preempted || (view->events[k].thread == e->thread &&
                                      (view->events[k].flags & PL_EVENT_F_SWITCH));
        uint64_t left_out = before + row->event - next;
        for (uint32_t k = next; k < row->event; k++)
            left_out -= d->quiet[k];
        if (left_out)
            print_folded(d, out, left_out, !folds++);
        if (running >= 0 && running != e->thread && preempted) {
            struct pl_strbuf text;
            pl_strbuf_init(&text);
            pl_strbuf_add(&text, "— ");
            view_add_thread(view, e->thread, &text);
            pl_strbuf_add(&text, " runs —");
            print_note(d, out, text.text);
            pl_strbuf_release(&text);
        }
        print_row(d, row, out);
        running = e->thread;
        next = row->event + 1;
        before = 0;
    }
}

void trace_print(struct view *view, struct pl_strbuf *out)
{
    bool *keep = calloc(view->count + 1, sizeof *keep);
    bool *quiet = calloc(view->count + 1, sizeof *quiet);
    struct drawing d = {.view = view, .quiet = quiet};
    d.rows = calloc(view->count + 1, sizeof *d.rows);
    PL_ASSERT(keep && quiet && d.rows);
    trace_select(view, keep, quiet);
    read_rows(&d, keep);
    set_columns(&d);
    print_head(&d, out);
    print_rows(&d, out);
    print_quiet(&d, out);
    for (size_t i = 0; i < d.count; i++)
        free(d.rows[i].text);
    free(d.rows);
    free(quiet);
    free(keep);
}
