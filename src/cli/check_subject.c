/* The subject's operations, their marks, its spec: see check_parts.h. */
#include <stdlib.h>
#include <string.h>

#include "cli/check_parts.h"
#include "plan/marks.h"

enum { MOST = 200 }; /* calls: a test has a byte for each */

static struct pl_call *add_call(struct pl_checker *c)
{
    if (!c->calls) {
        c->calls = calloc(MOST, sizeof *c->calls);
        PL_ASSERT(c->calls);
    }
    return &c->calls[c->count];
}

static enum pl_status too_many(struct pl_error *error)
{
    return pl_fail(error, PL_ERR_INPUT, "the tests are made of at most %d calls", MOST);
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

/* ---- --call ---- */

enum pl_status pl_check_read_calls(struct pl_checker *c, struct pl_error *error)
{
    if (c->clients && pl_check_add_putters(c, error))
        return error->status;
    for (size_t i = 0; i < c->call_texts.count; i++) {
        if (c->count == MOST)
            return too_many(error);
        struct pl_call *call = add_call(c);
        enum pl_status status = pl_call_parse(call, c->call_texts.text[i], error);
        if (status)
            return status;
        call->place = (uint8_t)c->count++;
    }
    pl_calls_name(c->calls, c->count);
    return add_given(c, error);
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
        if (c->count == MOST)
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

static enum pl_status read_wire(struct pl_checker *c, struct pl_wire *w, struct pl_error *error)
{
    enum pl_status status = PL_OK;
    if (!is_sound(w))
        return pl_fail(error, PL_ERR_SYSTEM, "the program has damaged what it shares with plumb");
    if (!w->table_count)
        return pl_fail(error, PL_ERR_INPUT,
                       "plumb check: no --call given, and %s has no PLUMB_OP and no PLUMB_CALL: "
                       "which operations does the object have? plumb check --help",
                       c->settings.inputs.text[0]);
    for (uint32_t i = 0; i < w->table_count && !status; i++)
        status = add_operation(c, w, i, error);
    if (status)
        return status;
    pl_calls_name(c->calls, c->count);
    for (uint32_t i = 0; i < w->mark_count && !status; i++)
        status = pl_marks_add(w->names + w->mark[i][0], w->names + w->mark[i][1],
                              c->settings.inputs.text[0], c->calls, c->count, error);
    if (w->spec[0] && !c->spec) {
        c->own_spec = strdup(w->spec);
        PL_ASSERT(c->own_spec);
        c->spec = c->own_spec;
    }
    return status ? status : add_given(c, error);
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

/* What "empty" looks like: the answer of a take on a fresh object. */
static enum pl_status find_empty(struct pl_checker *c, struct pl_against *a, struct pl_error *error)
{
    int take = pl_against_take(a);
    if (take < 0)
        return PL_OK;
    struct pl_test alone = {.threads = 2, .length = {0, 1}, .operation = {(uint8_t)take}};
    struct pl_trial t;
    enum pl_status status = pl_check_trial(c, &t, &alone, "sc", error);
    if (!status && t.responses.count)
        pl_against_set_empty(a, t.responses.at[0].bytes, t.responses.at[0].length);
    pl_trial_release(&t);
    return status;
}

enum pl_status pl_check_find_spec(struct pl_checker *c, struct pl_error *error)
{
    struct pl_against found;
    bool several = strchr(c->spec, '=') != NULL;
    enum pl_status status = (several ? pl_against_init_objects : pl_against_init)(
        &found, c->spec, c->map, c->initial, c->calls, c->count, error);
    for (struct pl_against *a = &found; a && !status; a = a->next)
        status = find_empty(c, a, error);
    c->against = found;
    return status;
}
