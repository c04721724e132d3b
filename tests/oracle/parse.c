/*
 * The reader of litmus files (program.h has the format). A line is read at a time; a
 * failing function has set the error and returns false, and all the way up nobody looks
 * further.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

struct reader {
    struct or_program *p;
    const char *where, *line_start, *at;
    int line;
    struct pl_error *error;
    bool named;
};

__attribute__((format(printf, 2, 3))) static bool wrong(struct reader *r, const char *format, ...)
{
    char what[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    (void)pl_fail(r->error, PL_ERR_INPUT, "%s:%d:%d: %s", r->where, r->line,
                  (int)(r->at - r->line_start) + 1, what);
    return false;
}

static void skip_blanks(struct reader *r)
{
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')
        r->at++;
}

static bool at_end(struct reader *r)
{
    skip_blanks(r);
    return *r->at == '\0' || *r->at == '\n' || *r->at == '#';
}

static bool take(struct reader *r, const char *text)
{
    skip_blanks(r);
    size_t n = strlen(text);
    if (strncmp(r->at, text, n) != 0)
        return false;
    r->at += n;
    return true;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool take_word(struct reader *r, const char *text)
{
    skip_blanks(r); /* so that an error points at the word itself */
    const char *before = r->at;
    if (take(r, text) && !is_word(*r->at))
        return true;
    r->at = before;
    return false;
}

static bool read_number(struct reader *r, int *out)
{
    skip_blanks(r);
    const char *digits = *r->at == '-' ? r->at + 1 : r->at;
    if (!isdigit((unsigned char)*digits))
        return wrong(r, "a number is expected");
    char *end;
    long n = strtol(r->at, &end, 10);
    if (n < -1000000 || n > 1000000)
        return wrong(r, "a number of at most 1000000 is expected");
    r->at = end;
    *out = (int)n;
    return true;
}

static bool at_register(struct reader *r)
{
    skip_blanks(r);
    return r->at[0] == 'r' && isdigit((unsigned char)r->at[1]) && !is_word(r->at[2]);
}

static bool read_register(struct reader *r, int *out)
{
    if (!at_register(r) || r->at[1] - '0' >= OR_REGS)
        return wrong(r, "a register, r0 to r%d, is expected", OR_REGS - 1);
    *out = r->at[1] - '0';
    r->at += 2;
    return true;
}

static bool read_value(struct reader *r, struct or_value *out)
{
    *out = (struct or_value){.reg = -1};
    if (!at_register(r))
        return read_number(r, &out->constant);
    if (!read_register(r, &out->reg))
        return false;
    return *r->at != '+' || (r->at++, read_number(r, &out->constant));
}

