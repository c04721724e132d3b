/* The subject's operations, their marks, its spec: see check_parts.h. */
#include <stdlib.h>
#include <string.h>

#include "cli/check_parts.h"
#include "plan/distinct.h"
#include "plan/marks.h"

static struct pl_call *add_call(struct pl_checker *c)
{
    if (!c->calls) {
        c->calls = calloc(PL_CHECK_CALLS, sizeof *c->calls);
        PL_ASSERT(c->calls);
    }
    return &c->calls[c->count];
}

static enum pl_status too_many(struct pl_error *error)
{
    return pl_fail(error, PL_ERR_INPUT, "the tests are made of at most %d calls", PL_CHECK_CALLS);
}

/* ---- marks ---- */

/* Those of the command line; they go for subject files, too. */
static enum pl_status add_given(struct pl_checker *c, struct pl_error *error)
{
    static const char *const kind[] = {"group",    "limit", "blocking",
                                       "may-fail", "late",  "data-independent"};
    enum pl_status status = PL_OK;
    for (unsigned k = 0; k < PL_CHECK_MARK_KINDS; k++)
        for (size_t i = 0; i < c->marks[k].count && !status; i++) {
            char from[32] = "--";
            (void)strncat(from, kind[k], sizeof from - 3);
            status = pl_marks_add(kind[k], c->marks[k].text[i], from, c->calls, c->count, error);
        }
    return status;
}

/* ---- values ---- */

size_t pl_check_calls(const struct pl_checker *c)
{
    size_t count = 0;
    while (count < c->count && !c->calls[count].is_spare)
        count++;
    return count;
}

/* The first of its operation's calls, which may be given any value, and is given one. */
static bool is_example(const struct pl_checker *c, size_t i)
{
    const struct pl_call *of = &c->calls[i];
    int64_t value;
    bool first = true;
    for (size_t k = 0; k < i; k++)
        first = first && (pl_call_name_length(&c->calls[k]) != pl_call_name_length(of) ||
                          strncmp(c->calls[k].shown, of->shown, pl_call_name_length(of)) != 0);
    return first && of->marks.data_independent && pl_call_value(of, &value);
}

/* One more call of an operation of a table; of one that is given as text. */
static enum pl_status add_like(struct pl_checker *c, const struct pl_call *like, int64_t value,
                               struct pl_error *error)
{
    struct pl_call *call = &c->calls[c->count];
    enum pl_status status = PL_OK;
    if (like->is_table) {
        char *name = strndup(like->shown, pl_call_name_length(like));
        PL_ASSERT(name);
        pl_call_operation(call, name, &value, 1);
        call->shown = strdup(call->text);
        PL_ASSERT(call->shown);
        call->place = like->place;
        free(name);
    } else {
        char *text = pl_call_with(like, value);
        if (!text)
            return PL_OK;
        pl_texts_add(&c->made, text);
        status = pl_call_parse(call, text, error);
        call->place = (uint8_t)c->count;
    }
    call->marks = like->marks;
    call->is_spare = true;
    c->count++;
    return status;
}

/* What may be given any value: some more of it, with which a test is given other values where it
 * has equal ones. */
static enum pl_status add_spare(struct pl_checker *c, bool tables, struct pl_error *error)
{
    enum { SPARE = 8 };
    int64_t value, most = 0;
    size_t given = c->count;
    enum pl_status status = PL_OK;
    for (size_t i = 0; i < given; i++)
        if (pl_call_value(&c->calls[i], &value) && value > most)
            most = value;
    for (size_t i = 0; i < given && !status; i++)
        for (int64_t k = 1;
             k <= SPARE && c->calls[i].is_table == tables && is_example(c, i) && !status; k++)
            if (c->count < PL_CHECK_CALLS)
                status = add_like(c, &c->calls[i], most + k, error);
    return status;
}

/* ---- --call ---- */

