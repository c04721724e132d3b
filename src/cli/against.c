/* Against a built-in spec: see against.h. */
#include "cli/against.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/literal.h"
#include "spec/codes.h"

/* ---- which operation a call is ---- */

static enum pl_status read_number(const char *text, size_t length, const char *of, pl_value *out,
                                  struct pl_error *error)
{
    int64_t value;
    if (!pl_literal_read(text, length, &value))
        return pl_fail(error, PL_ERR_INPUT,
                       "--spec: '%.*s' in %s is not a number, which a spec needs: write its value",
                       (int)length, text, of);
    *out = value;
    if (*out > PL_NUMBER_MOST || *out < -PL_NUMBER_MOST)
        return pl_fail(error, PL_ERR_INPUT,
                       "--spec: '%.*s' in %s is too large; a spec's numbers are below 2^62",
                       (int)length, text, of);
    return PL_OK;
}

/* Is the name a word of the text? */
static bool mentions(const char *text, size_t length, const char *name)
{
    size_t size = strlen(name);
    for (size_t i = 0; i + size <= length; i++) {
        bool starts = i == 0 || !(isalnum((unsigned char)text[i - 1]) || text[i - 1] == '_');
        bool ends = i + size == length ||
                    !(isalnum((unsigned char)text[i + size]) || text[i + size] == '_');
        if (starts && ends && strncmp(text + i, name, size) == 0)
            return true;
    }
    return false;
}

/* Where the operation's name starts: of `q1.push(…)` or `q1->push(…)`, behind the object. */
static const char *name_in(const char *shown, const char *open)
{
    const char *name = open;
    while (name > shown && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
        name--;
    return name;
}

static bool is_called(const char *name, const struct pl_call *calls, size_t count, bool objects)
{
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        const char *open = calls[i].shown + pl_call_name_length(&calls[i]);
        const char *start = objects ? name_in(calls[i].shown, open) : calls[i].shown;
        found = strlen(name) == (size_t)(open - start) && strncmp(start, name, strlen(name)) == 0;
    }
    return found;
}

enum pl_status pl_against_check_map(const char *map, const struct pl_call *calls, size_t count,
                                    bool objects, struct pl_error *error)
{
    enum pl_status status = PL_OK;
    for (const char *at = map ? map : ""; *at && !status;) {
        size_t length = strcspn(at, ","), equals = strcspn(at, "=");
        size_t start =
            equals < length ? equals + 1 : length; /* what has none is refused elsewhere */
        char *yours = strndup(at + start, length - start);
        PL_ASSERT(yours);
        if (yours[0] && !is_called(yours, calls, count, objects))
            status = pl_call_unknown("--map", yours, calls, count, error);
        free(yours);
        at += length + (at[length] == ',');
    }
    return status;
}

static enum pl_status find_meaning(struct pl_against *a, struct pl_names *names,
                                   const struct pl_call *call, struct pl_meant *out,
                                   struct pl_error *error)
{
    const char *open = call->shown + pl_call_name_length(call);
    const char *name = a->object ? name_in(call->shown, open) : call->shown;
    int code = pl_names_find(names, name, (size_t)(open - name));
    if (code < 0)
        return pl_fail(error, PL_ERR_INPUT,
                       "--spec %s: which of its operations is %s? name it with --map OURS=YOURS "
                       "(%s)",
                       a->spec->name, call->shown, a->spec->help);
    unsigned arguments = 0;
    out->word = pl_words_of(&a->spec->words, (uint8_t)code);
    out->operation = (struct pl_operation){.code = (uint8_t)code, .result = PL_ANY};
    out->outs = call->outs[0] != '\0';
    out->blocking = call->marks.blocking;
    for (unsigned i = 0; i < PL_MOST_ARGUMENTS; i++)
        out->operation.argument[i] = PL_NIL;
    for (const char *at = *open ? open + 1 : open; *at && *at != ')';) {
        const char *end = pl_call_find(at, ",)");
        if (a->object && mentions(at, (size_t)(end - at), a->object)) {
            at = *end == ',' ? end + 1 : end;
            continue;
        }
        if (arguments < PL_MOST_ARGUMENTS) {
            enum pl_status status = read_number(at, (size_t)(end - at), call->shown,
                                                &out->operation.argument[arguments], error);
            if (status)
                return status;
        }
        arguments++;
        at = *end == ',' ? end + 1 : end;
    }
    if (arguments != out->word->arguments)
        return pl_fail(error, PL_ERR_INPUT,
                       "--spec %s: %s has %u argument%s besides the object, the spec's %.*s %u",
                       a->spec->name, call->shown, arguments, arguments == 1 ? "" : "s",
                       (int)strcspn(out->word->names, "|"), out->word->names, out->word->arguments);
    return PL_OK;
}

