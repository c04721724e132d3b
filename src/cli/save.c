/* A finding in a file. */
#include "cli/save.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "cli/again.h"

enum { FORMAT = 1, MOST_FILES = 9999 };

/* ---- writing ---- */

static json_t *texts_json(const struct pl_texts *texts)
{
    json_t *array = json_array();
    for (size_t i = 0; i < texts->count; i++)
        json_array_append_new(array, json_string(texts->text[i]));
    return array;
}

/* The hash of a file as text; empty when it cannot be read. */
static void file_hash(const char *path, char *out, size_t room)
{
    FILE *file = fopen(path, "re");
    XXH64_state_t *state = XXH64_createState();
    PL_ASSERT(state);
    out[0] = '\0';
    if (file) {
        char part[16384];
        (void)XXH64_reset(state, 0);
        for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;)
            (void)XXH64_update(state, part, n);
        if (!ferror(file))
            (void)snprintf(out, room, "%016" PRIx64, (uint64_t)XXH64_digest(state));
        (void)fclose(file);
    }
    (void)XXH64_freeState(state);
}

static json_t *sources_json(const struct pl_settings *s)
{
    json_t *array = json_array();
    for (size_t i = 0; i < s->inputs.count; i++) {
        char hash[32];
        file_hash(s->inputs.text[i], hash, sizeof hash);
        json_array_append_new(array,
                              json_pack("{s:s, s:s}", "file", s->inputs.text[i], "xxh64", hash));
    }
    return array;
}

/* By what a replay knows the history again. */
static void add_history(json_t *check, const struct pl_settings *s, const struct pl_wire *wire,
                        const struct pl_wire_finding *f)
{
    char *steps = pl_again_steps(&s->check, s->report->under, wire, f);
    json_object_set_new(check, "returned", json_integer(wire->shown.returned));
    if (s->spec)
        json_object_set_new(check, "spec", json_string(s->spec));
    if (steps)
        json_object_set_new(check, "steps", json_string(steps));
    free(steps);
}

/* What machines are told of the history. */
static void add_why(json_t *check, const struct pl_report_check *r)
{
    json_t *threads = json_array(), *history = json_array();
    for (unsigned i = 0; i < r->operations; i++)
        json_array_append_new(threads, json_integer(r->thread[i]));
    for (unsigned k = 0; k < r->events; k++)
        json_array_append_new(history, json_integer(r->event[k]));
    json_object_set_new(check, "why", json_string(r->why));
    json_object_set_new(check, "threads", threads);
    json_object_set_new(check, "history", history);
}

/* The driver and the test; what the report says of the history goes with them. */
static json_t *check_json(const struct pl_settings *s)
{
    const struct pl_report_check *r = s->report;
    struct pl_strbuf bytes;
    json_t *names = json_array(), *responses = json_array();
    pl_strbuf_init(&bytes);
    pl_choices_text((const uint8_t *)&s->check, sizeof s->check, &bytes);
    for (unsigned i = 0; i < r->operations; i++) {
        json_array_append_new(names, json_string(r->name[i]));
        json_array_append_new(responses, json_string(r->response[i]));
    }
    json_t *check =
        json_pack("{s:s, s:b, s:s, s:s, s:s, s:s, s:o, s:o}", "driver", s->driver, "cxx",
                  (int)s->driver_cxx, "wire", bytes.text, "test", r->test, "sentence", r->sentence,
                  "details", r->details, "names", names, "responses", responses);
    PL_ASSERT(check);
    if (r->why)
        add_why(check, r);
    if (r->under)
        json_object_set_new(check, "under", json_string(r->under));
    if (r->ending)
        json_object_set_new(check, "ending", json_string(r->ending));
    pl_strbuf_release(&bytes);
    return check;
}

