/* What `plumb stress` shows of a round: see stresser.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/history_report.h"
#include "cli/localiser.h"
#include "cli/output.h"
#include "cli/stresser.h"
#include "history/write.h"

/* ---- a round that did not end well ---- */

static const char *call_shown(const struct pl_stresser *s, uint32_t number)
{
    if (!number || number > s->server.wire->options.calls)
        return "no call";
    return s->checker.calls[s->number[number - 1]].shown;
}

static void add_thread(const struct pl_stresser *s, unsigned thread, struct pl_strbuf *out)
{
    if (thread < s->threads)
        pl_strbuf_addf(out, "thread %u", thread + 1);
    else
        pl_strbuf_add(out, "main");
}

/* Not of a library, nor of ours. */
static bool is_users(const struct pl_frame *frame)
{
    const char *slash = frame->file ? strrchr(frame->file, '/') : NULL;
    return frame->file && frame->module && strcmp(frame->module, "program") == 0 &&
           strcmp(slash ? slash : frame->file, "/recorder.c") != 0 &&
           strcmp(frame->file, "the driver") != 0;
}

/* The frames that are the user's; the first one is where it happened. */
static void add_stack(struct pl_stresser *s, const struct pl_stress_round *r, struct pl_strbuf *at,
                      struct pl_strbuf *stack)
{
    struct pl_error ignored;
    if (!s->symbols && pl_subject_symbols(&s->native, &s->checker.settings, s->server.maps,
                                          &s->symbols, &ignored) != PL_OK)
        return;
    for (uint32_t i = 2; i < r->depth && i < PL_STRESS_STACK; i++) { /* handler, trampoline */
        struct pl_frame frame[8];
        size_t count = pl_symbols_frames(s->symbols, r->stack[i] - (i > 2), frame, 8);
        for (size_t k = 0; k < count; k++) {
            if (!is_users(&frame[k]))
                continue;
            if (!at->length)
                pl_strbuf_addf(at, "%s:%d: ", frame[k].file, frame[k].line);
            pl_strbuf_addf(stack, "          %-16s %s:%d\n", frame[k].function, frame[k].file,
                           frame[k].line);
        }
    }
}

static void add_under_way(const struct pl_stresser *s, const struct pl_stress_round *r,
                          struct pl_strbuf *out)
{
    unsigned inside = 0;
    for (unsigned t = 0; t <= s->threads; t++) {
        if (!r->of[t].under_way)
            continue;
        pl_strbuf_add(out, inside++ ? ", " : "");
        add_thread(s, t, out);
        pl_strbuf_addf(out, " is in %s", call_shown(s, r->of[t].under_way));
    }
    if (!inside)
        pl_strbuf_add(out, "no call is under way");
}

static void add_what(const struct pl_stresser *s, const struct pl_stress_round *r,
                     enum pl_finding_kind kind, struct pl_strbuf *out)
{
    int status = (int)r->status;
    if (kind == PL_FINDING_INVARIANT) {
        pl_strbuf_add(out, "the invariant does not hold after a round");
    } else if (kind == PL_FINDING_EXIT) {
        pl_strbuf_addf(out, "the program ended itself with exit code %d; ", WEXITSTATUS(status));
        add_under_way(s, r, out);
    } else if (kind == PL_FINDING_HANG) {
        pl_strbuf_addf(out, "a round did not end in %g s; ", s->checker.settings.hang_seconds);
        add_under_way(s, r, out);
    } else if (!r->signal) { /* not one that is caught: who got it is not known */
        pl_strbuf_addf(out, "a signal ended the program: %s; ", strsignal(WTERMSIG(status)));
        add_under_way(s, r, out);
    } else {
        unsigned thread = r->thread <= s->threads ? r->thread : (unsigned)s->threads;
        add_thread(s, thread, out);
        pl_strbuf_addf(out, " in %s: %s", call_shown(s, r->of[thread].under_way),
                       strsignal(WTERMSIG(status)));
    }
}

/* The C library's allocator aborts when it sees that its heap is not what it left: that is no
 * assertion of the user's. */
static enum pl_finding_kind kind_of_abort(const char *said)
{
    static const struct {
        const char *words;
        enum pl_finding_kind kind;
    } known[] = {
        {"double free", PL_FINDING_DOUBLE_FREE},
        {"(): invalid pointer", PL_FINDING_INVALID_FREE},
        {"free(): invalid size", PL_FINDING_INVALID_FREE},
        {"malloc(): ", PL_FINDING_CRASH},
        {"free(): ", PL_FINDING_CRASH},
        {"corrupted", PL_FINDING_CRASH},
        {"*** stack smashing detected ***", PL_FINDING_CRASH},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strstr(said, known[i].words))
            return known[i].kind;
    return PL_FINDING_ASSERTION;
}

