/* Invocations as the user writes them: see call.h. */
#include "plan/call.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "plan/literal.h"

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const char *after_quotes(const char *at)
{
    char quote = *at++;
    while (*at && *at != quote)
        at += at[0] == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

const char *pl_call_find(const char *text, const char *characters)
{
    int depth = 0;
    while (*text) {
        if (depth <= 0 && strchr(characters, *text))
            return text;
        if (*text == '"' || *text == '\'') {
            text = after_quotes(text);
            continue;
        }
        depth += strchr("([{", *text) != NULL;
        depth -= strchr(")]}", *text) != NULL;
        text++;
    }
    return text;
}

char *pl_call_tidy(const char *text, size_t length)
{
    struct pl_strbuf out;
    const char *end = text + length;
    pl_strbuf_init(&out);
    while (text < end) {
        if (*text == '"' || *text == '\'') {
            const char *after = after_quotes(text);
            after = after > end ? end : after;
            pl_strbuf_add_bytes(&out, text, (size_t)(after - text));
            text = after;
            continue;
        }
        if (isspace((unsigned char)*text)) {
            while (text < end && isspace((unsigned char)*text))
                text++;
            if (text < end && out.length && is_word(out.text[out.length - 1]) && is_word(*text))
                pl_strbuf_add(&out, " ");
            continue;
        }
        pl_strbuf_add_bytes(&out, text++, 1);
    }
    return pl_strbuf_detach(&out);
}

static char *copy(const char *text, size_t length)
{
    while (length && isspace((unsigned char)text[0]))
        text++, length--;
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    char *out = strndup(text, length);
    PL_ASSERT(out);
    return out;
}

/* The last "->" or "=>" with blanks around it, outside of brackets. */
static const char *find_arrow(const char *text)
{
    const char *found = NULL;
    for (const char *at = text; *(at = pl_call_find(at, "-=")); at++)
        if (at[1] == '>' && at > text && isspace((unsigned char)at[-1]) &&
            (!at[2] || isspace((unsigned char)at[2])))
            found = at;
    return found;
}

/* Where the name that ends there begins: pop, q.pop, q->pop, queue::pop. */
static size_t name_start(const char *call, size_t end)
{
    for (;;) {
        while (end && is_word(call[end - 1]))
            end--;
        if (end && call[end - 1] == '.')
            end--;
        else if (end > 1 &&
                 (strncmp(call + end - 2, "->", 2) == 0 || strncmp(call + end - 2, "::", 2) == 0))
            end -= 2;
        else
            return end;
    }
}

/* Length of a type in front: words and stars before the name that is called. */
static size_t type_length(const char *call)
{
    size_t name = strcspn(call, "(");
    if (!call[name] || !(isalpha((unsigned char)call[0]) || call[0] == '_'))
        return 0;
    while (name && isspace((unsigned char)call[name - 1]))
        name--;
    name = name_start(call, name);
    size_t words = 0;
    for (size_t i = 0; i < name; i++) {
        if (!is_word(call[i]) && !isspace((unsigned char)call[i]) && call[i] != '*')
            return 0;
        words += is_word(call[i]);
    }
    return words ? name : 0;
}

enum pl_status pl_call_check_brackets(const char *option, const char *text, struct pl_error *error)
{
    static const char opens[] = "([{", closes[] = ")]}";
    char awaited[64];
    size_t depth = 0;
    for (const char *at = text; *at; at++) {
        const char *opening = strchr(opens, *at);
        bool in_number = *at == '\'' && at > text && isxdigit((unsigned char)at[-1]); /* 1'000 */
        if (*at == '"' || (*at == '\'' && !in_number)) {
            at = after_quotes(at) - 1;
        } else if (opening && depth == sizeof awaited) {
            return PL_OK; /* for the compiler to say */
        } else if (opening) {
            awaited[depth++] = closes[opening - opens];
        } else if (strchr(closes, *at) && (!depth || awaited[--depth] != *at)) {
            return pl_fail(error, PL_ERR_INPUT, "%s: in '%s' nothing opens a '%c'", option, text,
                           *at);
        }
    }
    if (depth)
        return pl_fail(error, PL_ERR_INPUT, "%s: in '%s' a '%c' is missing", option, text,
                       awaited[depth - 1]);
    return PL_OK;
}

static enum pl_status parse(struct pl_call *out, const char *text, struct pl_error *error)
{
    const char *arrow = find_arrow(text), *end = arrow ? arrow : text + strlen(text);
    const char *start = text;
    for (const char *at = text; *(at = pl_call_find(at, ";")) && at < end; at++)
        start = at + 1;
    char *call = copy(start, (size_t)(end - start));
    size_t type = type_length(call);
    out->given = strdup(text);
    out->text = pl_call_tidy(text, strlen(text));
    out->declarations = copy(text, (size_t)(start - text));
    out->type = copy(call, type);
    out->call = copy(call + type, strlen(call) - type);
    out->outs = arrow ? copy(arrow + 2, strlen(arrow + 2)) : strdup("");
    out->always = arrow && *arrow == '=';
    free(call);
    PL_ASSERT(out->given && out->outs);
    if (arrow && !out->outs[0]) {
        pl_call_release(out);
        return pl_fail(error, PL_ERR_INPUT,
                       "--call: '%s' names no variable behind the arrow; write 'int v; deq(&q, &v) "
                       "-> v'",
                       text);
    }
    if (!out->call[0]) {
        pl_call_release(out);
        return pl_fail(error, PL_ERR_INPUT,
                       "--call: '%s' has no call; write 'enq(&q, 1)' or 'int v; deq(&q, &v) -> v'",
                       text);
    }
    return PL_OK;
}

enum pl_status pl_call_parse(struct pl_call *out, const char *text, struct pl_error *error)
{
    *out = (struct pl_call){0};
    enum pl_status status = pl_call_check_brackets("--call", text, error);
    if (status)
        return status;
    size_t length = strlen(text); /* as a statement is written, perhaps */
    while (length && strchr("; \t\n", text[length - 1]))
        length--;
    char *call = strndup(text, length);
    PL_ASSERT(call);
    status = parse(out, call, error);
    free(call);
    return status;
}

void pl_call_operation(struct pl_call *out, const char *name, const int64_t *argument,
                       unsigned arguments)
{
    struct pl_strbuf text;
    *out = (struct pl_call){.is_table = true, .arguments = (uint8_t)arguments};
    pl_strbuf_init(&text);
    pl_strbuf_addf(&text, "%s(", name);
    for (unsigned i = 0; i < arguments; i++) {
        out->argument[i] = argument[i];
        pl_strbuf_addf(&text, "%s%lld", i ? "," : "", (long long)argument[i]);
    }
    pl_strbuf_add(&text, ")");
    out->text = copy(text.text, text.length);
    out->call = pl_strbuf_detach(&text);
    out->declarations = copy("", 0);
    out->type = copy("", 0);
    out->outs = copy("", 0);
}

size_t pl_call_name_length(const struct pl_call *call)
{
    return strcspn(call->shown, "(");
}

enum pl_status pl_call_unknown(const char *from, const char *word, const struct pl_call *calls,
                               size_t count, struct pl_error *error)
{
    struct pl_strbuf names;
    pl_strbuf_init(&names);
    for (size_t i = 0; i < count && !calls[i].is_spare; i++)
        pl_strbuf_addf(&names, "%s%s", i ? ", " : "", calls[i].shown);
    enum pl_status status =
        pl_fail(error, PL_ERR_INPUT, "%s: there is no operation '%.200s'; there are %.600s", from,
                word, names.text);
    pl_strbuf_release(&names);
    return status;
}

enum pl_status pl_call_numbers(const struct pl_call *call, int64_t *out, unsigned most,
                               unsigned *count, struct pl_error *error)
{
    const char *at = strchr(call->shown, '(');
    unsigned found = 0;
    for (at = at ? at + 1 : ""; *at && *at != ')'; found++) {
        const char *next = pl_call_find(at, ",)");
        int64_t value;
        if (!pl_literal_read(at, (size_t)(next - at), &value))
            return pl_fail(error, PL_ERR_INPUT,
                           "--spec: '%.*s' in %.200s is not a number, which a spec needs: write "
                           "its value",
                           (int)(next - at), at, call->shown);
        if (found < most)
            out[found] = value;
        at = *next == ',' ? next + 1 : next;
    }
    if (count)
        *count = found;
    return PL_OK;
}

void pl_call_release(struct pl_call *c)
{
    free(c->given);
    free(c->text);
    free(c->declarations);
    free(c->type);
    free(c->call);
    free(c->outs);
    free(c->shown);
    *c = (struct pl_call){0};
}

/* ---- short names ---- */

/* ".kind", "->next", "[0].key": what is taken of an answer. */
static bool is_member(const char *rest)
{
    bool starts = *rest == '.' || *rest == '[' || (rest[0] == '-' && rest[1] == '>');
    return starts && !strpbrk(rest, "( ");
}

/* "(a, b)" of "f(a, b)", "(*p).f(a, b)" or "f(a, b).member": where the arguments start, or NULL if
 * it is not of this form. */
static const char *arguments_of(const char *call)
{
    const char *open = strchr(call, '('), *close;
    for (; open; open = strchr(close, '(')) {
        close = pl_call_find(open + 1, ")");
        if (!*close++)
            return NULL;
        if (!*close || is_member(close))
            return open > call && is_word(open[-1]) ? open + 1 : NULL;
    }
    return NULL;
}

/* The arguments of what is called: of the call, or, where that looks at a variable only, of what
 * this was given: "struct msg m = recv(&r); m.kind". *text is what they are in; NULL: there are
 * none. */
static const char *arguments_in(const struct pl_call *c, const char **text)
{
    const char *found = c->is_table ? NULL : arguments_of(c->call);
    *text = c->call;
    if (found || c->is_table || strchr(c->call, '('))
        return found;
    for (const char *at = c->declarations; *at;) {
        const char *end = pl_call_find(at, ";"), *equals = pl_call_find(at, "=");
        char *statement = strndup(at, (size_t)(end - at));
        PL_ASSERT(statement);
        const char *start = equals < end ? arguments_of(statement) : NULL;
        if (start) {
            found = at + (start - statement);
            *text = c->declarations;
        }
        free(statement);
        at = *end ? end + 1 : end;
    }
    return found;
}

/* The first of the arguments, tidied; NULL: none, or a literal. The caller frees. */
static char *object_of(const char *arguments)
{
    int64_t ignored;
    char *first = pl_call_tidy(arguments, (size_t)(pl_call_find(arguments, ",)") - arguments));
    if (!first[0] || isdigit((unsigned char)first[0]) || strchr("\"'-+", first[0]) ||
        pl_literal_read(first, strlen(first), &ignored)) {
        free(first);
        return NULL;
    }
    return first;
}

/* Does the argument name a variable that the call declares for itself? */
static bool is_own(const struct pl_call *c, const char *argument)
{
    const char *name = argument + (argument[0] == '&');
    size_t length = strlen(name);
    for (const char *at = c->declarations; length && (at = strstr(at, name)); at++)
        if ((at == c->declarations || !is_word(at[-1])) && !is_word(at[length]))
            return true;
    return false;
}

static void name_shortly(struct pl_call *c, const char *object)
{
    free(c->shown); /* it may have been named among fewer */
    const char *text, *start = arguments_in(c, &text);
    struct pl_strbuf out;
    pl_strbuf_init(&out);
    if (!start) {
        c->shown = pl_call_tidy(c->call, strlen(c->call));
        pl_strbuf_release(&out);
        return;
    }
    const char *name = start - 1, *close = pl_call_find(start, ")");
    while (name > text && is_word(name[-1]))
        name--;
    pl_strbuf_add_bytes(&out, name, (size_t)(start - name));
    bool first = true, any = false;
    for (const char *at = start; *at && *at != ')'; first = false) {
        const char *end = pl_call_find(at, ",)");
        char *argument = pl_call_tidy(at, (size_t)(end - at));
        if (!(first && object && strcmp(argument, object) == 0) && !is_own(c, argument)) {
            pl_strbuf_addf(&out, "%s%s", any ? "," : "", argument);
            any = true;
        }
        free(argument);
        at = *end == ',' ? end + 1 : end;
    }
    pl_strbuf_add_bytes(&out, close, is_member(close + 1) ? strlen(close) : 1);
    c->shown = pl_strbuf_detach(&out);
}

/* The first argument of all calls that have any, if it is the same; the caller frees. */
static char *common_object(const struct pl_call *calls, size_t count)
{
    char *object = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *text, *start = arguments_in(&calls[i], &text);
        if (!start || *start == ')')
            continue;
        char *other = object_of(start);
        bool same = other && (!object || strcmp(other, object) == 0);
        if (object)
            free(other);
        else
            object = other;
        if (!same) {
            free(object);
            return NULL;
        }
    }
    return object;
}