json_t *pl_save_make(const struct pl_settings *s, const struct pl_wire *wire,
                     const struct pl_wire_finding *f, const char *message)
{
    json_t *options =
        json_pack("{s:I, s:I, s:I, s:i, s:i, s:i, s:b, s:b, s:f}", "seed", (json_int_t)s->seed,
                  "steps", (json_int_t)s->steps, "stack", (json_int_t)s->stack_kib, "races",
                  (int)s->races, "volatile", (int)s->volatiles, "reuse", (int)s->reuse, "leaks",
                  (int)s->leaks, "spurious", (int)s->spurious, "hang_seconds", s->hang_seconds);
    if (s->explores)
        json_object_set_new(options, "model", json_string(pl_settings_model(s)));
    if (s->coverage) /* the same code at the same addresses */
        json_object_set_new(options, "coverage", json_true());
    json_t *saved = json_pack(
        "{s:i, s:s, s:s, s:o, s:o, s:o, s:o, s:I, s:{s:s, s:s}, s:o}", "plumb", FORMAT, "version",
        PLUMB_VERSION, "command", s->explores ? "explore" : "run", "inputs", texts_json(&s->inputs),
        "flags", texts_json(&s->flags), "arguments", texts_json(&s->arguments), "options", options,
        "execution", (json_int_t)f->execution, "finding", "kind", pl_finding_text(f->kind),
        "message", message, "sources", sources_json(s));
    PL_ASSERT(saved);
    if (s->driver) {
        json_object_set_new(saved, "command", json_string("check"));
        json_t *check = check_json(s);
        add_history(check, s, wire, f);
        json_object_set_new(saved, "check", check);
    }
    if (s->cc)
        json_object_set_new(saved, "cc", json_string(s->cc));
    if (s->compile_commands)
        json_object_set_new(saved, "compile_commands", json_string(s->compile_commands));
    if (s->suppressions)
        json_object_set_new(saved, "suppressions", json_string(s->suppressions));
    if (f->stack || f->choices || f->events) { /* written by the process itself */
        struct pl_strbuf text;
        pl_strbuf_init(&text);
        pl_choices_text(&wire->byte[f->first_choice], f->choices, &text);
        json_object_set_new(saved, "choices", json_string(text.text));
        pl_strbuf_release(&text);
    }
    return saved;
}

/* Is the file absent, or one that holds this very finding? */
static bool usable(const char *name, const json_t *saved)
{
    static const char *const same[] = {"finding", "choices", "execution", "inputs", "flags",
                                       "options", "cc",      "arguments", "check"};
    if (access(name, F_OK) != 0)
        return true;
    json_t *there = json_load_file(name, 0, NULL);
    bool equal = there != NULL;
    for (size_t i = 0; i < sizeof same / sizeof same[0] && equal; i++) {
        json_t *a = json_object_get(there, same[i]), *b = json_object_get(saved, same[i]);
        equal = (!a && !b) || json_equal(a, b);
    }
    json_decref(there);
    return equal;
}

char *pl_save_name(const struct pl_settings *s, const json_t *saved, size_t number)
{
    struct pl_strbuf name;
    pl_strbuf_init(&name);
    if (s->save && strcmp(s->save, "no") == 0) {
        pl_strbuf_release(&name);
        return NULL;
    }
    if (s->save) {
        const char *dot = strrchr(s->save, '.');
        if (number == 0)
            pl_strbuf_add(&name, s->save);
        else if (dot && dot != s->save && !strchr(dot, '/'))
            pl_strbuf_addf(&name, "%.*s-%zu%s", (int)(dot - s->save), s->save, number + 1, dot);
        else
            pl_strbuf_addf(&name, "%s-%zu", s->save, number + 1);
        return pl_strbuf_detach(&name);
    }
    const char *slash = strrchr(s->inputs.text[0], '/');
    const char *stem = slash ? slash + 1 : s->inputs.text[0];
    const char *dot = strrchr(stem, '.');
    int length = dot && dot != stem ? (int)(dot - stem) : (int)strlen(stem);
    for (int n = 1; n <= MOST_FILES; n++) {
        pl_strbuf_clear(&name);
        pl_strbuf_addf(&name, "%.*s-%d.plumb", length, stem, n);
        if (usable(name.text, saved))
            break;
    }
    return pl_strbuf_detach(&name);
}

