/*
 * Would a weaker spec do? Some answers that no order explains are meant: a take that gives up when
 * somebody is in its way, a count that is out of date, an effect that comes later, a bag of which
 * any item may be taken. The smallest wrong test is run once more with such a spec, and if it then
 * passes the report says which mark to write or which step. The verdict stays what it is.
 *
 *   may fail    operations that answered empty, false, 0: alone, then all of them
 *   late        operations that answer nothing
 *   readers     (derived specs) operations that change nothing serially: without their answers
 *   any value   (derived specs) takes of values that others put: any that is inside will do
 *   relaxed     (--relax) a larger number
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check_parts.h"
#include "cli/loosened.h"

static const double SECONDS = 5;
enum { MOST_NAMES = 8, MOST_READ = 3000 };

enum kind { MAY_FAIL, LATE, READER, ANY_VALUE };

struct suggesting {
    struct pl_checker *c;
    const struct pl_test *test;
    const struct pl_trial *t;
    const struct pl_bad *bad;
    json_t *found;
    unsigned name[MOST_NAMES]; /* a call of each name */
    unsigned names;
};

/* ---- trying ---- */

static bool same_name(const struct pl_call *a, const struct pl_call *b)
{
    size_t length = pl_call_name_length(a);
    return length == pl_call_name_length(b) && strncmp(a->shown, b->shown, length) == 0;
}

static bool *mark_of(struct pl_call *call, enum kind kind)
{
    struct pl_marks *m = &call->marks;
    return kind == MAY_FAIL ? &m->may_fail
           : kind == LATE   ? &m->late
           : kind == READER ? &m->aside
                            : &m->takes_any;
}

static bool passes_now(struct suggesting *s)
{
    struct pl_checker *c = s->c;
    const struct pl_session *session = &c->execute.session;
    struct pl_trial t;
    struct pl_error ignored;
    if (c->sums.interrupted || pl_now() >= c->until)
        return false;
    enum pl_status status = pl_check_trial(c, &t, s->test, s->t->model, &ignored);
    bool passes = !status && !t.bads && !t.undecided && !session->findings && session->exhausted;
    c->sums.interrupted |= session->interrupted;
    pl_trial_release(&t);
    return passes;
}

/* With the mark for all operations of these names (bits of s->name), none of which has it. */
static bool passes_with(struct suggesting *s, enum kind kind, unsigned names)
{
    bool before[PL_RELAXED_CALLS] = {0}, changes = false;
    struct pl_checker *c = s->c;
    for (size_t i = 0; i < c->count && i < PL_RELAXED_CALLS; i++) {
        bool *mark = mark_of(&c->calls[i], kind);
        before[i] = *mark;
        for (unsigned k = 0; k < s->names; k++)
            if ((names >> k & 1) && same_name(&c->calls[i], &c->calls[s->name[k]])) {
                changes = changes || !*mark;
                *mark = true;
            }
    }
    bool passes = changes && passes_now(s);
    for (size_t i = 0; i < c->count && i < PL_RELAXED_CALLS; i++)
        *mark_of(&c->calls[i], kind) = before[i];
    return passes;
}

/* ---- saying ---- */

static void add_names(const struct suggesting *s, unsigned names, const char *between,
                      const char *after, struct pl_strbuf *out)
{
    bool first = true;
    for (unsigned k = 0; k < s->names; k++)
        if (names >> k & 1) {
            const struct pl_call *call = &s->c->calls[s->name[k]];
            pl_strbuf_addf(out, "%s%.*s%s", first ? "" : between, (int)pl_call_name_length(call),
                           call->shown, after);
            first = false;
        }
}

/* What to write: "--may-fail try_take", "PLUMB_STEP(count)". */
static void add_mark(const struct suggesting *s, enum kind kind, unsigned names,
                     struct pl_strbuf *out)
{
    pl_strbuf_add(out, kind == MAY_FAIL ? "--may-fail " : kind == LATE ? "--late " : "PLUMB_STEP(");
    add_names(s, names, ",", "", out);
    pl_strbuf_add(out, kind == MAY_FAIL || kind == LATE ? "" : ")");
}

static void add_meaning(const struct suggesting *s, enum kind kind, unsigned names,
                        struct pl_strbuf *out)
{
    static const char *const may[] = {
        [MAY_FAIL] = "may fail at any time",
        [LATE] = "may take effect after it has returned",
        [READER] = "may answer something else, by plumb_choose: without its answers it passes",
        [ANY_VALUE] = "may take any of the values inside, by plumb_choose",
    };
    add_names(s, names, " and ", "()", out);
    pl_strbuf_addf(out, " %s", may[kind]);
}