static enum pl_status init(struct pl_against *a, char *object, const char *spec, const char *map,
                           const char *initial, const struct pl_call *calls, size_t count,
                           struct pl_error *error)
{
    struct pl_names names;
    *a = (struct pl_against){.object = object, .spec = pl_spec_find(spec), .map = map};
    if (!a->spec)
        return pl_fail(error, PL_ERR_INPUT,
                       "--spec: there is no '%s'; plumb history --help lists them", spec);
    pl_history_init(&a->history);
    char *end = NULL;
    a->initial = initial ? strtoll(initial, &end, 0) : 0;
    if (initial && (end == initial || *end))
        return pl_fail(error, PL_ERR_INPUT, "--initial: '%s' is not a number", initial);
    enum pl_status status = pl_names_make(&names, &a->spec->words, map, error);
    if (status)
        return status;
    a->meant = calloc(count, sizeof *a->meant);
    PL_ASSERT(a->meant);
    for (; a->count < count && !status; a->count++) {
        const struct pl_call *call = &calls[a->count];
        if (!object || mentions(call->text, strlen(call->text), object))
            status = find_meaning(a, &names, call, &a->meant[a->count], error);
    }
    pl_names_release(&names);
    return status;
}

enum pl_status pl_against_init(struct pl_against *a, const char *spec, const char *map,
                               const char *initial, const struct pl_call *calls, size_t count,
                               struct pl_error *error)
{
    return init(a, NULL, spec, map, initial, calls, count, error);
}

/* Each call is of one object. */
static enum pl_status check_objects(const struct pl_against *first, const struct pl_call *calls,
                                    size_t count, struct pl_error *error)
{
    for (size_t i = 0; i < count; i++) {
        unsigned objects = 0;
        for (const struct pl_against *a = first; a; a = a->next)
            objects += a->meant && a->meant[i].word;
        if (objects != 1)
            return pl_fail(error, PL_ERR_INPUT,
                           "--spec: %s names %s of the objects: which one is it a call of?",
                           calls[i].text, objects ? "several" : "none");
    }
    return PL_OK;
}

enum pl_status pl_against_init_objects(struct pl_against *out, const char *specs, const char *map,
                                       const char *initial, const struct pl_call *calls,
                                       size_t count, struct pl_error *error)
{
    struct pl_against *a = out;
    unsigned objects = 0;
    for (const char *at = specs;; objects++) {
        size_t length = strcspn(at, ","), name = strcspn(at, "=");
        if (name == 0 || name >= length || objects == PL_OBJECTS)
            return pl_fail(error, PL_ERR_INPUT,
                           "--spec: '%s' is not OBJECT=SPEC,...: at most %d objects", specs,
                           PL_OBJECTS);
        char *object = strndup(at, name), *spec = strndup(at + name + 1, length - name - 1);
        PL_ASSERT(object && spec);
        if (objects) {
            a->next = calloc(1, sizeof *a);
            PL_ASSERT(a->next);
            a = a->next;
        }
        enum pl_status status = init(a, object, spec, map, initial, calls, count, error);
        free(spec);
        if (status)
            return status;
        if (!at[length])
            break;
        at += length + 1;
        at += strspn(at, " ");
    }
    return check_objects(out, calls, count, error);
}

void pl_against_release(struct pl_against *a)
{
    pl_history_release(&a->history);
    free(a->meant);
    free(a->object);
    if (a->next) {
        pl_against_release(a->next);
        free(a->next);
    }
    pl_written_free(a->written);
    *a = (struct pl_against){0};
}

/* ---- what an answer means ---- */