enum pl_status pl_stress_show_end(struct pl_stresser *s, const struct pl_stress_round *r,
                                  enum pl_finding_kind kind, struct pl_error *error)
{
    struct pl_strbuf message, stack, said;
    (void)error;
    pl_strbuf_init(&message);
    pl_strbuf_init(&stack);
    pl_strbuf_init(&said);
    pl_server_errors(&s->server, &said);
    if (kind == PL_FINDING_ASSERTION)
        kind = kind_of_abort(said.text);
    add_stack(s, r, &message, &stack);
    add_what(s, r, kind, &message);
    (void)printf("\n%s\n%s\n\n", pl_finding_headline(kind), message.text);
    if (stack.length)
        (void)printf("%s\n", stack.text);
    if (said.length)
        (void)printf("    The program wrote:\n        %.500s\n", said.text);
    (void)printf("    Round %llu of seed %llu; real threads take other ways the next time.\n\n",
                 (unsigned long long)r->number + 1, (unsigned long long)s->checker.settings.seed);
    json_array_append_new(s->checker.execute.findings,
                          json_pack("{s:s, s:s, s:I}", "kind", pl_finding_text(kind), "message",
                                    message.text, "round", (json_int_t)r->number + 1));
    s->found++;
    pl_strbuf_release(&message);
    pl_strbuf_release(&stack);
    pl_strbuf_release(&said);
    return PL_OK;
}

/* ---- a history that no order explains ---- */

static const double EXPLAIN_SECONDS = 5;

static char *history_name(const struct pl_stresser *s)
{
    struct pl_strbuf name;
    pl_strbuf_init(&name);
    if (s->history) {
        pl_strbuf_add(&name, s->history);
        return pl_strbuf_detach(&name);
    }
    const char *file = s->checker.settings.inputs.text[0], *slash = strrchr(file, '/');
    const char *stem = slash ? slash + 1 : file, *dot = strrchr(stem, '.');
    int length = dot && dot != stem ? (int)(dot - stem) : (int)strlen(stem);
    for (unsigned n = 1; n < 1000; n++) {
        pl_strbuf_clear(&name);
        pl_strbuf_addf(&name, "%.*s-%u.history", length, stem, n);
        if (access(name.text, F_OK) != 0)
            break;
    }
    return pl_strbuf_detach(&name);
}

/* Writes it; the lines of its calls are noted in the operations. */
static enum pl_status write_history(const struct pl_case *c, struct pl_history *h, const char *name,
                                    struct pl_error *error)
{
    struct pl_strbuf text;
    uint32_t line = 2;
    pl_strbuf_init(&text);
    pl_strbuf_addf(&text, "# plumb stress: spec %s\n", c->spec->name);
    for (uint32_t t = 0; t < h->events; t++, line++) {
        struct pl_operation *o = &h->operation[h->event[t] / 2];
        if (h->event[t] % 2) {
            pl_write_return(h, &c->spec->words, o, o->result, &text);
        } else {
            o->line = line;
            pl_write_call(h, &c->spec->words, o, false, &text);
        }
    }
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    enum pl_status status = PL_OK;
    if (fd < 0 || !pl_output_write(fd, text.text, text.length))
        status = pl_fail_errno(error, "%s: the history cannot be written", name);
    if (fd >= 0)
        (void)close(fd);
    pl_strbuf_release(&text);
    return status;
}

enum pl_status pl_stress_show_history(struct pl_stresser *s, const struct pl_stressed *stressed,
                                      const struct pl_case *c, struct pl_error *error)
{
    struct pl_history *h = (struct pl_history *)(uintptr_t)c->history; /* its lines are not set */
    struct pl_history_report report;
    const struct pl_check_how how = {.decider = "stress", .parts = 1};
    char *name = history_name(s);
    s->found++;
    enum pl_status status = write_history(c, h, name, error);
    if (!status) {
        struct pl_budget budget = {.until = pl_check_now() + EXPLAIN_SECONDS};
        struct pl_case again = *c;
        again.budget = &budget;
        pl_history_report_init(&report, 1);
        pl_history_report_add(&report, name, &again, PL_BAD, &how, 1);
        json_t *finding = json_array_get(report.findings, 0);
        json_object_set_new(finding, "history", json_string(name));
        json_array_append(s->checker.execute.findings, finding);
        pl_history_report_release(&report);
        (void)printf("    Decide it again:  plumb history %s --spec %s", name, c->spec->name);
        if (c->initial != s->checker.against.initial)
            (void)printf(" --initial %lld", (long long)c->initial);
        (void)printf("\n\n");
        struct pl_localising localising = {0};
        if (!s->no_localise)
            status = pl_localise_history(&s->checker, &again, stressed->call, &localising, error);
    }
    free(name);
    return status;
}