static enum pl_status check_brackets(const struct pl_driver *d, struct pl_error *error)
{
    const struct {
        const struct pl_texts *given;
        const char *option;
    } of_calls[] = {{&d->setups, "--setup"},
                    {&d->teardowns, "--teardown"},
                    {&d->thread_setups, "--thread-setup"},
                    {&d->thread_teardowns, "--thread-teardown"},
                    {&d->invariants, "--invariant"},
                    {&d->declarations, "--decl"}};
    for (size_t i = 0; i < sizeof of_calls / sizeof *of_calls; i++)
        for (size_t k = 0; k < of_calls[i].given->count; k++)
            if (pl_call_check_brackets(of_calls[i].option, of_calls[i].given->text[k], error))
                return error->status;
    return PL_OK;
}

enum pl_status pl_check_read_calls(struct pl_checker *c, struct pl_error *error)
{
    if (check_brackets(&c->driver, error))
        return error->status;
    if (c->clients && pl_check_add_putters(c, error))
        return error->status;
    for (size_t i = 0; i < c->call_texts.count; i++) {
        if (c->count == PL_CHECK_CALLS)
            return too_many(error);
        struct pl_call *call = add_call(c);
        enum pl_status status = pl_call_parse(call, c->call_texts.text[i], error);
        if (status)
            return status;
        call->place = (uint8_t)c->count++;
    }
    pl_calls_name(c->calls, c->count);
    enum pl_status status = add_given(c, error);
    if (!status)
        status = pl_check_complete_map(c, error);
    if (!status && !c->clients)
        status = add_spare(c, false, error);
    pl_calls_name(c->calls, c->count);
    return status;
}

/* ---- a subject file ---- */

/* Operations that name the same group are in one. */
static uint8_t group_of(const struct pl_wire *w, uint32_t place)
{
    const char *name = w->names + w->table[place].group;
    if (!*name)
        return 0;
    for (uint32_t i = 0; i <= place; i++)
        if (strcmp(w->names + w->table[i].group, name) == 0)
            return (uint8_t)(i + 1);
    return 0;
}

/* Every invocation of an operation: all combinations of its arguments. */
static enum pl_status add_operation(struct pl_checker *c, const struct pl_wire *w, uint32_t place,
                                    struct pl_error *error)
{
    const struct pl_wire_operation *o = &w->table[place];
    unsigned at[PL_CHECK_ARGUMENTS] = {0}, arguments = 0;
    while (arguments < PL_CHECK_ARGUMENTS && o->values[arguments])
        arguments++;
    for (;;) {
        int64_t argument[PL_CHECK_ARGUMENTS];
        if (c->count == PL_CHECK_CALLS)
            return too_many(error);
        struct pl_call *call = add_call(c);
        for (unsigned i = 0; i < arguments; i++)
            argument[i] = o->value[i][at[i]];
        if (o->is_table)
            pl_call_operation(call, w->names + o->name, argument, arguments);
        else if (pl_call_parse(call, w->names + o->name, error))
            return error->status;
        call->place = (uint8_t)place;
        call->marks = (struct pl_marks){.group = group_of(w, place),
                                        .limit = o->limit,
                                        .blocking = o->blocking,
                                        .may_fail = o->may_fail,
                                        .late = o->late,
                                        .data_independent = o->data_independent};
        c->count++;
        unsigned next = arguments;
        while (next && ++at[next - 1] == o->values[next - 1])
            at[--next] = 0;
        if (!next)
            return PL_OK;
    }
}

/* What is on the wire was written by the subject: no text runs out of it. */
static bool is_sound(struct pl_wire *w)
{
    w->names[sizeof w->names - 1] = w->spec[sizeof w->spec - 1] = '\0';
    bool sound = w->table_count <= PL_CHECK_TABLE && w->mark_count <= PL_CHECK_MARKS;
    for (uint32_t i = 0; sound && i < w->table_count; i++) {
        const struct pl_wire_operation *o = &w->table[i];
        sound = o->name < sizeof w->names && o->group < sizeof w->names;
        for (unsigned k = 0; k < PL_CHECK_ARGUMENTS; k++)
            sound = sound && o->values[k] <= PL_CHECK_DOMAIN;
    }
    for (uint32_t i = 0; sound && i < w->mark_count; i++)
        sound = w->mark[i][0] < sizeof w->names && w->mark[i][1] < sizeof w->names;
    return sound;
}