static bool read_order(struct reader *r, enum or_order *out)
{
#define X(name, text)                                                                              \
    if (take_word(r, #text)) {                                                                     \
        *out = OR_##name;                                                                          \
        return true;                                                                               \
    }
    OR_ORDER_TABLE(X)
#undef X
    if (take_word(r, "con")) {
        *out = OR_ACQ;
        return true;
    }
    return wrong(r, "a memory order is expected: na, rlx, con, acq, rel, ar or sc");
}

static int find_name(char names[][OR_NAME], int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

/* A location or a lock; a new one where there is still room. */
static bool read_name(struct reader *r, bool lock, bool may_be_new, int *out)
{
    struct or_program *p = r->p;
    char(*names)[OR_NAME] = lock ? p->lock_names : p->loc_names;
    int *count = lock ? &p->locks : &p->locs, limit = lock ? OR_LOCKS : OR_LOCS;
    char name[OR_NAME];
    skip_blanks(r);
    size_t n = 0;
    while (is_word(r->at[n]))
        n++;
    if (n == 0 || n >= OR_NAME || isdigit((unsigned char)*r->at) || at_register(r))
        return wrong(r, "a name of at most %d letters is expected", OR_NAME - 1);
    memcpy(name, r->at, n);
    name[n] = '\0';
    bool other = lock ? find_name(p->loc_names, p->locs, name) >= 0
                      : find_name(p->lock_names, p->locks, name) >= 0;
    if (other)
        return wrong(r, "%s is both a lock and a location", name);
    *out = find_name(names, *count, name);
    if (*out < 0) {
        if (!may_be_new)
            return wrong(r, "no thread has a location %s", name);
        if (*count == limit)
            return wrong(r, "at most %d %s", limit, lock ? "locks" : "locations");
        memcpy(names[*count], name, n + 1);
        *out = (*count)++;
    }
    r->at += n;
    return true;
}

static bool read_comparison(struct reader *r, bool *equal)
{
    if (take(r, "==") || take(r, "="))
        *equal = true;
    else if (take(r, "!="))
        *equal = false;
    else
        return wrong(r, "a comparison is expected");
    return true;
}

static bool read_test(struct reader *r, struct or_op *op)
{
    return read_register(r, &op->reg) && read_comparison(r, &op->equal) &&
           read_value(r, &op->value);
}

static bool read_cas(struct reader *r, struct or_op *op)
{
    return read_name(r, false, true, &op->loc) && read_value(r, &op->expected) &&
           read_value(r, &op->value) && read_order(r, &op->order) && read_order(r, &op->failure);
}

static bool read_writer(struct reader *r, struct or_op *op)
{
    return read_name(r, false, true, &op->loc) && read_value(r, &op->value) &&
           read_order(r, &op->order);
}

static bool read_op(struct reader *r, struct or_op *op)
{
    *op = (struct or_op){.dest = -1, .value.reg = -1, .expected.reg = -1};
    if (at_register(r)) {
        if (!read_register(r, &op->dest))
            return false;
        if (!take(r, "="))
            return wrong(r, "'=' is expected");
    }
    static const struct {
        const char *word;
        enum or_kind kind;
    } words[] = {{"load", OR_LOAD},    {"store", OR_STORE},   {"cas", OR_CAS},
                 {"fadd", OR_FADD},    {"xchg", OR_XCHG},     {"fence", OR_FENCE},
                 {"lock", OR_LOCK},    {"unlock", OR_UNLOCK}, {"skip", OR_SKIP_IF},
                 {"assume", OR_ASSUME}};
    size_t i = 0, n = sizeof words / sizeof words[0];
    while (i < n && !take_word(r, words[i].word))
        i++;
    if (i == n)
        return wrong(r, "an operation is expected");
    op->kind = words[i].kind;
    if (op->dest >= 0 && !or_reads(op->kind))
        return wrong(r, "%s gives no value", words[i].word);
    switch (op->kind) {
    case OR_LOAD:
        return read_name(r, false, true, &op->loc) && read_order(r, &op->order);
    case OR_CAS:
        return read_cas(r, op);
    case OR_STORE:
    case OR_FADD:
    case OR_XCHG:
        return read_writer(r, op);
    case OR_FENCE:
        return read_order(r, &op->order);
    case OR_LOCK:
    case OR_UNLOCK:
        return read_name(r, true, true, &op->loc);
    case OR_SKIP_IF:
        if (!read_number(r, &op->skip))
            return false;
        return take_word(r, "if") ? read_test(r, op) : wrong(r, "'if' is expected");
    case OR_ASSUME:
        return read_test(r, op);
    }
    return false;
}

static bool read_thread(struct reader *r)
{
    struct or_program *p = r->p;
    if (p->threads == OR_THREADS)
        return wrong(r, "at most %d threads", OR_THREADS);
    struct or_thread *t = &p->thread[p->threads++];
    while (!at_end(r)) {
        if (t->count == OR_OPS)
            return wrong(r, "at most %d operations", OR_OPS);
        if (!read_op(r, &t->ops[t->count]))
            return false;
        t->count++;
        if (!take(r, ";") && !at_end(r))
            return wrong(r, "';' is expected");
    }
    return true;
}

static bool read_term(struct reader *r)
{
    struct or_program *p = r->p;
    if (p->terms == OR_TERMS)
        return wrong(r, "at most %d terms", OR_TERMS);
    struct or_term *term = &p->term[p->terms];
    *term = (struct or_term){.thread = -1};
    if (isdigit((unsigned char)*r->at)) {
        if (!read_number(r, &term->thread))
            return false;
        if (term->thread >= p->threads)
            return wrong(r, "there is no such thread");
        if (!take(r, ":"))
            return wrong(r, "':' is expected");
        if (!read_register(r, &term->index))
            return false;
    } else if (!read_name(r, false, false, &term->index)) {
        return false;
    }
    p->terms++;
    return read_comparison(r, &term->equal) && read_number(r, &term->value);
}

static bool read_outcome(struct reader *r)
{
    if (take_word(r, "blocked"))
        r->p->outcome = OR_BLOCKED;
    else if (take_word(r, "race"))
        r->p->outcome = OR_RACE;
    while (r->p->outcome == OR_FINAL && !at_end(r))
        if (!read_term(r))
            return false;
    return at_end(r) || wrong(r, "the end of the line is expected");
}

static bool read_model(struct reader *r, int *out)
{
    for (int m = 0; m < OR_MODELS; m++) {
        if (take_word(r, or_model_name((enum or_model)m))) {
            *out = m;
            return true;
        }
    }
    return wrong(r, "a name, 'thread:', 'outcome:', 'graphs:' or a model is expected");
}

static bool read_verdicts(struct reader *r)
{
    while (!at_end(r)) {
        int m = 0;
        if (!read_model(r, &m))
            return false;
        if (!take(r, ":"))
            return wrong(r, "':' is expected");
        if (take_word(r, "allowed"))
            r->p->verdict[m] = OR_ALLOWED;
        else if (take_word(r, "forbidden"))
            r->p->verdict[m] = OR_FORBIDDEN;
        else
            return wrong(r, "'allowed' or 'forbidden' is expected");
    }
    return true;
}

static bool read_graphs(struct reader *r)
{
    while (!at_end(r)) {
        int m = 0;
        if (!read_model(r, &m))
            return false;
        if (!take(r, "="))
            return wrong(r, "'=' is expected");
        if (!read_number(r, &r->p->graphs[m]))
            return false;
    }
    return true;
}

static bool read_title(struct reader *r)
{
    size_t n = strcspn(r->at, " \t\r\n");
    if (n >= sizeof r->p->name)
        return wrong(r, "a name of at most %zu characters is expected", sizeof r->p->name - 1);
    memcpy(r->p->name, r->at, n);
    r->p->name[n] = '\0';
    r->at += n;
    r->named = true;
    return at_end(r) || wrong(r, "the end of the line is expected");
}

static bool read_line(struct reader *r)
{
    if (at_end(r))
        return true;
    if (!r->named)
        return read_title(r);
    if (take(r, "thread:"))
        return read_thread(r);
    if (take(r, "outcome:"))
        return read_outcome(r);
    if (take(r, "graphs:"))
        return read_graphs(r);
    return read_verdicts(r);
}

enum pl_status or_program_parse(struct or_program *out, const char *where, const char *text,
                                struct pl_error *error)
{
    or_program_init(out, "");
    struct reader r = {.p = out, .where = where, .line = 1, .error = error};
    for (const char *line = text; *line; r.line++) {
        r.line_start = r.at = line;
        if (!read_line(&r))
            return error->status;
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    struct pl_error bad;
    if (or_program_check(out, &bad) != PL_OK)
        return pl_fail(error, bad.status, "%s:%d:1: %.900s", where, r.line, bad.text);
    return PL_OK;
}

enum pl_status or_program_read(struct or_program *out, const char *path, struct pl_error *error)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return pl_fail_errno(error, "cannot open %s", path);
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    char block[4096];
    size_t n;
    while ((n = fread(block, 1, sizeof block, file)) > 0)
        pl_strbuf_add_bytes(&text, block, n);
    bool bad = ferror(file) != 0;
    bad = fclose(file) != 0 || bad;
    enum pl_status status = bad ? pl_fail_errno(error, "cannot read %s", path)
                                : or_program_parse(out, path, text.text, error);
    pl_strbuf_release(&text);
    return status;
}