enum pl_status pl_save_write(json_t *saved, const char *report, const char *file,
                             struct pl_error *error)
{
    json_object_set_new(saved, "report", json_string(report));
    if (json_dump_file(saved, file, JSON_INDENT(1) | JSON_PRESERVE_ORDER) != 0)
        return pl_fail(error, PL_ERR_SYSTEM, "%s: cannot be written: %s", file, strerror(errno));
    FILE *end = fopen(file, "ae");
    if (end) {
        (void)fputc('\n', end);
        (void)fclose(end);
    }
    return PL_OK;
}

/* ---- reading ---- */

static bool read_texts(const json_t *array, struct pl_texts *out)
{
    if (!json_is_array(array))
        return false;
    for (size_t i = 0; i < json_array_size(array); i++) {
        const char *text = json_string_value(json_array_get(array, i));
        if (!text)
            return false;
        pl_texts_add(out, text);
    }
    return true;
}

static bool read_settings(json_t *json, struct pl_settings *s)
{
    json_int_t seed, steps, stack;
    int races, volatiles, reuse, leaks, spurious;
    pl_settings_init(s);
    json_t *options = json_object_get(json, "options");
    if (json_unpack(options, "{s:I, s:I, s:I, s:i, s:i, s:i, s:b, s:b, s:F}", "seed", &seed,
                    "steps", &steps, "stack", &stack, "races", &races, "volatile", &volatiles,
                    "reuse", &reuse, "leaks", &leaks, "spurious", &spurious, "hang_seconds",
                    &s->hang_seconds) != 0)
        return false;
    if (steps < 1 || stack < 16 || stack > 65536 || races < 0 || races > 2 ||
        !(s->hang_seconds > 0))
        return false;
    s->seed = (uint64_t)seed;
    s->steps = (uint64_t)steps;
    s->stack_kib = (uint64_t)stack;
    s->races = (unsigned)races;
    const char *model = json_string_value(json_object_get(options, "model"));
    s->coverage = json_is_true(json_object_get(options, "coverage"));
    s->explores = model != NULL;
    for (s->model = 0; model && strcmp(pl_settings_model(s), model) != 0; s->model++)
        if (s->model == 2)
            return false;
    s->volatiles = volatiles == 1;
    s->reuse = reuse == 1;
    s->leaks = leaks;
    s->spurious = spurious;
    s->cc = json_string_value(json_object_get(json, "cc"));
    s->compile_commands = json_string_value(json_object_get(json, "compile_commands"));
    s->suppressions = json_string_value(json_object_get(json, "suppressions"));
    return read_texts(json_object_get(json, "inputs"), &s->inputs) && s->inputs.count &&
           read_texts(json_object_get(json, "flags"), &s->flags) &&
           read_texts(json_object_get(json, "arguments"), &s->arguments);
}

static const char **read_names(const json_t *array, unsigned *count)
{
    *count = (unsigned)json_array_size(array);
    const char **names = calloc(*count + 1u, sizeof *names);
    PL_ASSERT(names);
    for (unsigned i = 0; i < *count; i++) {
        const char *text = json_string_value(json_array_get(array, i));
        names[i] = text ? text : "";
    }
    return names;
}

/* As many as there are, of those that fit into a byte; false: too many. */
static bool read_bytes(const json_t *array, uint8_t *to, unsigned room, unsigned *count)
{
    *count = (unsigned)json_array_size(array);
    for (unsigned i = 0; i < *count && i < room; i++)
        to[i] = (uint8_t)json_integer_value(json_array_get(array, i));
    return *count <= room;
}

static bool read_why(struct pl_saved *out, const json_t *check)
{
    struct pl_report_check *r = &out->report;
    unsigned threads;
    r->why = json_string_value(json_object_get(check, "why"));
    r->thread = out->thread;
    r->event = out->event;
    r->returned = out->returned;
    if (!read_bytes(json_object_get(check, "threads"), out->thread, sizeof out->thread, &threads) ||
        !read_bytes(json_object_get(check, "history"), out->event, sizeof out->event, &r->events))
        return false;
    for (unsigned k = 0; k < r->events; k++)
        if (out->event[k] / 2u >= r->operations)
            return false;
    return !r->why || threads == r->operations;
}

