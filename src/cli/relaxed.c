/* Which operations may change places, and how far: see relaxed.h. */
#include "cli/relaxed.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1000 };
static const double NEEDED_SECONDS = 5;

const char *pl_relaxed_reading(const struct pl_relaxed *r)
{
    static const char *const words[] = {"positions", "all-subsets", "definition4"};
    return words[r->reading];
}

/* ---- reading ---- */

static bool same_name(const struct pl_call *call, const char *name, size_t length)
{
    return pl_call_name_length(call) == length && strncmp(call->shown, name, length) == 0;
}

/* Each name is a group of its own. */
static enum pl_status by_name(struct pl_relaxed *r, const struct pl_call *calls, size_t count,
                              struct pl_error *error)
{
    for (size_t i = 0; i < count; i++) {
        size_t first = 0, length = pl_call_name_length(&calls[i]);
        while (!same_name(&calls[first], calls[i].shown, length))
            first++;
        if (first < i) {
            r->group[i] = r->group[first];
            continue;
        }
        if (r->groups == PL_MOST_CALLED - 1)
            return pl_fail(error, PL_ERR_INPUT, "--criterion quasi: at most %d operations",
                           PL_MOST_CALLED - 1);
        (void)snprintf(r->name[r->groups], PL_RELAXED_NAME, "%.*s", (int)length, calls[i].shown);
        r->group[i] = (uint8_t)r->groups++;
    }
    return PL_OK;
}

/* The names of operations, also of those that have been joined; and which have had their factor. */
struct naming {
    char name[PL_MOST_CALLED][PL_RELAXED_NAME];
    bool named[PL_MOST_CALLED];
    unsigned groups;
};

static enum pl_status unknown(const struct naming *n, const char *from, const char *word,
                              struct pl_error *error)
{
    struct pl_strbuf names;
    pl_strbuf_init(&names);
    for (unsigned g = 0; g < n->groups; g++)
        pl_strbuf_addf(&names, "%s%s", g ? ", " : "", n->name[g]);
    enum pl_status status =
        pl_fail(error, PL_ERR_INPUT, "%s: there is no operation '%.100s'; there are %.600s", from,
                word, names.text);
    pl_strbuf_release(&names);
    return status;
}

static enum pl_status read_factor(const char *text, const char *from, unsigned *out,
                                  struct pl_error *error)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end || number > LARGEST)
        return pl_fail(error, PL_ERR_INPUT,
                       "%s: '%.100s' is no factor, a whole number from 0 to %d", from, text,
                       LARGEST);
    *out = (unsigned)number;
    return PL_OK;
}

/* Which group the operation of this name has at first. */
static unsigned group_named(const struct naming *n, const char *word)
{
    unsigned g = 0;
    while (g < n->groups && strcmp(n->name[g], word) != 0)
        g++;
    return g;
}

/* The second group becomes part of the first. */
static void join(struct pl_relaxed *r, size_t calls, unsigned first, unsigned second)
{
    char name[PL_RELAXED_NAME];
    (void)snprintf(name, sizeof name, "%.38s+%.38s", r->name[first], r->name[second]);
    memcpy(r->name[first], name, sizeof name);
    for (size_t i = 0; i < calls; i++)
        if (r->group[i] == second)
            r->group[i] = (uint8_t)first;
    r->name[second][0] = '\0'; /* no longer there */
}

/* "deq=2", "push+pop=1". */
static enum pl_status read_one(struct pl_relaxed *r, char *word, const char *from, size_t calls,
                               struct naming *naming, struct pl_error *error)
{
    char *equals = strchr(word, '=');
    unsigned factor = 0, group = PL_MOST_CALLED;
    if (!equals)
        return pl_fail(error, PL_ERR_INPUT,
                       "%s: '%.100s' is neither a number for all nor OPERATION=NUMBER, as deq=2",
                       from, word);
    enum pl_status status = read_factor(equals + 1, from, &factor, error);
    *equals = '\0';
    for (char *at = word, *next; at && !status; at = next) {
        next = strchr(at, '+');
        if (next)
            *next++ = '\0';
        unsigned this = group_named(naming, at);
        if (this == r->groups)
            status = unknown(naming, from, at, error);
        else if (naming->named[this])
            status = pl_fail(error, PL_ERR_INPUT, "%s: %s is named twice", from, at);
        else if (group == PL_MOST_CALLED)
            group = this;
        else
            join(r, calls, group, this);
        if (!status)
            naming->named[this] = true;
    }
    if (!status)
        r->factor[group] = factor;
    return status;
}