/* What goes with --call has no meaning beside a table of the subject's own. */
static enum pl_status refuse_options(const struct pl_checker *c, struct pl_error *error)
{
    const struct pl_driver *d = &c->driver;
    const struct {
        const struct pl_texts *given;
        const char *option, *instead;
    } of_calls[] = {
        {&d->setups, "--setup", ".setup or PLUMB_SETUP"},
        {&d->teardowns, "--teardown", ".teardown or PLUMB_TEARDOWN"},
        {&d->thread_setups, "--thread-setup", ".thread_setup or PLUMB_THREAD_SETUP"},
        {&d->thread_teardowns, "--thread-teardown", ".thread_teardown or PLUMB_THREAD_TEARDOWN"},
        {&d->invariants, "--invariant", ".invariant or PLUMB_INVARIANT"},
    };
    for (size_t i = 0; i < sizeof of_calls / sizeof *of_calls; i++)
        if (of_calls[i].given->count)
            return pl_fail(error, PL_ERR_INPUT,
                           "%s: goes with --call; %s has its operations itself, and says this with "
                           "%s, too",
                           of_calls[i].option, c->settings.inputs.text[0], of_calls[i].instead);
    return PL_OK;
}

/* What stands in the table more than once would be run more than once. */
static enum pl_status refuse_twice(const struct pl_checker *c, struct pl_error *error)
{
    for (size_t i = 0; i < c->count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(c->calls[i].text, c->calls[k].text) == 0)
                return pl_fail(error, PL_ERR_INPUT, "%s: %s is among its operations twice",
                               c->settings.inputs.text[0], c->calls[i].text);
    return PL_OK;
}

static enum pl_status read_wire(struct pl_checker *c, struct pl_wire *w, struct pl_error *error)
{
    enum pl_status status = PL_OK;
    if (!is_sound(w))
        return pl_fail(error, PL_ERR_SYSTEM, "the program has damaged what it shares with plumb");
    if (!w->table_count)
        return pl_fail(error, PL_ERR_INPUT,
                       "plumb %s: no --call given, and %s has no PLUMB_OP and no PLUMB_CALL: "
                       "which operations does the object have? plumb %s --help",
                       c->execute.command, c->settings.inputs.text[0], c->execute.command);
    status = refuse_options(c, error);
    for (uint32_t i = 0; i < w->table_count && !status; i++)
        status = add_operation(c, w, i, error);
    if (!status)
        status = refuse_twice(c, error);
    if (status)
        return status;
    pl_calls_name(c->calls, c->count);
    for (uint32_t i = 0; i < w->mark_count && !status; i++) {
        const char *text = w->names + w->mark[i][1];
        if (strcmp(w->names + w->mark[i][0], "factor") == 0 && c->own_factor)
            return pl_fail(error, PL_ERR_INPUT, "%.200s:%.*s: PLUMB_FACTOR: there is one already",
                           c->settings.inputs.text[0], (int)strcspn(text, ":"), text);
        if (strcmp(w->names + w->mark[i][0], "factor") == 0) {
            c->own_factor = strdup(text);
            PL_ASSERT(c->own_factor);
            continue;
        }
        status = pl_marks_add(w->names + w->mark[i][0], text, c->settings.inputs.text[0], c->calls,
                              c->count, error);
    }
    if (w->step_count && !c->spec)
        c->spec = "written";
    if (w->spec[0] && !c->spec) {
        c->own_spec = strdup(w->spec);
        PL_ASSERT(c->own_spec);
        c->spec = c->own_spec;
    }
    if (!status)
        status = add_given(c, error);
    if (!status)
        status = pl_check_complete_map(c, error);
    if (!status)
        status = add_spare(c, true, error);
    return status;
}

