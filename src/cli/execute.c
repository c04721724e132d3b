/* What run and replay share: build, run, name. */
#include "cli/execute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build/code.h"
#include "cli/interrupt.h"
#include "cli/output.h"

static enum pl_status check_save(const char *file, struct pl_error *error)
{
    int fd;
    if (!file || strcmp(file, "no") == 0)
        return PL_OK;
    bool there = access(file, F_OK) == 0;
    enum pl_status status = pl_output_open("--save", file, &fd, error);
    if (status)
        return status;
    (void)close(fd);
    if (!there)
        (void)unlink(file); /* there may be nothing to save */
    return PL_OK;
}

/* What was there may be the verdict of another day: nobody is to read that if we are killed. */
static enum pl_status open_empty(const char *option, const char *file, int *fd,
                                 struct pl_error *error)
{
    enum pl_status status = pl_output_open(option, file, fd, error);
    if (!status)
        (void)pl_output_write(*fd, "", 0);
    return status;
}

enum pl_status pl_execute_init(struct pl_execute *e, const struct pl_settings *settings,
                               const char *command, struct pl_error *error)
{
    *e = (struct pl_execute){
        .settings = settings, .command = command, .json_fd = -1, .junit_fd = -1, .catches = true};
    pl_interrupt_catch(true);
    e->warnings = json_array();
    e->findings = json_array();
    e->options = calloc(1, sizeof *e->options);
    PL_ASSERT(e->options && e->warnings && e->findings);
    enum pl_status status = PL_OK;
    if (settings->json)
        status = open_empty("--json", settings->json, &e->json_fd, error);
    if (!status && settings->junit)
        status = open_empty("--junit", settings->junit, &e->junit_fd, error);
    return status ? status : check_save(settings->save, error);
}

void pl_execute_release(struct pl_execute *e)
{
    pl_symbols_free(e->symbols);
    pl_session_release(&e->session);
    pl_suppress_release(&e->suppress);
    pl_subject_release(&e->subject);
    json_decref(e->warnings);
    json_decref(e->findings);
    json_decref(e->more);
    json_decref(e->cases);
    free(e->options);
    if (e->json_fd >= 0)
        (void)close(e->json_fd);
    if (e->junit_fd >= 0)
        (void)close(e->junit_fd);
    if (e->catches)
        pl_interrupt_catch(false);
    *e = (struct pl_execute){.json_fd = -1, .junit_fd = -1};
}

static void warn(struct pl_execute *e, const char *text)
{
    (void)fprintf(stderr, "%s\n", text);
    json_array_append_new(e->warnings, json_string(text));
}

static enum pl_status resolve_suppressions(struct pl_execute *e, struct pl_error *error)
{
    struct pl_symbols *symbols;
    if (!e->suppress.count)
        return PL_OK;
    enum pl_status status = pl_subject_symbols(&e->subject, e->settings, NULL, &symbols, error);
    if (status)
        return status;
    status = pl_suppress_resolve(&e->suppress, symbols, e->options, error);
    pl_symbols_free(symbols);
    return status;
}

enum pl_status pl_execute_build(struct pl_execute *e, struct pl_error *error)
{
    const struct pl_settings *s = e->settings;
    enum pl_status status = PL_OK;
    if (s->suppressions)
        status = pl_suppress_read(&e->suppress, s->suppressions, error);
    if (!status)
        status = pl_subject_build(&e->subject, s, error);
    if (status)
        return status;
    for (size_t i = 0; i < e->subject.built.warnings.count; i++)
        warn(e, e->subject.built.warnings.at[i]);
    if (e->suppress.unused_line) {
        struct pl_strbuf text;
        pl_strbuf_init(&text);
        pl_strbuf_addf(&text, "%s:%d: note: '%s' rules are not used; only race: is",
                       e->suppress.file, e->suppress.unused_line, e->suppress.unused_kind);
        warn(e, text.text);
        pl_strbuf_release(&text);
    }
    pl_settings_wire(s, e->options);
    struct pl_code code = {.pause = e->options->pause, .most = PL_MAX_PAUSES};
    status = pl_code_read(e->subject.built.program, &code, error);
    e->options->pauses = (uint32_t)code.pauses;
    e->options->float_control = code.float_control;
    e->options->thread_pointer = code.thread_pointer;
    e->options->unseen = e->subject.built.has_unseen;
    return status ? status : resolve_suppressions(e, error);
}

/* 0: no limit. */
static double seconds_left(const struct pl_execute *e)
{
    double left = e->settings->seconds - e->spent;
    return e->settings->seconds <= 0 ? 0 : left > 0.001 ? left : 0.001;
}

