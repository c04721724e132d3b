/* What `plumb history` says: see history_report.h. */
#include "cli/history_report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "check/explain.h"
#include "cli/output.h"
#include "history/write.h"
#include "report/report.h"
#include "result/finding.h"

void pl_history_report_init(struct pl_history_report *r, size_t files)
{
    *r = (struct pl_history_report){.started = pl_check_now(), .files = files};
    r->findings = json_array();
    r->histories = json_array();
    PL_ASSERT(r->findings && r->histories);
}

void pl_history_report_release(struct pl_history_report *r)
{
    json_decref(r->findings);
    json_decref(r->histories);
}

/* Names of the user's may be any bytes; JSON is UTF-8. */
static json_t *text_json(const char *text)
{
    json_t *string = json_string(text);
    return string ? string : json_string("?");
}

static void add_count(struct pl_strbuf *out, uint64_t number, const char *what)
{
    pl_report_count(out, number);
    pl_strbuf_addf(out, " %s%s", what, number == 1 ? "" : "s");
}

static json_t *operation_json(const struct pl_case *c, uint32_t i)
{
    const struct pl_operation *o = &c->history->operation[i];
    struct pl_strbuf text, thread;
    pl_strbuf_init(&text);
    pl_strbuf_init(&thread);
    pl_operation_print(c->history, &c->spec->words, o, &text);
    pl_write_thread(c->history, o->thread, &thread);
    json_t *object = json_object();
    json_object_set_new(object, "line", json_integer(o->line));
    json_object_set_new(object, "thread", text_json(thread.text));
    json_object_set_new(object, "operation", text_json(text.text));
    json_object_set_new(object, "call", json_integer(o->call));
    if (!pl_pending(o))
        json_object_set_new(object, "return", json_integer(o->ret));
    pl_strbuf_release(&text);
    pl_strbuf_release(&thread);
    return object;
}

/* One line for each operation named, with a bar from its call to its return. */
static void print_operations(const struct pl_case *c, const struct pl_explanation *e,
                             struct pl_strbuf *out)
{
    const struct pl_history *h = c->history;
    enum { WIDEST = 60, MOST_NAMED = 40 };
    uint32_t column[2 * WIDEST], columns = 0;
    bool bars = e->count <= WIDEST / 2;
    for (uint32_t t = 0; bars && t < h->events; t++)
        for (uint32_t k = 0; k < e->count; k++)
            if (h->event[t] / 2 == e->operation[k])
                column[columns++] = t;
    uint32_t first = e->count > MOST_NAMED ? e->count - MOST_NAMED : 0;
    if (first) {
        pl_strbuf_add(out, "        … ");
        add_count(out, first, "operation");
        pl_strbuf_add(out, " before these\n");
    }
    for (uint32_t k = first; k < e->count; k++) {
        const struct pl_operation *o = &h->operation[e->operation[k]];
        struct pl_strbuf text;
        pl_strbuf_init(&text);
        pl_strbuf_add(&text, "thread ");
        pl_write_thread(h, o->thread, &text);
        pl_strbuf_add(&text, "  ");
        if (c->keyed) {
            pl_strbuf_add(&text, "key ");
            pl_values_print(&h->values, o->argument[PL_MOST_ARGUMENTS - 1], &text);
            pl_strbuf_add(&text, "  ");
        }
        pl_operation_print(h, &c->spec->words, o, &text);
        pl_strbuf_addf(out, "        line %-7u %-36s ", o->line, text.text);
        pl_strbuf_release(&text);
        for (uint32_t i = 0; i < columns; i++) {
            pl_strbuf_add(out, column[i] == o->call                        ? "|"
                               : column[i] == o->ret                       ? "|"
                               : column[i] > o->call && column[i] < o->ret ? "-"
                                                                           : " ");
        }
        while (out->text[out->length - 1] == ' ')
            out->text[--out->length] = '\0';
        pl_strbuf_add(out, "\n");
    }
}