/* A floating-point number that is whole is that number, any other its text. */
static pl_value real_at(struct pl_against *a, const uint8_t *bytes, unsigned at)
{
    const double most = 4e18;
    char text[40];
    float single;
    double real = 0;
    if (bytes[at + 1] == sizeof single) {
        memcpy(&single, bytes + at + 2, sizeof single);
        real = (double)single;
    } else {
        memcpy(&real, bytes + at + 2, bytes[at + 1] < sizeof real ? bytes[at + 1] : sizeof real);
    }
    if (real > -most && real < most && !((double)(pl_value)real < real) &&
        !((double)(pl_value)real > real))
        return (pl_value)real;
    int count = snprintf(text, sizeof text, "%.17g", real);
    return pl_values_text(&a->history.values, text, (size_t)count);
}

/* No string that is returned is the same. */
static pl_value thrown_at(struct pl_against *a, const char *type, unsigned size)
{
    char text[PL_CHECK_RESPONSE + 16];
    int count = snprintf(text, sizeof text, "\x01throws %.*s", (int)size, type);
    return pl_values_text(&a->history.values, text, (size_t)count);
}

/*
 * The value at `at` of a response. What is too large for a number of a history (history.h) is the
 * text of it: LONG_MIN is not nothing, nor the next one any answer. So are a string, and bytes that
 * are more than a number has.
 */
static pl_value value_at(struct pl_against *a, const uint8_t *bytes, unsigned length, unsigned at)
{
    pl_value number = pl_against_number(bytes, length, at);
    int64_t whole = 0;
    char text[32];
    if (at + 2 > length || at + 2u + bytes[at + 1] > length)
        return number;
    const char *rest = (const char *)bytes + at + 2;
    switch ((enum pl_response_kind)bytes[at]) {
    case PL_RESPONSE_VOID:
    case PL_RESPONSE_EMPTY:
        return number;
    case PL_RESPONSE_FLOAT:
        return real_at(a, bytes, at);
    case PL_RESPONSE_TEXT:
        return pl_values_text(&a->history.values, rest, bytes[at + 1]);
    case PL_RESPONSE_THROWS:
        return thrown_at(a, rest, bytes[at + 1]);
    case PL_RESPONSE_BYTES:
        if (bytes[at + 1] > sizeof whole)
            return pl_values_text(&a->history.values, rest, bytes[at + 1]);
        break;
    case PL_RESPONSE_SIGNED:
    case PL_RESPONSE_UNSIGNED:
    case PL_RESPONSE_BOOL:
    case PL_RESPONSE_POINTER:
    case PL_RESPONSE_BLOCKS:
        break;
    }
    if (bytes[at + 1] >= sizeof whole)
        memcpy(&whole, rest, sizeof whole);
    if (whole <= PL_NUMBER_MOST && whole >= -PL_NUMBER_MOST)
        return number;
    int count = snprintf(text, sizeof text, "%lld", (long long)whole);
    return pl_values_text(&a->history.values, text, (size_t)count);
}

/* All values of a response; those of an array or a structure are taken to be ints. */
static pl_value list_of(struct pl_against *a, const uint8_t *bytes, unsigned length)
{
    pl_value member[PL_CHECK_RESPONSE];
    size_t count = 0;
    for (unsigned at = 0; at + 2 <= length && at + 2 + bytes[at + 1] <= length;
         at += 2u + bytes[at + 1]) {
        if (bytes[at] == PL_RESPONSE_BYTES) {
            for (unsigned i = 0; i + sizeof(int) <= bytes[at + 1]; i += sizeof(int)) {
                int value;
                memcpy(&value, bytes + at + 2 + i, sizeof value);
                member[count++] = value;
            }
        } else if (bytes[at] != PL_RESPONSE_VOID && bytes[at] != PL_RESPONSE_EMPTY) {
            member[count++] = value_at(a, bytes, length, at);
        }
    }
    return pl_values_list(&a->history.values, member, count);
}

/* Does the operation answer nothing where there is none? */
static bool may_be_empty(const struct pl_against *a, const struct pl_meant *m)
{
    return m->word->answer == PL_ANSWER_TAKE ||
           (a->spec == &pl_spec_map && m->operation.code == PL_MAP_SWAP);
}

static bool is_take(const struct pl_against *a, size_t call)
{
    const struct pl_meant *m = &a->meant[call];
    return m->word && may_be_empty(a, m) && !m->blocking;
}