/* Groups that became part of others are left out. */
static void close_up(struct pl_relaxed *r, size_t calls)
{
    unsigned kept = 0;
    for (unsigned g = 0; g < r->groups; g++) {
        if (!r->name[g][0])
            continue;
        for (size_t i = 0; i < calls; i++)
            if (r->group[i] == g)
                r->group[i] = (uint8_t)kept;
        memmove(r->name[kept], r->name[g], sizeof r->name[g]);
        r->factor[kept++] = r->factor[g];
    }
    for (; kept < r->groups; r->groups--)
        r->factor[r->groups - 1] = 0;
}

static enum pl_status read_list(struct pl_relaxed *r, const char *text, const char *from,
                                size_t calls, struct pl_error *error)
{
    struct naming naming = {.groups = r->groups};
    enum pl_status status = PL_OK;
    memcpy(naming.name, r->name, r->groups * sizeof naming.name[0]);
    for (const char *at = text; at && !status;) {
        size_t length = strcspn(at, ",");
        char *word = pl_call_tidy(at, length);
        status = read_one(r, word, from, calls, &naming, error);
        free(word);
        at = at[length] ? at + length + 1 : NULL;
    }
    close_up(r, calls);
    return status;
}

enum pl_status pl_relaxed_init(struct pl_relaxed *r, enum pl_quasi_reading reading, bool find,
                               const char *text, const char *from, const struct pl_call *calls,
                               size_t count, struct pl_error *error)
{
    unsigned all = 0;
    PL_ASSERT(count <= PL_RELAXED_CALLS);
    *r = (struct pl_relaxed){.reading = reading, .find = find};
    enum pl_status status = by_name(r, calls, count, error);
    bool list = text && strchr(text, '=');
    if (!status && list && reading == PL_QUASI_ALL_SUBSETS)
        return pl_fail(error, PL_ERR_INPUT,
                       "%s: --quasi=all-subsets has one factor for all operations, as 2", from);
    if (!status && list)
        status = read_list(r, text, from, count, error);
    else if (!status && text)
        status = read_factor(text, from, &all, error);
    if (status)
        return status;
    if (reading == PL_QUASI_ALL_SUBSETS)
        r->groups = 1;
    for (unsigned g = 0; g < r->groups && !list; g++)
        r->factor[g] = all;
    if (find && r->groups > PL_QUASI_GROUPS)
        return pl_fail(error, PL_ERR_INPUT,
                       "--find-factor: at most %d groups; join some, as --factor push+pop=0",
                       PL_QUASI_GROUPS);
    pl_quasi_factors_init(&r->found, r->groups);
    return PL_OK;
}

/* ---- tests ---- */

void pl_relaxed_set_roles(struct pl_relaxed *r, const struct pl_against *a,
                          const struct pl_call *calls)
{
    for (size_t i = 0; i < a->count; i++) {
        const struct pl_word *word = a->meant[i].word; /* of a written spec: none */
        r->empty[i].waits = calls[i].marks.blocking;
        if (word && word->answer == PL_ANSWER_NONE)
            r->role[i] = PL_ROLE_PUT;
        if (word && word->answer == PL_ANSWER_TAKE)
            r->role[i] = PL_ROLE_TAKE;
    }
}

/* The first call that takes; PL_RELAXED_CALLS: there is none. */
static size_t find_take(const struct pl_relaxed *r)
{
    size_t take = 0;
    while (take < PL_RELAXED_CALLS && r->role[take] != PL_ROLE_TAKE)
        take++;
    return take;
}

unsigned pl_relaxed_lacks(const struct pl_relaxed *r, const struct pl_test *test)
{
    unsigned count = pl_test_count(test), puts = 0, takes = 0;
    size_t take = find_take(r);
    if (take == PL_RELAXED_CALLS)
        return 0;
    bool waits = r->empty[take].waits;
    for (unsigned i = 0; i < count; i++) {
        unsigned role = r->role[test->operation[i]];
        puts += role == PL_ROLE_PUT;
        takes += role == PL_ROLE_TAKE && (waits || i >= count - test->final);
    }
    return puts > takes ? puts - takes : 0;
}

