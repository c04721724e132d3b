/* Which accesses serve as points: see inferred.h. */
#include "cli/inferred.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/execute.h"

enum { MOST_GROUPS = 512, MOST_CANDIDATES = 128 };

/*
 * One call of the tests, where it answers alike: nothing (empty, false, 0, NULL), or something. Of
 * two calls the same place of the source may be at two code addresses (it was inlined twice), so
 * they are put together at the end, by places: a line may have two accesses, so lines and columns.
 */
struct group {
    char name[80], answer[80]; /* of the operation; one of the answers */
    unsigned call;
    bool nothing;
    uint64_t calls;
    struct candidate {
        uint64_t pc;
        uint8_t kind; /* enum pl_access_kind */
        bool serves, seen;
    } candidate[MOST_CANDIDATES];
    unsigned candidates;
};

struct pl_inferred {
    struct group *group[MOST_GROUPS];
    unsigned groups;
    bool full;
};

struct pl_inferred *pl_inferred_new(void)
{
    struct pl_inferred *inferred = calloc(1, sizeof *inferred);
    PL_ASSERT(inferred);
    return inferred;
}

void pl_inferred_free(struct pl_inferred *inferred)
{
    for (unsigned i = 0; inferred && i < inferred->groups; i++)
        free(inferred->group[i]);
    free(inferred);
}

size_t pl_inferred_read(struct pl_seen_history *out, const uint8_t *bytes, size_t room)
{
    uint64_t count;
    if (room < sizeof count)
        return 0;
    memcpy(&count, bytes, sizeof count);
    if (count > PL_CHECK_CANDIDATES || room < sizeof count + count * sizeof(struct pl_wire_effect))
        return 0;
    out->candidates = bytes + sizeof count;
    out->candidate_count = (unsigned)count;
    return sizeof count + count * sizeof(struct pl_wire_effect);
}

/* ---- calls that answer alike ---- */

static bool is_nothing(const struct pl_trial *t, const struct pl_judge *j, const struct pl_bad *b,
                       unsigned invocation)
{
    unsigned call = t->test->operation[invocation];
    const struct pl_response_text *r = &t->responses.at[b->seen.answer[invocation]];
    if (j->against && !j->against->written &&
        pl_against_is_failing(j->against, call, b->seen.called[invocation].response))
        return true;
    pl_value value = pl_against_number(r->bytes, r->length, 0);
    return pl_response_has_value(r) && (value == 0 || value == PL_NIL ||
                                        (t->deciding->has_empty && value == t->deciding->empty));
}

/* The group of a call; NULL: there are too many. */
static struct group *group_of(struct pl_inferred *all, const struct pl_trial *t,
                              unsigned invocation, bool nothing, const char *answer)
{
    unsigned number = t->test->operation[invocation];
    const struct pl_call *call = &t->calls[number];
    for (unsigned i = 0; i < all->groups; i++)
        if (all->group[i]->nothing == nothing && all->group[i]->call == number)
            return all->group[i];
    all->full = all->full || all->groups == MOST_GROUPS;
    if (all->groups == MOST_GROUPS)
        return NULL;
    struct group *g = calloc(1, sizeof *g);
    PL_ASSERT(g);
    (void)snprintf(g->name, sizeof g->name, "%.*s", (int)pl_call_name_length(call), call->shown);
    g->call = number;
    (void)snprintf(g->answer, sizeof g->answer, "%s", answer);
    g->nothing = nothing;
    return all->group[all->groups++] = g;
}

/* ---- one access ---- */

/* The rows of calls and returns of the operations that are judged. */
static uint64_t selected(uint64_t row, const struct pl_bad *b)
{
    uint64_t to = 0;
    for (unsigned i = 0; i < b->order.operations; i++)
        to |= (row >> 2 * b->number[i] & 3) << 2 * i;
    return to;
}