/* ---- another number ---- */

/* Of the arguments the last that is a number, else the last number in them. */
static size_t find_number(const struct pl_call *c, const char **text, const char **at)
{
    const char *start = arguments_in(c, text), *end = start;
    size_t length = 0;
    int64_t value;
    for (const char *next = start; next && *next && *end != ')'; next = end + 1) {
        end = pl_call_find(next, ",)");
        if (pl_literal_read(next, (size_t)(end - next), &value)) {
            *at = next;
            length = (size_t)(end - next);
        }
    }
    return length || !start ? length : pl_literal_find(start, (size_t)(end - start), at);
}

bool pl_call_last_number(const struct pl_call *c, int64_t *value)
{
    const char *text, *at;
    size_t length = find_number(c, &text, &at);
    return length && pl_literal_read(at, length, value);
}

char *pl_call_with(const struct pl_call *c, int64_t value)
{
    const char *in, *at;
    size_t length = find_number(c, &in, &at);
    const char *const parts[] = {c->declarations, c->type, c->call};
    struct pl_strbuf out;
    if (!length)
        return NULL;
    pl_strbuf_init(&out);
    for (unsigned i = 0; i < 3; i++) {
        pl_strbuf_add(&out, out.length && parts[i][0] ? " " : "");
        if (parts[i] == in)
            pl_strbuf_addf(&out, "%.*s%lld%s", (int)(at - in), in, (long long)value, at + length);
        else
            pl_strbuf_add(&out, parts[i]);
    }
    if (c->outs[0])
        pl_strbuf_addf(&out, " %c> %s", c->always ? '=' : '-', c->outs);
    return pl_strbuf_detach(&out);
}

/* ---- all ---- */

void pl_calls_name(struct pl_call *calls, size_t count)
{
    char *object = common_object(calls, count);
    for (size_t i = 0; i < count; i++)
        name_shortly(&calls[i], object);
    free(object);
    for (size_t i = 0; i < count; i++) {
        bool twice = false;
        for (size_t k = 0; k < count; k++)
            twice = twice || (k != i && strcmp(calls[k].shown, calls[i].shown) == 0);
        if (!twice)
            continue;
        for (size_t k = count; k-- > i;) /* all of them, while they can be told */
            if (k != i && strcmp(calls[k].shown, calls[i].shown) == 0) {
                free(calls[k].shown);
                calls[k].shown = pl_call_tidy(calls[k].text, strlen(calls[k].text));
            }
        free(calls[i].shown);
        calls[i].shown = pl_call_tidy(calls[i].text, strlen(calls[i].text));
    }
}