enum pl_status pl_relaxed_complete(const struct pl_relaxed *r, struct pl_test *test,
                                   struct pl_error *error)
{
    unsigned count = pl_test_count(test), lacks = r->as_given ? 0 : pl_relaxed_lacks(r, test);
    if (count + lacks > PL_TEST_OPERATIONS)
        return pl_fail(error, PL_ERR_INPUT,
                       "a test of %u calls has no room for takes of all it puts: %u more, where at "
                       "most %d in all fit; --complete=off runs it as it is",
                       count, lacks, PL_TEST_OPERATIONS);
    for (; lacks; lacks--, count++, test->final++, test->length[0]++)
        test->operation[count] = (uint8_t)find_take(r);
    return PL_OK;
}

/* ---- printing ---- */

void pl_relaxed_print(const struct pl_relaxed *r, const unsigned *factor, struct pl_strbuf *out)
{
    if (r->reading == PL_QUASI_ALL_SUBSETS) {
        pl_strbuf_addf(out, "%u", factor[0]);
        return;
    }
    for (unsigned g = 0; g < r->groups; g++)
        pl_strbuf_addf(out, "%s%s=%u", g ? ", " : "", r->name[g], factor[g]);
}

void pl_relaxed_print_found(const struct pl_relaxed *r, struct pl_strbuf *out)
{
    for (unsigned i = 0; i < r->found.count; i++) {
        pl_strbuf_add(out, i ? "; or " : "");
        pl_relaxed_print(r, r->found.vector[i], out);
    }
}

unsigned pl_relaxed_smallest(const struct pl_relaxed *r)
{
    unsigned least = LARGEST;
    for (unsigned i = 0; i < r->found.count; i++) {
        unsigned largest = 0;
        for (unsigned g = 0; g < r->groups; g++)
            largest = r->found.vector[i][g] > largest ? r->found.vector[i][g] : largest;
        least = largest < least ? largest : least;
    }
    return least;
}

/* ---- what would be needed ---- */

struct trying {
    struct pl_quasi quasi;
    struct pl_machine *machine;
    const struct pl_behaviour *behaviour;
    const struct pl_refuted *refuted;
    struct pl_budget budget;
    struct pl_quasi_witness *out;
};

static enum pl_decision try(struct trying *t, const unsigned *factor)
{
    union pl_quasi_result result;
    struct pl_quasi_stats stats = {0};
    t->quasi.factor = factor;
    const struct pl_refuted *r = t->refuted;
    enum pl_decision decision =
        r->events
            ? pl_quasi_history(&t->quasi, t->machine, t->behaviour, r->event, r->events, &t->budget,
                               &result, &stats)
            : pl_quasi_order(&t->quasi, t->machine, t->behaviour, &t->budget, &result, &stats);
    if (decision == PL_GOOD)
        *t->out = result.witness;
    return decision;
}

/* `more` for one group, first those that may move already (way 0), then the others (1); or at
   least so much for all (2). */
static enum pl_decision try_more(struct trying *t, const struct pl_relaxed *r, unsigned more,
                                 unsigned way, unsigned *factor)
{
    enum pl_decision decision = PL_BAD;
    for (unsigned g = 0; g < (way == 2 ? 1 : r->groups) && decision == PL_BAD; g++) {
        if (way < 2 && (r->factor[g] == 0) != way)
            continue;
        memcpy(factor, r->factor, sizeof r->factor);
        if (way < 2)
            factor[g] += more;
        for (unsigned k = 0; k < r->groups && way == 2; k++)
            factor[k] = factor[k] > more ? factor[k] : more;
        decision = try(t, factor);
    }
    return decision;
}

enum pl_decision pl_relaxed_needed(const struct pl_relaxed *r, struct pl_machine *machine,
                                   const struct pl_behaviour *behaviour, const uint8_t *group,
                                   const struct pl_refuted *refuted,
                                   unsigned factor[PL_MOST_CALLED], struct pl_quasi_witness *out)
{
    struct trying t = {.quasi = {.reading = r->reading, .group = group},
                       .machine = machine,
                       .behaviour = behaviour,
                       .refuted = refuted,
                       .budget = {.until = pl_check_now() + NEEDED_SECONDS},
                       .out = out};
    unsigned most = behaviour->order->operations;
    enum pl_decision decision = try_more(&t, r, most, 2, factor); /* is there any? */
    if (decision != PL_GOOD)
        return decision;
    decision = PL_BAD;
    for (unsigned more = 1; more <= most && decision == PL_BAD; more++)
        for (unsigned way = 0; way < 3 && decision == PL_BAD; way++)
            decision = try_more(&t, r, more, way, factor);
    return decision;
}