enum pl_status pl_execute_run(struct pl_execute *e, const uint8_t *choices, struct pl_error *error)
{
    struct pl_plan plan = {
        .program = e->subject.built.program,
        .argv = e->subject.argv,
        .options = e->options,
        .choices = choices,
        .jobs = e->options->replaying ? 1 : (unsigned)e->settings->jobs,
        .seconds = seconds_left(e),
        .hang_seconds = e->settings->hang_seconds,
        .progress = isatty(2),
        .checkpoint = e->checkpoint,
    };
    return pl_session_run(&e->session, &plan, error);
}

/* All processes have the same addresses (or nearly): any maps will do. */
static enum pl_status open_symbols(struct pl_execute *e, const struct pl_process *process,
                                   struct pl_error *error)
{
    if (e->symbols)
        return PL_OK;
    const char *maps = process ? process->wire->maps : "";
    for (size_t i = 0; !maps[0] && i < e->session.processes; i++)
        maps = e->session.process[i]->wire->maps;
    return pl_subject_symbols(&e->subject, e->settings, maps, &e->symbols, error);
}

enum pl_status pl_execute_report(struct pl_execute *e, const struct pl_seen *seen,
                                 const char *saved, struct pl_report *out, struct pl_error *error)
{
    enum pl_status status = open_symbols(e, seen->process, error);
    *out = (struct pl_report){
        .wire = seen->process->wire,
        .symbols = e->symbols,
        .subject = e->settings->inputs.text[0],
        .saved = saved,
        .full_trace = e->settings->trace == 1,
        .check = e->settings->report,
    };
    return status;
}

static bool add_line(struct pl_execute *e, const struct pl_process *process, uint64_t pc,
                     struct pl_strbuf *out)
{
    struct pl_frame frame[8];
    struct pl_error ignored;
    if (!pc || open_symbols(e, process, &ignored) != PL_OK)
        return false;
    size_t count = pl_symbols_frames(e->symbols, pc - 1, frame, 8);
    for (size_t i = 0; i < count; i++)
        if (frame[i].file && (strncmp(frame[i].file, "/usr/", 5) != 0 || i + 1 == count)) {
            pl_strbuf_addf(out, "%s:%d", frame[i].file, frame[i].line);
            return true;
        }
    return false;
}

/* What makes a call, of PLUMB_CALL or of --call: no part of the operation. */
static bool is_driver(const struct pl_frame *frame)
{
    return strncmp(frame->function, "plumb_operation_", 16) == 0 ||
           strncmp(frame->function, "plumb_given_", 12) == 0;
}

static void add_frame(const struct pl_frame *frame, bool columns, struct pl_strbuf *out)
{
    pl_strbuf_addf(out, "%s:%d", frame->file, frame->line);
    if (columns)
        pl_strbuf_addf(out, ":%d", frame->column);
}

bool pl_execute_place(struct pl_execute *e, uint64_t pc, bool columns, struct pl_strbuf *out)
{
    struct pl_frame frame[16];
    struct pl_error ignored;
    size_t before = out->length;
    if (!pc || open_symbols(e, NULL, &ignored) != PL_OK)
        return false;
    size_t count = pl_symbols_frames(e->symbols, pc - 1, frame, 16);
    for (size_t i = 0; i < count; i++)
        if (frame[i].file && !is_driver(&frame[i]) &&
            (strncmp(frame[i].file, "/usr/", 5) != 0 || i + 1 == count)) {
            pl_strbuf_add(out, out->length > before ? " from " : "");
            add_frame(&frame[i], columns, out);
        }
    /* the call itself is the access: --call 'atomic_load(&x)' */
    if (out->length == before && count && frame[count - 1].file)
        add_frame(&frame[count - 1], columns, out);
    return out->length > before;
}

bool pl_execute_line(struct pl_execute *e, uint64_t pc, struct pl_strbuf *out)
{
    return add_line(e, NULL, pc, out);
}

void pl_execute_refusal(struct pl_execute *e, struct pl_error *error)
{
    const struct pl_wire *wire = e->session.refused->wire;
    struct pl_strbuf line;
    pl_strbuf_init(&line);
    if (add_line(e, e->session.refused, wire->error_pc, &line))
        pl_strbuf_add(&line, ": ");
    (void)pl_fail(error, PL_ERR_INPUT, "%.350s%.500s", line.text, wire->error);
    pl_strbuf_release(&line);
}

void pl_execute_inputs(const struct pl_settings *settings, struct pl_strbuf *out)
{
    for (size_t i = 0; i < settings->inputs.count; i++) {
        if (i == 3 && settings->inputs.count > 4) {
            pl_strbuf_addf(out, " and %zu more", settings->inputs.count - i);
            return;
        }
        pl_strbuf_addf(out, "%s%s", i ? ", " : "", settings->inputs.text[i]);
    }
}
