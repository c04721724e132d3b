/* Marks: see marks.h. */
#include "plan/marks.h"

#include <stdlib.h>
#include <string.h>

enum { DRAWS = 1000 };

/* ---- reading ---- */

static uint8_t new_group(const struct pl_call *calls, size_t count)
{
    uint8_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = calls[i].marks.group > most ? calls[i].marks.group : most;
    return (uint8_t)(most + 1);
}

/* In two groups means that both are one. */
static void set_group(struct pl_call *calls, size_t count, struct pl_call *call, uint8_t group)
{
    uint8_t before = call->marks.group;
    call->marks.group = group;
    for (size_t i = 0; before && i < count; i++)
        if (calls[i].marks.group == before)
            calls[i].marks.group = group;
}

static bool is_named(const struct pl_call *call, const char *word)
{
    size_t length = pl_call_name_length(call);
    return strcmp(call->shown, word) == 0 || strcmp(call->text, word) == 0 ||
           (strlen(word) == length && strncmp(call->shown, word, length) == 0);
}

static void set(const char *kind, struct pl_marks *marks, unsigned long limit)
{
    if (strcmp(kind, "limit") == 0)
        marks->limit = (uint32_t)limit;
    else if (strcmp(kind, "blocking") == 0)
        marks->blocking = true;
    else if (strcmp(kind, "may-fail") == 0)
        marks->may_fail = true;
    else if (strcmp(kind, "late") == 0)
        marks->late = true;
    else
        marks->data_independent = true;
}

/* "close=1": the number, and the word without it; 0: there is none. */
static unsigned long take_limit(char *word)
{
    char *equals = strrchr(word, '='), *end;
    if (!equals)
        return 0;
    unsigned long limit = strtoul(equals + 1, &end, 10);
    if (end == equals + 1 || *end || limit > 1000 || limit == 0)
        return 0;
    *equals = '\0';
    return limit;
}

enum pl_status pl_marks_add(const char *kind, const char *text, const char *from,
                            struct pl_call *calls, size_t count, struct pl_error *error)
{
    bool groups = strcmp(kind, "group") == 0, limits = strcmp(kind, "limit") == 0;
    uint8_t group = new_group(calls, count);
    enum pl_status status = PL_OK;
    if (!*text)
        return pl_fail(error, PL_ERR_INPUT, "%s: names no operation", from);
    for (const char *at = text; *at && !status;) {
        const char *end = pl_call_find(at, ",");
        char *word = pl_call_tidy(at, (size_t)(end - at));
        unsigned long limit = limits ? take_limit(word) : 1;
        bool found = false;
        if (!limit)
            status =
                pl_fail(error, PL_ERR_INPUT,
                        "%s: '%.200s' is not NAME=MOST, as in close=1 (at least 1)", from, word);
        for (size_t i = 0; i < count && !status; i++) {
            if (!is_named(&calls[i], word))
                continue;
            found = true;
            if (groups)
                set_group(calls, count, &calls[i], group);
            else
                set(kind, &calls[i].marks, limit);
        }
        if (!status && !found)
            status = pl_call_unknown(from, word, calls, count, error);
        free(word);
        at = *end ? end + 1 : end;
    }
    return status;
}

/* ---- tests ---- */

bool pl_marks_restrict(const struct pl_call *calls, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (calls[i].marks.group || calls[i].marks.limit)
            return true;
    return false;
}

/* A limit is that of the operation: enq(1) and enq(2) count together. */
static bool same_operation(const struct pl_call *a, const struct pl_call *b)
{
    size_t length = pl_call_name_length(a);
    return length == pl_call_name_length(b) && strncmp(a->shown, b->shown, length) == 0;
}

enum pl_status pl_marks_check(const struct pl_test *t, const struct pl_call *calls,
                              struct pl_error *error)
{
    unsigned count = pl_test_count(t);
    for (unsigned i = 0; i < count; i++) {
        const struct pl_call *mine = &calls[t->operation[i]];
        unsigned times = 0;
        for (unsigned k = 0; k <= i; k++) {
            const struct pl_call *other = &calls[t->operation[k]];
            unsigned a = pl_test_thread(t, i), b = pl_test_thread(t, k);
            times += same_operation(mine, other);
            if (mine->marks.group && mine->marks.group == other->marks.group && a && b && a != b)
                return error ? pl_fail(error, PL_ERR_INPUT,
                                       "a test has %s on thread %u and %s on thread %u, which only "
                                       "one thread may call (their group)",
                                       other->shown, b, mine->shown, a)
                             : PL_ERR_INPUT;
        }
        if (mine->marks.limit && times > mine->marks.limit)
            return error ? pl_fail(error, PL_ERR_INPUT,
                                   "a test has %.*s %u times, which may be called %u time%s (its "
                                   "limit)",
                                   (int)pl_call_name_length(mine), mine->shown, times,
                                   (unsigned)mine->marks.limit, mine->marks.limit == 1 ? "" : "s")
                         : PL_ERR_INPUT;
    }
    return PL_OK;
}

/* May the operation be called once more, by this thread? `at` cells are filled. */
static bool may_call(const struct pl_call *calls, unsigned which, const uint8_t *cells, unsigned at,
                     unsigned thread, const uint8_t *thread_of, const struct pl_test *like)
{
    const struct pl_marks *m = &calls[which].marks;
    unsigned times = 0;
    if (m->group && thread_of[m->group] != thread)
        return false;
    if (!m->limit)
        return true;
    for (unsigned i = 0; i < at; i++)
        times += same_operation(&calls[which], &calls[cells[i]]);
    for (unsigned i = 0; like && i < pl_test_count(like); i++)
        times += pl_test_thread(like, i) == 0 &&
                 same_operation(&calls[which], &calls[like->operation[i]]);
    return times < m->limit;
}

static bool draw_once(uint8_t *cells, unsigned threads, unsigned length,
                      const struct pl_call *calls, unsigned count, const struct pl_test *like,
                      struct pl_prng *prng)
{
    uint8_t thread_of[256] = {0}, may[256];
    for (unsigned i = 0; i < count; i++) /* a group that nobody has yet */
        if (calls[i].marks.group && !thread_of[calls[i].marks.group])
            thread_of[calls[i].marks.group] = (uint8_t)(1 + pl_prng_below(prng, threads));
    for (unsigned at = 0; at < threads * length; at++) {
        unsigned choices = 0;
        for (unsigned i = 0; i < count; i++)
            if (may_call(calls, i, cells, at, 1 + at / length, thread_of, like))
                may[choices++] = (uint8_t)i;
        if (!choices)
            return false;
        cells[at] = may[pl_prng_below(prng, choices)];
    }
    return true;
}

bool pl_marks_draw(uint8_t *cells, unsigned threads, unsigned length, const struct pl_call *calls,
                   unsigned count, const struct pl_test *like, struct pl_prng *prng)
{
    if (!pl_marks_restrict(calls, count)) {
        pl_test_draw(cells, threads, length, count, prng);
        return true;
    }
    for (unsigned tries = 0; tries < DRAWS; tries++)
        if (draw_once(cells, threads, length, calls, count, like, prng))
            return true;
    return false;
}