static void print_violation(struct pl_history_report *r, const char *file, const struct pl_case *c,
                            const struct pl_explanation *e)
{
    const struct pl_operation *last = &c->history->operation[e->last];
    struct pl_strbuf message, text;
    pl_strbuf_init(&message);
    pl_strbuf_init(&text);
    pl_strbuf_addf(&message, "%s:%u: thread ", strcmp(file, "-") == 0 ? "stdin" : file, last->line);
    pl_write_thread(c->history, last->thread, &message);
    pl_strbuf_add(&message, ", ");
    pl_operation_print(c->history, &c->spec->words, last, &message);
    pl_strbuf_addf(&message, ": with this return no order of the operations explains the history");
    pl_strbuf_addf(&text, "\nNOT LINEARIZABLE\n%s\n\n    ", message.text);
    if (e->shortest) {
        pl_strbuf_add(&text, "The first ");
        add_count(&text, e->events, "call");
        pl_strbuf_add(&text, " and returns have no order; without the last one they have.\n");
    } else {
        pl_strbuf_add(&text,
                      "A bad prefix, and nearly the shortest: what open operations did is not "
                      "known.\n");
    }
    pl_strbuf_add(&text, e->minimal
                             ? "    These operations conflict, and no value can be left out:\n"
                         : e->conflict ? "    These operations conflict; perhaps fewer do:\n"
                                       : "    It, what overlaps it, and what came before:\n");
    print_operations(c, e, &text);
    (void)printf("%s\n", text.text);
    json_t *named = json_array();
    for (uint32_t k = 0; k < e->count; k++)
        json_array_append_new(named, operation_json(c, e->operation[k]));
    json_t *finding = json_object();
    json_object_set_new(finding, "kind", json_string("not-linearizable"));
    json_object_set_new(finding, "message", text_json(message.text));
    json_object_set_new(finding, "file", text_json(file));
    json_object_set_new(finding, "line", json_integer(last->line));
    json_object_set_new(finding, "prefix", json_integer(e->events));
    json_object_set_new(finding, "shortest", json_boolean(e->shortest));
    json_object_set_new(finding, "conflict", json_boolean(e->conflict));
    json_object_set_new(finding, "minimal", json_boolean(e->minimal));
    json_object_set_new(finding, "operations", named);
    json_array_append_new(r->findings, finding);
    pl_strbuf_release(&message);
    pl_strbuf_release(&text);
}

void pl_history_report_add(struct pl_history_report *r, const char *file, const struct pl_case *c,
                           enum pl_decision decision, const struct pl_check_how *how, unsigned jobs)
{
    static const char *const words[] = {"pass", "violation", "unknown"};
    const struct pl_history *h = c->history;
    uint64_t pending = 0;
    struct pl_strbuf text;
    for (uint32_t i = 0; i < h->count; i++)
        pending += pl_pending(&h->operation[i]);
    r->operations += h->count;
    r->pending += pending;
    *(decision == PL_GOOD ? &r->good : decision == PL_BAD ? &r->bad : &r->open) += 1;
    pl_strbuf_init(&text);
    pl_strbuf_addf(&text, "%s: ", strcmp(file, "-") == 0 ? "stdin" : file);
    add_count(&text, h->count, "operation");
    pl_strbuf_add(&text, " of ");
    add_count(&text, h->threads, "thread");
    if (pending) {
        pl_strbuf_add(&text, ", ");
        pl_report_count(&text, pending);
        pl_strbuf_add(&text, " pending");
    }
    pl_strbuf_addf(&text, "; spec %s, decider %s", c->spec->name, how->decider);
    if (how->parts > 1) {
        pl_strbuf_add(&text, ", ");
        add_count(&text, how->parts, "part");
    }
    if (how->searched && strcmp(how->decider, "search") != 0) {
        pl_strbuf_add(&text, ", searched: ");
        pl_report_count(&text, how->searched);
    }
    if (r->files > 1 || decision != PL_GOOD)
        pl_strbuf_addf(&text, ": %s", words[decision]);
    (void)printf("%s\n", text.text);
    (void)fflush(stdout);
    pl_strbuf_release(&text);
    json_array_append_new(
        r->histories, json_pack("{s:o, s:s, s:s, s:I, s:I, s:I, s:s, s:I, s:I}", "file",
                                text_json(file), "verdict", words[decision], "spec", c->spec->name,
                                "operations", (json_int_t)h->count, "pending", (json_int_t)pending,
                                "threads", (json_int_t)h->threads, "decider", how->decider, "parts",
                                (json_int_t)how->parts, "searched", (json_int_t)how->searched));
    if (decision == PL_BAD) {
        struct pl_explanation explanation;
        pl_explain(c, how, jobs, &explanation);
        print_violation(r, file, c, &explanation);
        pl_explanation_release(&explanation);
    }
}