static void suggest(struct suggesting *s, enum kind kind, unsigned names)
{
    static const char *const word[] = {
        [MAY_FAIL] = "may-fail", [LATE] = "late", [READER] = "step", [ANY_VALUE] = "step"};
    struct pl_strbuf mark, meaning;
    json_t *operations = json_array();
    for (unsigned k = 0; k < s->names; k++)
        if (names >> k & 1) {
            const struct pl_call *call = &s->c->calls[s->name[k]];
            json_array_append_new(operations, json_stringn(call->shown, pl_call_name_length(call)));
        }
    pl_strbuf_init(&mark);
    pl_strbuf_init(&meaning);
    add_mark(s, kind, names, &mark);
    add_meaning(s, kind, names, &meaning);
    json_array_append_new(s->found,
                          json_pack("{s:s, s:o, s:s, s:s}", "mark", word[kind], "operations",
                                    operations, "write", mark.text, "message", meaning.text));
    pl_strbuf_release(&mark);
    pl_strbuf_release(&meaning);
}

/* ---- which operations ---- */

static bool returned(const struct suggesting *s, unsigned i)
{
    return s->bad->seen.head.returned >> i & 1;
}

static bool failed(const struct suggesting *s, unsigned i)
{
    return returned(s, i) && pl_trial_is_failure(s->t, i, &s->bad->seen);
}

static bool is_silent(const struct suggesting *s, unsigned i)
{
    return returned(s, i) && !s->t->responses.at[s->bad->seen.answer[i]].text[0];
}

static bool took_a_value(const struct suggesting *s, unsigned i)
{
    return returned(s, i) && pl_trial_took_value(s->t, i, &s->bad->seen);
}

static bool is_named(const struct suggesting *s, unsigned invocation, unsigned name)
{
    return same_name(&s->c->calls[s->test->operation[invocation]], &s->c->calls[s->name[name]]);
}

/* In a serial history: does every answer follow from which others, without those of this name, came
 * before? `seen` has what followed in the histories before this one. */
static bool follows(const struct suggesting *s, const struct pl_observed *o, unsigned name,
                    json_t *seen)
{
    struct pl_strbuf before;
    bool same = true;
    pl_strbuf_init(&before);
    for (unsigned i = 0; i < o->ran && same; i++) {
        unsigned at = o->order[i];
        bool named = is_named(s, at, name);
        bool has_returned = o->returned >> at & 1;
        json_int_t answer = has_returned ? (json_int_t)o->answer[at] : -1;
        size_t length = before.length;
        pl_strbuf_addf(&before, " %u", at);
        json_t *known = json_object_get(seen, before.text);
        same = (!named || has_returned) && (!known || json_integer_value(known) == answer);
        json_object_set_new(seen, before.text, json_integer(answer));
        if (named)
            before.text[before.length = length] = '\0';
    }
    pl_strbuf_release(&before);
    return same;
}

/* Does it change nothing when it is alone? */
static bool is_reader(const struct suggesting *s, const struct pl_trial *serial, unsigned name)
{
    json_t *seen = json_object();
    bool reads = serial->observed_count && serial->observed_count <= MOST_READ;
    for (size_t k = 0; k < serial->observed_count && reads; k++)
        reads = follows(s, &serial->observed[k], name, seen);
    json_decref(seen);
    return reads;
}

/* Does some call of this name answer so in a serial run? */
static bool is_answered(const struct suggesting *s, const struct pl_trial *serial, unsigned name,
                        const char *text)
{
    for (size_t k = 0; k < serial->observed_count; k++) {
        const struct pl_observed *o = &serial->observed[k];
        for (unsigned i = 0; i < pl_test_count(s->test); i++)
            if ((o->returned >> i & 1) && is_named(s, i, name) &&
                strcmp(serial->responses.at[o->answer[i]].text, text) == 0)
                return true;
    }
    return false;
}

/* Values that belong together and are never answered together alone: a torn read. A single one, as
 * a count that is added up meanwhile, is out of date. */
static bool is_torn(const struct suggesting *s, const struct pl_trial *serial, unsigned name)
{
    for (unsigned i = 0; i < pl_test_count(s->test); i++) {
        if (!returned(s, i) || !is_named(s, i, name))
            continue;
        const struct pl_response_text *r = &s->t->responses.at[s->bad->seen.answer[i]];
        bool several = r->length >= 2 && r->length > 2 + r->bytes[1];
        if (several && !is_answered(s, serial, name, r->text))
            return true;
    }
    return false;
}

/* Bits of s->name: those that change nothing. */
static unsigned find_readers(struct suggesting *s)
{
    struct pl_checker *c = s->c;
    struct pl_trial t;
    struct pl_error ignored;
    unsigned readers = 0;
    bool observes = c->deciding.observe;
    c->deciding.observe = true;
    if (pl_check_trial(c, &t, s->test, s->t->model, &ignored) == PL_OK)
        for (unsigned k = 0; k < s->names; k++)
            readers |= (unsigned)(is_reader(s, &t, k) && !is_torn(s, &t, k)) << k;
    pl_trial_release(&t);
    c->deciding.observe = observes;
    return readers;
}