enum pl_status pl_check_read_table(struct pl_checker *c, struct pl_error *error)
{
    struct pl_execute *e = &c->execute;
    e->options->check = (struct pl_wire_check){.mode = PL_CHECK_LIST, .columns = 1};
    enum pl_status status = pl_check_session(c, NULL, (const uint8_t *)"", error);
    if (!status && e->session.refused) {
        pl_execute_refusal(e, error);
        status = error->status;
    }
    if (!status)
        status = read_wire(c, e->session.process[0]->wire, error);
    return status ? status : pl_check_make_agenda(c, error);
}

/* ---- the spec ---- */

enum pl_status pl_check_read_empty(struct pl_checker *c, struct pl_error *error)
{
    struct pl_deciding *d = &c->deciding;
    char *end;
    if (!c->empty)
        return PL_OK;
    d->has_empty = true;
    if (strcmp(c->empty, "NULL") == 0 || strcmp(c->empty, "nullptr") == 0) {
        d->empty = PL_NIL;
        return PL_OK;
    }
    if (strcmp(c->empty, "false") == 0)
        return PL_OK;
    d->empty = strtoll(c->empty, &end, 0);
    if (end == c->empty || *end)
        return pl_fail(error, PL_ERR_INPUT, "--empty: '%s' is not a number, NULL or false",
                       c->empty);
    return PL_OK;
}

static enum pl_status start_written(struct pl_checker *c, struct pl_error *error)
{
    const struct pl_written_options options = {
        .program = c->execute.subject.built.program,
        .argv = c->execute.subject.argv,
        .options = c->execute.options,
        .calls = c->calls,
        .count = c->count,
        .hang_seconds = c->settings.hang_seconds,
        .has_empty = c->deciding.has_empty,
        .empty = c->deciding.empty,
    };
    c->against = (struct pl_against){0};
    pl_history_init(&c->against.history);
    return pl_written_new(&c->against.written, &options, error);
}

/* What the call answers on a fresh object; *length is 0 if it does not. */
static enum pl_status answer_alone(struct pl_checker *c, int call, uint8_t *out, uint8_t *length,
                                   struct pl_error *error)
{
    struct pl_test alone = {.threads = 2, .length = {0, 1}, .operation = {(uint8_t)call}};
    struct pl_trial t;
    *length = 0;
    if (call < 0)
        return PL_OK;
    enum pl_status status = pl_check_trial(c, &t, &alone, "sc", error);
    if (!status && t.responses.count) {
        *length = t.responses.at[0].length;
        memcpy(out, t.responses.at[0].bytes, *length);
    }
    pl_trial_release(&t);
    return status;
}

/* What "empty" looks like: the answer of a take; and how long a scan is. */
static enum pl_status look_at_fresh(struct pl_checker *c, struct pl_against *a,
                                    struct pl_error *error)
{
    uint8_t answer[UINT8_MAX], length = 0;
    int take = pl_against_take(a), scan = pl_against_scan(a);
    enum pl_status status = answer_alone(c, take, answer, &length, error);
    if (!status && length)
        pl_against_set_empty(a, (unsigned)take, answer, length);
    if (!status)
        status = pl_against_check_empty(a, c->calls, error);
    if (!status)
        status = answer_alone(c, scan, answer, &length, error);
    if (!status && length)
        pl_against_set_scan(a, (unsigned)scan, answer, length);
    return status;
}

enum pl_status pl_check_find_spec(struct pl_checker *c, struct pl_error *error)
{
    if (strcmp(c->spec, "written") == 0)
        return start_written(c, error);
    struct pl_against found = {0};
    bool several = strchr(c->spec, '=') != NULL;
    enum pl_status status = pl_against_check_map(c->map, c->calls, c->count, several, error);
    if (!status)
        status = (several ? pl_against_init_objects : pl_against_init)(
            &found, c->spec, c->map, c->initial, c->calls, c->count, error);
    for (struct pl_against *a = &found; a && !status; a = a->next) {
        a->empty_given = c->deciding.has_empty;
        a->empty_number = c->deciding.empty;
        status = look_at_fresh(c, a, error);
    }
    c->against = found;
    return status;
}