/* The operation is called and returns at the access: are all histories fine? */
static bool serves(struct pl_trial *t, const struct pl_judge *j, const struct pl_bad *b,
                   const struct pl_behaviour *behaviour, unsigned operation,
                   const struct pl_wire_effect *access)
{
    static const struct pl_budget none;
    struct pl_order order = b->order;
    uint64_t own = pl_event_bit(2 * operation) | pl_event_bit(2 * operation + 1);
    uint64_t before = selected(access->before, b) & ~own, after = selected(access->after, b) & ~own;
    for (unsigned e = 0; e < 2 * order.operations; e++)
        order.before[e] = (order.before[e] & ~own) | (after >> e & 1 ? own : 0);
    order.before[2 * operation] = before;
    order.before[2 * operation + 1] = before | pl_event_bit(2 * operation);
    struct pl_behaviour squeezed = *behaviour;
    squeezed.order = &order;
    return pl_walk(t->walk, j->machine, &squeezed, &none, NULL) == PL_GOOD;
}

/* The candidate of a group; new ones count only in the group's first call. */
static struct candidate *candidate_of(struct pl_inferred *all, struct group *g,
                                      const struct pl_wire_effect *access)
{
    for (unsigned k = 0; k < g->candidates; k++)
        if (g->candidate[k].pc == access->pc && g->candidate[k].kind == access->by)
            return &g->candidate[k];
    if (g->calls > 1)
        return NULL;
    all->full = all->full || g->candidates == MOST_CANDIDATES;
    if (g->candidates == MOST_CANDIDATES)
        return NULL;
    g->candidate[g->candidates] =
        (struct candidate){.pc = access->pc, .kind = access->by, .serves = true};
    return &g->candidate[g->candidates++];
}

static void add_call(struct pl_inferred *all, struct pl_trial *t, const struct pl_judge *j,
                     const struct pl_bad *b, const struct pl_behaviour *behaviour, unsigned i)
{
    unsigned invocation = b->number[i];
    const char *answer = t->responses.at[b->seen.answer[invocation]].text;
    struct group *g = group_of(all, t, invocation, is_nothing(t, j, b, invocation), answer);
    if (!g)
        return;
    g->calls++;
    for (unsigned k = 0; k < g->candidates; k++)
        g->candidate[k].seen = false;
    for (unsigned k = 0; k < b->seen.candidate_count; k++) {
        struct pl_wire_effect access;
        memcpy(&access, b->seen.candidates + k * sizeof access, sizeof access);
        struct candidate *c = access.operation == invocation ? candidate_of(all, g, &access) : NULL;
        if (!c)
            continue;
        c->seen = true;
        c->serves = c->serves && serves(t, j, b, behaviour, i, &access);
    }
    for (unsigned k = 0; k < g->candidates; k++)
        g->candidate[k].serves = g->candidate[k].serves && g->candidate[k].seen;
}

void pl_inferred_add(struct pl_inferred *all, struct pl_trial *t, const struct pl_judge *j,
                     const struct pl_bad *b, const struct pl_behaviour *behaviour)
{
    for (unsigned i = 0; i < b->order.operations; i++)
        if (!(b->order.pending >> i & 1))
            add_call(all, t, j, b, behaviour, i);
}

/* ---- what came of it ---- */

static const char *word_of(uint8_t kind)
{
    static const char *const words[] = {
#define X(name, word) word,
        PL_ACCESS_TABLE(X)
#undef X
    };
    return kind < sizeof words / sizeof *words ? words[kind] : "access";
}

/* "queue.c:41 compare_exchange": where it is, through functions that were inlined. */
static char *text_of(const struct candidate *c, bool columns, struct pl_execute *e)
{
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    if (!pl_execute_place(e, c->pc, columns, &text))
        pl_strbuf_addf(&text, "%#llx", (unsigned long long)c->pc);
    pl_strbuf_addf(&text, " %s", word_of(c->kind));
    return pl_strbuf_detach(&text);
}

static bool is_at(const struct candidate *c, bool columns, const char *text, struct pl_execute *e)
{
    char *other = text_of(c, columns, e);
    bool same = strcmp(other, text) == 0;
    free(other);
    return same;
}

static bool serves_in(const struct group *g, const char *place, struct pl_execute *e)
{
    for (unsigned k = 0; k < g->candidates; k++)
        if (g->candidate[k].serves && is_at(&g->candidate[k], true, place, e))
            return true;
    return false;
}