int pl_against_take(const struct pl_against *a)
{
    int found = -1; /* one with an out-parameter only if there is no other: mostly it has a flag */
    for (size_t i = a->count; i-- > 0 && !a->empty_given;)
        if (is_take(a, i) && (found < 0 || !a->meant[i].outs || a->meant[found].outs))
            found = (int)i;
    return found;
}

int pl_against_scan(const struct pl_against *a)
{
    for (size_t i = 0; i < a->count; i++)
        if (a->meant[i].word && a->meant[i].word->answer == PL_ANSWER_LIST && a->spec->has_initial)
            return (int)i;
    return -1;
}

void pl_against_set_scan(struct pl_against *a, unsigned call, const uint8_t *bytes, uint8_t length)
{
    struct pl_operation *o = pl_history_add(&a->history);
    *o = a->meant[call].operation;
    o->result = list_of(a, bytes, length);
}

/* A call of type void that leaves its answer in an out-parameter: only that counts. */
static void skip_void(const uint8_t **bytes, uint8_t *length)
{
    if (*length > 2 && (*bytes)[0] == PL_RESPONSE_VOID && !(*bytes)[1]) {
        *bytes += 2;
        *length = (uint8_t)(*length - 2);
    }
}

void pl_against_set_empty(struct pl_against *a, unsigned call, const uint8_t *bytes, uint8_t length)
{
    const uint8_t whole = length;
    skip_void(&bytes, &length);
    a->has_empty = length <= sizeof a->empty && (!a->meant[call].outs || length != whole);
    a->empty_length = length;
    if (a->has_empty)
        memcpy(a->empty, bytes, length);
}

pl_value pl_against_failing(const struct pl_against *a, unsigned call)
{
    switch (a->meant[call].word->answer) {
    case PL_ANSWER_TAKE:
        return PL_NIL;
    case PL_ANSWER_NONE: /* a put that says it did not */
    case PL_ANSWER_BOOL:
    case PL_ANSWER_SUCCESS:
        return 0;
    case PL_ANSWER_VALUE:
    case PL_ANSWER_LIST:
        break;
    }
    return PL_ANY;
}

bool pl_against_is_failing(const struct pl_against *a, unsigned call, pl_value response)
{
    return a->written ? pl_written_is_failing(a->written, response)
                      : response != PL_ANY && response == pl_against_failing(a, call);
}

pl_value pl_against_number(const uint8_t *bytes, unsigned length, unsigned at)
{
    uint64_t value = 0;
    if (at + 2 > length || at + 2 + bytes[at + 1] > length || bytes[at] == PL_RESPONSE_VOID ||
        bytes[at] == PL_RESPONSE_EMPTY)
        return PL_NIL;
    unsigned size = bytes[at + 1] < 8 ? bytes[at + 1] : 8;
    memcpy(&value, bytes + at + 2, size);
    if (bytes[at] == PL_RESPONSE_SIGNED && size && size < 8 && (value >> (8 * size - 1) & 1))
        value |= ~(uint64_t)0 << 8 * size;
    return bytes[at] == PL_RESPONSE_POINTER && !value ? PL_NIL : (pl_value)value;
}

pl_value pl_against_last(const uint8_t *bytes, unsigned length)
{
    unsigned at = 0;
    while (at + 2 <= length && at + 2u + bytes[at + 1] < length)
        at += 2u + bytes[at + 1];
    return pl_against_number(bytes, length, at);
}

static bool is_false(pl_value value)
{
    return value == 0 || value == PL_NIL;
}

/*
 * What an answer has of one value: that, and whether a flag beside it says that there is one. With
 * an out-parameter the flag is what the call answers itself, and the value is missing if it is
 * false; otherwise, of two values, the one that is a bool.
 */
struct parts {
    pl_value value; /* the first one if there is no flag */
    bool flagged, flag;
    bool silent; /* it says nothing */
    bool many;   /* there are more, and nothing tells which one counts */
};