static unsigned names_where(const struct suggesting *s,
                            bool (*holds)(const struct suggesting *s, unsigned invocation))
{
    unsigned names = 0;
    for (unsigned i = 0; i < pl_test_count(s->test); i++)
        for (unsigned k = 0; k < s->names; k++)
            if (holds(s, i) && is_named(s, i, k))
                names |= 1u << k;
    return names;
}

static void list_names(struct suggesting *s)
{
    for (unsigned i = 0; i < pl_test_count(s->test); i++) {
        unsigned call = s->test->operation[i];
        bool known = false;
        for (unsigned k = 0; k < s->names; k++)
            known = known || same_name(&s->c->calls[call], &s->c->calls[s->name[k]]);
        if (!known && s->names < MOST_NAMES)
            s->name[s->names++] = call;
    }
}

/* ---- together ---- */

/* One at a time; where none does and `together`, all at once. Returns those that do. */
static unsigned try_names(struct suggesting *s, enum kind kind, unsigned names, bool together)
{
    unsigned good = 0;
    for (unsigned k = 0; k < s->names; k++)
        if ((names >> k & 1) && passes_with(s, kind, 1u << k)) {
            suggest(s, kind, 1u << k);
            good |= 1u << k;
        }
    if (!good && together && (names & (names - 1)) && passes_with(s, kind, names)) {
        suggest(s, kind, names);
        good = names;
    }
    return good;
}

/* The next larger limit of one kind with which the test passes. */
static void try_limit(struct suggesting *s, uint32_t *limit, uint32_t *also)
{
    struct pl_relaxation *r = &s->c->against.relaxation;
    const struct pl_relaxation before = *r;
    unsigned most = pl_test_count(s->test);
    bool passes = false;
    while (*limit < most && !passes) {
        (*limit)++;
        *also = *limit;
        passes = passes_now(s);
    }
    if (passes) {
        struct pl_strbuf write, meaning;
        pl_strbuf_init(&write);
        pl_strbuf_init(&meaning);
        pl_strbuf_add(&write, "--relax ");
        pl_loosened_write(r, &write);
        pl_loosened_print(r, &meaning);
        json_array_append_new(s->found,
                              json_pack("{s:s, s:[], s:s, s:s}", "mark", "relax", "operations",
                                        "write", write.text, "message", meaning.text));
        pl_strbuf_release(&write);
        pl_strbuf_release(&meaning);
    }
    *r = before;
}

static void try_relaxed(struct suggesting *s)
{
    struct pl_relaxation *r = &s->c->against.relaxation;
    if (r->since_head) {
        try_limit(s, &r->places, &r->late);
        return;
    }
    if (r->places != PL_RELAXED_ANY)
        try_limit(s, &r->places, &r->places);
    if (r->late != PL_RELAXED_ANY)
        try_limit(s, &r->late, &r->late);
}

static void print(json_t *found, struct pl_strbuf *out)
{
    if (json_array_size(found))
        pl_strbuf_add(out, "\n    A weaker spec would let this test pass, if that is what is meant "
                           "(docs/check.md, marks and written specs):\n");
    for (size_t i = 0; i < json_array_size(found); i++) {
        json_t *one = json_array_get(found, i);
        pl_strbuf_addf(out, "      %-24s %s\n", json_string_value(json_object_get(one, "write")),
                       json_string_value(json_object_get(one, "message")));
    }
}

json_t *pl_check_suggest(struct pl_checker *c, const struct pl_trial *t, const struct pl_bad *bad)
{
    struct suggesting s = {.c = c, .test = t->test, .t = t, .bad = bad, .found = json_array()};
    if (c->no_shrink || c->deciding.relaxed ||
        (bad->kind != PL_FINDING_NOT_LINEARIZABLE && bad->kind != PL_FINDING_STUCK))
        return s.found;
    const struct pl_wire_check before = c->execute.options->check;
    double until = c->until;
    bool shrinking = c->shrinking;
    c->until = pl_now() + SECONDS;
    c->shrinking = true;
    list_names(&s);
    unsigned may_fail = try_names(&s, MAY_FAIL, names_where(&s, failed), true);
    (void)try_names(&s, LATE, names_where(&s, is_silent), false);
    if (c->against.relaxation.on)
        try_relaxed(&s);
    if (!t->against && !c->golden) {
        unsigned takes = names_where(&s, took_a_value), read = names_where(&s, returned) & ~takes;
        (void)try_names(&s, READER, read & ~may_fail & find_readers(&s), false);
        (void)try_names(&s, ANY_VALUE, takes, false);
    }
    c->shrinking = shrinking;
    c->until = until;
    c->execute.options->check = before;
    print(s.found, &c->ending);
    return s.found;
}