/* Its line has another such access: only the column tells them apart. */
static bool is_ambiguous(const struct group *g, const struct candidate *c, const char *place,
                         struct pl_execute *e)
{
    char *line = text_of(c, false, e);
    bool other = false;
    for (unsigned k = 0; k < g->candidates && !other; k++)
        other = is_at(&g->candidate[k], false, line, e) && !is_at(&g->candidate[k], true, place, e);
    free(line);
    return other;
}

/* Which answers of an operation. */
enum which { EVERY, NOTHING, SOMETHING };

static bool is_of(const struct group *g, const char *name, enum which which)
{
    return strcmp(g->name, name) == 0 && (which == EVERY || g->nothing == (which == NOTHING));
}

/* The first group of these; NULL: there is none. */
static const struct group *first_of(const struct pl_inferred *all, const char *name,
                                    enum which which)
{
    for (unsigned i = 0; i < all->groups; i++)
        if (is_of(all->group[i], name, which))
            return all->group[i];
    return NULL;
}

/* Texts of what serves in all of these; an array. */
static json_t *serving(const struct pl_inferred *all, const char *name, enum which which,
                       struct pl_execute *e)
{
    const struct group *first = first_of(all, name, which);
    json_t *array = json_array();
    for (unsigned k = 0; first && k < first->candidates; k++) {
        if (!first->candidate[k].serves)
            continue;
        const struct candidate *c = &first->candidate[k];
        char *place = text_of(c, true, e);
        bool in_all = true;
        for (unsigned i = 0; i < all->groups && in_all; i++)
            in_all = !is_of(all->group[i], name, which) || serves_in(all->group[i], place, e);
        char *text = text_of(c, is_ambiguous(first, c, place, e), e);
        if (in_all)
            json_array_append_new(array, json_string(text));
        free(text);
        free(place);
    }
    return array;
}

/* One object for each operation; with an array `answers` where they are of both kinds. */
json_t *pl_inferred_json(const struct pl_inferred *all, struct pl_execute *e)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < all->groups; i++) {
        const char *name = all->group[i]->name;
        const struct group *nothing = first_of(all, name, NOTHING),
                           *something = first_of(all, name, SOMETHING);
        if (first_of(all, name, EVERY) != all->group[i])
            continue;
        json_t *operation =
            json_pack("{s:s, s:o}", "operation", name, "serve", serving(all, name, EVERY, e));
        PL_ASSERT(operation);
        if (nothing && something)
            json_object_set_new(
                operation, "answers",
                json_pack("[{s:s, s:b, s:o}, {s:s, s:b, s:o}]", "answer", something->answer,
                          "nothing", 0, "serve", serving(all, name, SOMETHING, e), "answer",
                          nothing->answer, "nothing", 1, "serve", serving(all, name, NOTHING, e)));
        json_array_append_new(array, operation);
    }
    return array;
}

static void print_serving(const json_t *texts)
{
    size_t i;
    json_t *text;
    json_array_foreach(texts, i, text)(void) printf("%s%s", i ? "; " : "", json_string_value(text));
    (void)printf("%s\n", json_array_size(texts) ? "" : "none does");
}

void pl_inferred_print(const struct pl_inferred *all, const json_t *result)
{
    size_t i, k;
    json_t *operation, *answer;
    (void)printf("accesses that serve as points in every execution explored\n");
    json_array_foreach(result, i, operation)
    {
        const json_t *answers = json_object_get(operation, "answers");
        (void)printf("  %s: ", json_string_value(json_object_get(operation, "operation")));
        print_serving(json_object_get(operation, "serve"));
        json_array_foreach(answers, k, answer)
        {
            const char *text = json_string_value(json_object_get(answer, "answer"));
            bool nothing = json_is_true(json_object_get(answer, "nothing"));
            (void)printf("    %s %s: ", nothing ? "answering" : "answering, say,",
                         *text ? text : "nothing");
            print_serving(json_object_get(answer, "serve"));
        }
    }
    if (all->full)
        (void)printf("  (more calls or accesses than there is room for)\n");
}