static bool read_check(struct pl_saved *out, json_t *check)
{
    struct pl_settings *s = &out->settings;
    struct pl_report_check *r = &out->report;
    const char *wire;
    int cxx;
    uint8_t *bytes;
    uint32_t count;
    unsigned responses;
    if (!check)
        return true;
    if (json_unpack(check, "{s:s, s:b, s:s, s:s, s:s, s:s}", "driver", &s->driver, "cxx", &cxx,
                    "wire", &wire, "test", &r->test, "sentence", &r->sentence, "details",
                    &r->details) != 0 ||
        !pl_choices_parse(wire, &bytes, &count))
        return false;
    bool whole = count == sizeof s->check;
    if (whole)
        memcpy(&s->check, bytes, sizeof s->check);
    free(bytes);
    s->driver_cxx = cxx;
    r->name = out->names = read_names(json_object_get(check, "names"), &r->operations);
    r->response = out->responses = read_names(json_object_get(check, "responses"), &responses);
    r->under = json_string_value(json_object_get(check, "under"));
    r->ending = json_string_value(json_object_get(check, "ending"));
    out->steps = json_string_value(json_object_get(check, "steps"));
    out->spec = json_string_value(json_object_get(check, "spec"));
    json_t *returned = json_object_get(check, "returned");
    out->returned = returned ? (uint32_t)json_integer_value(returned) : UINT32_MAX;
    s->report = r;
    return whole && responses == r->operations && r->operations <= PL_CHECK_OPERATIONS &&
           read_why(out, check);
}

static bool read_rest(struct pl_saved *out)
{
    json_int_t execution;
    json_t *choices = json_object_get(out->json, "choices");
    if (json_unpack(out->json, "{s:I, s:{s:s, s:s}}", "execution", &execution, "finding", "kind",
                    &out->kind, "message", &out->message) != 0 ||
        execution < 0)
        return false;
    out->execution = (uint64_t)execution;
    out->has_choices = choices != NULL;
    return !choices ||
           (json_is_string(choices) &&
            pl_choices_parse(json_string_value(choices), &out->choices, &out->choice_count));
}

enum pl_status pl_saved_read(struct pl_saved *out, const char *file, struct pl_error *error)
{
    *out = (struct pl_saved){0};
    json_error_t where;
    if (access(file, R_OK) != 0)
        return pl_fail(error, PL_ERR_INPUT, "%s: %s", file, strerror(errno));
    out->json = json_load_file(file, 0, &where);
    if (!out->json)
        return pl_fail(error, PL_ERR_INPUT, "%s:%d: not a saved finding: %s", file,
                       where.line > 0 ? where.line : 1, where.text);
    json_int_t format = json_integer_value(json_object_get(out->json, "plumb"));
    enum pl_status status = PL_OK;
    if (format < 1)
        status = pl_fail(error, PL_ERR_INPUT, "%s: not a saved finding of plumb", file);
    else if (format > FORMAT)
        status = pl_fail(error, PL_ERR_INPUT, "%s: saved by a newer plumb; use that one", file);
    else if (!read_settings(out->json, &out->settings) || !read_rest(out) ||
             !read_check(out, json_object_get(out->json, "check")))
        status = pl_fail(error, PL_ERR_INPUT, "%s: a saved finding, but damaged", file);
    if (status)
        pl_saved_release(out);
    return status;
}

void pl_saved_release(struct pl_saved *s)
{
    pl_settings_release(&s->settings);
    free(s->choices);
    free(s->names);
    free(s->responses);
    json_decref(s->json);
    *s = (struct pl_saved){0};
}

void pl_saved_changes(const struct pl_saved *s, struct pl_strbuf *out)
{
    json_t *sources = json_object_get(s->json, "sources");
    for (size_t i = 0; i < json_array_size(sources); i++) {
        const char *file, *hash;
        char now[32];
        if (json_unpack(json_array_get(sources, i), "{s:s, s:s}", "file", &file, "xxh64", &hash) !=
            0)
            continue;
        file_hash(file, now, sizeof now);
        if (strcmp(hash, now) != 0)
            pl_strbuf_addf(out, "%s: changed since the finding was saved\n", file);
    }
}