static struct parts parts_of(struct pl_against *a, const struct pl_meant *m, const uint8_t *bytes,
                             uint8_t length)
{
    const uint8_t whole = length;
    unsigned at[3], count = 0, flag = 2;
    skip_void(&bytes, &length);
    for (unsigned i = 0; i + 2 <= length && i + 2u + bytes[i + 1] <= length;
         i += 2u + bytes[i + 1]) {
        bool mark = bytes[i] == PL_RESPONSE_EMPTY && bytes[i + 1]; /* around a list */
        if (!mark && count++ < 3)
            at[count - 1] = i;
    }
    struct parts p = {.value = PL_NIL, .silent = !count || bytes[0] == PL_RESPONSE_VOID};
    if (m->outs && length == whole)
        flag = 0;
    else if (count == 2)
        flag = bytes[at[0]] == PL_RESPONSE_BOOL ? 0 : bytes[at[1]] == PL_RESPONSE_BOOL ? 1 : 2;
    p.flagged = flag < 2 && count;
    p.flag = p.flagged && !is_false(value_at(a, bytes, length, at[flag]));
    p.many = count > (p.flagged ? 2u : 1u);
    if (count > p.flagged)
        p.value = value_at(a, bytes, length, at[p.flagged && flag == 0]);
    return p;
}

static bool is_empty(struct pl_against *a, const uint8_t *bytes, uint8_t length)
{
    skip_void(&bytes, &length);
    if (a->empty_given)
        return value_at(a, bytes, length, 0) == a->empty_number;
    return a->has_empty && length == a->empty_length && memcmp(bytes, a->empty, length) == 0;
}

/* The value that means nothing; PL_ANY: there is none, as where a flag says so. */
static pl_value nothing(struct pl_against *a)
{
    for (size_t i = 0; i < a->count; i++) {
        if (!is_take(a, i))
            continue;
        if (a->empty_given)
            return a->meant[i].outs ? PL_ANY : a->empty_number;
        struct parts p = parts_of(a, &a->meant[i], a->empty, a->empty_length);
        if (a->has_empty)
            return p.flagged ? PL_ANY : p.value;
    }
    return PL_ANY;
}

enum pl_status pl_against_check_empty(struct pl_against *a, struct pl_call *calls,
                                      struct pl_error *error)
{
    const pl_value empty = nothing(a);
    for (size_t i = 0; i < a->count && empty != PL_ANY; i++) {
        const struct pl_meant *m = &a->meant[i];
        if (!m->word || m->word->answer != PL_ANSWER_NONE || !m->word->arguments ||
            m->operation.argument[m->word->arguments - 1] != empty)
            continue;
        calls[i].marks.data_independent = false; /* so no test gets it in place of another */
        if (!calls[i].is_spare)
            return pl_fail(
                error, PL_ERR_INPUT,
                "--spec %s: %s puts in what is answered where there is nothing: which of "
                "the two an answer means is not known; put in something else",
                a->spec->name, calls[i].shown);
    }
    return PL_OK;
}

/* A take, or a value. */
static pl_value one_value(struct pl_against *a, unsigned call, struct parts p)
{
    if (p.many && !a->unfit)
        a->unfit = call + 1;
    return p.flagged && !p.flag ? PL_NIL : p.value;
}

pl_value pl_against_value(struct pl_against *a, unsigned call, const uint8_t *bytes, uint8_t length)
{
    if (a->written)
        return pl_written_value(a->written, call, bytes, length);
    const struct pl_meant *m = &a->meant[call];
    const struct parts p = parts_of(a, m, bytes, length);
    const bool holds = p.flagged ? p.flag : !is_false(p.value);
    switch (m->word->answer) {
    case PL_ANSWER_NONE: /* a flag that says it failed is no answer of the spec's */
        return length >= 2 && bytes[0] == PL_RESPONSE_BOOL && !bytes[2] ? 0 : PL_NIL;
    case PL_ANSWER_TAKE:
    case PL_ANSWER_VALUE:
        if (p.silent && m->word->answer == PL_ANSWER_VALUE)
            return PL_ANY;
        if (may_be_empty(a, m) && !p.flagged && is_empty(a, bytes, length))
            return PL_NIL;
        return one_value(a, call, p);
    case PL_ANSWER_BOOL:
        return p.silent ? PL_ANY : holds;
    case PL_ANSWER_SUCCESS:
        return p.silent ? 1 : holds;
    case PL_ANSWER_LIST:
        return list_of(a, bytes, length);
    }
    return PL_ANY;
}

void pl_against_print(const struct pl_against *a, pl_value value, struct pl_strbuf *out)
{
    if (a->written)
        pl_strbuf_add(out, pl_written_text(a->written, value));
    else if (value == PL_NIL)
        pl_strbuf_add(out, "nothing");
    else
        pl_values_print(&a->history.values, value, out);
}
