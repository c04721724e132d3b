/*
 * The subject's table of operations, to the tool: names, domains of arguments, marks. The values of
 * a domain are in the table, but not how many there are, for a row of an array that is not given
 * is zero; so they are counted in the text of the line.
 */
#include <plumb/check.h>
#include <string.h>

#include "runtime/harness.h"

static uint32_t add_text(size_t *used, const char *text)
{
    if (!text || !*text)
        return 0;
    size_t length = strlen(text) + 1, place = *used;
    if (place + length > sizeof rt.wire->names)
        pl_unsupported("the subject has too many operations, or their text is too long", 0);
    memcpy(rt.wire->names + place, text, length);
    *used += length;
    return (uint32_t)place;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Past a text or a character in quotes that starts here. */
static const char *after_quotes(const char *at)
{
    char quote = *at++;
    while (*at && *at != quote)
        at += at[0] == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

/* What follows ".field" in the text; NULL: it is not there. */
static const char *find_field(const char *text, const char *field)
{
    size_t length = strlen(field);
    for (const char *at = text; *at;) {
        if (*at == '"' || *at == '\'') {
            at = after_quotes(at);
            continue;
        }
        if (at[0] == '.' && strncmp(at + 1, field, length) == 0 && !is_word(at[length + 1]))
            return at + 1 + length;
        at++;
    }
    return NULL;
}

/* Values in the braces after ".field". */
static unsigned count_values(const char *text, const char *field)
{
    const char *at = find_field(text, field);
    unsigned count = 0;
    bool any = false; /* something since the last comma */
    int depth = 0;
    while (at && *at && *at != '{')
        at++;
    while (at && *at) {
        if (*at == '"' || *at == '\'') {
            any = true;
            at = after_quotes(at);
            continue;
        }
        depth += strchr("{([", *at) != NULL;
        depth -= strchr("})]", *at) != NULL;
        if ((*at == ',' && depth == 1) || !depth) {
            count += any;
            any = false;
        } else if (depth > 1 || (*at != '{' && *at != ' ')) {
            any = true;
        }
        if (!depth)
            break;
        at++;
    }
    return count;
}

static void add_domains(struct pl_wire_operation *out, const struct plumb_operation *o)
{
    static const char *const field[] = {"ints", "ints2", "ints3"};
    const long long *const value[] = {o->ints, o->ints2, o->ints3};
    _Static_assert((int)PLUMB_DOMAIN == PL_CHECK_DOMAIN, "the same limits");
    _Static_assert((int)PLUMB_ARGUMENTS == PL_CHECK_ARGUMENTS, "the same limits");
    for (unsigned i = 0; i < PLUMB_ARGUMENTS; i++) {
        unsigned count = count_values(o->text, field[i]);
        if (count > PLUMB_DOMAIN)
            pl_unsupported("PLUMB_OP: an argument has at most 16 values", 0);
        if (count && i && !out->values[i - 1])
            pl_unsupported("PLUMB_OP: .ints2 goes with .ints, and .ints3 with both", 0);
        out->values[i] = (uint8_t)count;
        for (unsigned k = 0; k < count; k++)
            out->value[i][k] = value[i][k];
    }
}

void pl_harness_list(const struct plumb_subject *subject)
{
    struct pl_wire *w = rt.wire;
    size_t used = 1;
    if (subject->operations > PL_CHECK_TABLE)
        pl_unsupported("a subject has at most 200 operations and calls", 0);
    if (subject->marks > PL_CHECK_MARKS)
        pl_unsupported("a subject has at most 32 lines of marks", 0);
    for (size_t i = 0; i < subject->operations; i++) {
        const struct plumb_operation *o = subject->operation[i];
        struct pl_wire_operation *out = &w->table[i];
        out->name = add_text(&used, o->name ? o->name : o->shown);
        out->group = add_text(&used, o->group);
        if (o->limit < 0)
            pl_unsupported("PLUMB_OP: .limit is at least 1, or 0: any number of calls", 0);
        out->limit = (uint32_t)o->limit;
        out->blocking = o->blocking != 0;
        out->may_fail = o->may_fail != 0;
        out->late = o->late != 0;
        out->data_independent = o->data_independent != 0;
        out->is_table = o->function != NULL;
        if (o->function)
            add_domains(out, o);
    }
    for (size_t i = 0; i < subject->marks; i++) {
        w->mark[i][0] = add_text(&used, subject->mark[i]->kind);
        w->mark[i][1] = add_text(&used, subject->mark[i]->names);
    }
    if (subject->steps > PL_CHECK_STEPS)
        pl_unsupported("a spec has at most 64 steps", 0);
    for (size_t i = 0; i < subject->steps; i++) {
        w->step[i] = add_text(&used, subject->step[i]->name);
        if (subject->step[i]->bytes > PL_SPEC_STATE)
            pl_unsupported("the state of a spec has at most 1024 bytes", 0);
        w->state_bytes = (uint32_t)subject->step[i]->bytes;
    }
    w->step_count = (uint32_t)subject->steps;
    w->table_count = (uint32_t)subject->operations;
    w->mark_count = (uint32_t)subject->marks;
    if (subject->is.spec)
        strncpy(w->spec, subject->is.spec, sizeof w->spec - 1);
    if (subject->is.name)
        strncpy(w->title, subject->is.name, sizeof w->title - 1);
}