/* The verdict of all: what is bad, then what is open. */
static enum pl_verdict judge(const struct pl_history_report *r, bool interrupted,
                             struct pl_strbuf *out)
{
    if (r->bad) {
        pl_strbuf_add(out, "not-linearizable");
        if (r->files > 1)
            pl_strbuf_addf(out, ", %zu of %zu histories", r->bad, r->files);
        return PL_VERDICT_VIOLATION;
    }
    if (r->good == r->files) {
        add_count(out, r->operations, "operation");
        if (r->files > 1)
            pl_strbuf_addf(out, " in %zu histories", r->files);
        pl_strbuf_add(out, " explained; the order was replayed");
        return PL_VERDICT_PASS;
    }
    pl_strbuf_addf(out, "%s; %zu of %zu histories decided, none is bad",
                   interrupted ? "interrupted" : "the time or the memory ran out", r->good,
                   r->files);
    return PL_VERDICT_UNKNOWN;
}

static json_t *report_json(const struct pl_history_report *r, enum pl_verdict verdict,
                           const char *message, double seconds)
{
    json_t *object = json_object(), *first = json_array_get(r->findings, 0);
    json_object_set_new(object, "verdict", json_string(pl_verdict_text(verdict)));
    if (verdict != PL_VERDICT_ERROR)
        json_object_set_new(object, "coverage",
                            json_string(verdict == PL_VERDICT_UNKNOWN ? "partial" : "exhaustive"));
    json_object_set_new(object, "command", json_string("history"));
    json_object_set_new(object, "tests", json_integer(0));
    json_object_set_new(object, "executions", json_integer(0));
    json_object_set_new(object, "histories",
                        json_integer((json_int_t)json_array_size(r->histories)));
    json_object_set_new(object, "operations", json_integer((json_int_t)r->operations));
    json_object_set_new(object, "pending", json_integer((json_int_t)r->pending));
    json_object_set_new(object, "seconds", json_real(seconds));
    json_object_set_new(object, "message",
                        first ? json_incref(json_object_get(first, "message"))
                              : text_json(message));
    if (first)
        json_object_set_new(object, "violation",
                            json_pack("{s:O, s:O}", "kind", json_object_get(first, "kind"),
                                      "message", json_object_get(first, "message")));
    json_object_set_new(object, "findings", json_incref(r->findings));
    json_object_set_new(object, "files", json_incref(r->histories));
    return object;
}

int pl_history_report_end(struct pl_history_report *r, bool interrupted, const char *error,
                          const char *json_file, int json)
{
    struct pl_strbuf message;
    double seconds = pl_check_now() - r->started;
    enum pl_verdict verdict = PL_VERDICT_ERROR;
    pl_strbuf_init(&message);
    if (error)
        pl_strbuf_add(&message, error);
    else
        verdict = judge(r, interrupted, &message);
    if (error)
        (void)fprintf(stderr, "%s\n", error);
    else
        (void)printf("%s%s: %s, %.1f s\n", pl_verdict_text(verdict),
                     verdict == PL_VERDICT_PASS ? ", exhaustive" : "", message.text, seconds);
    int code = (int)verdict;
    if (json >= 0) {
        json_t *object = report_json(r, verdict, message.text, seconds);
        if (!pl_output_json(json, object)) {
            (void)fprintf(stderr, "--json %s: cannot be written: %s\n", json_file, strerror(errno));
            code = PL_VERDICT_ERROR;
        }
        json_decref(object);
    }
    if (fflush(stdout) != 0) {
        (void)fprintf(stderr, "the report cannot be written: %s\n", strerror(errno));
        code = PL_VERDICT_ERROR;
    }
    pl_strbuf_release(&message);
    return code;
}
