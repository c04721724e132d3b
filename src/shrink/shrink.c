/* A smaller test: see shrink.h. */
#include "shrink/shrink.h"

#include <string.h>

enum { MOST_ASKED = 512 };

struct shrink {
    struct pl_test *test;
    const struct pl_call *calls;
    pl_is_wrong *is_wrong;
    void *context;
    struct {
        struct pl_test test;
        enum pl_shrink_answer answer;
    } asked[MOST_ASKED]; /* no test is run twice */
    unsigned count;
};

static enum pl_shrink_answer ask(struct shrink *s, const struct pl_test *test)
{
    for (unsigned i = 0; i < s->count; i++)
        if (memcmp(&s->asked[i].test, test, sizeof *test) == 0)
            return s->asked[i].answer;
    enum pl_shrink_answer answer = s->is_wrong(s->context, test);
    if (s->count < MOST_ASKED) {
        s->asked[s->count].test = *test;
        s->asked[s->count++].answer = answer;
    }
    return answer;
}

/* Does the smaller one do? Then it takes the place of the test. */
static bool try(struct shrink *s, const struct pl_test *smaller)
{
    if (ask(s, smaller) != PL_IS_WRONG)
        return false;
    *s->test = *smaller;
    return true;
}

static bool one_less(struct shrink *s)
{
    unsigned count = pl_test_count(s->test);
    for (unsigned i = count;
         i-- > 0 && count > 1;) { /* the last first: often nothing hangs on it */
        struct pl_test smaller;
        pl_test_without(s->test, i, &smaller);
        if (smaller.threads > 1 && try(s, &smaller))
            return true;
    }
    return false;
}

/* The invocations of `from` after those of `to`, or before them. */
static void join(const struct pl_test *t, unsigned to, unsigned from, bool before,
                 struct pl_test *out)
{
    unsigned first[PL_TEST_THREADS + 1] = {0, t->init}, used = t->init, at = 1;
    for (unsigned c = 1; c < t->threads; c++)
        first[c + 1] = first[c] + t->length[c];
    *out =
        (struct pl_test){.threads = (uint8_t)(t->threads - 1), .init = t->init, .final = t->final};
    out->length[0] = t->length[0];
    memcpy(out->operation, t->operation, t->init);
    for (unsigned c = 1; c < t->threads; c++) {
        if (c == from)
            continue;
        unsigned part[2] = {c, c}, parts = c == to ? 2 : 1;
        if (c == to)
            part[before ? 0 : 1] = from;
        for (unsigned k = 0; k < parts; k++) {
            memcpy(out->operation + used, t->operation + first[part[k]], t->length[part[k]]);
            used += t->length[part[k]];
            out->length[at] = (uint8_t)(out->length[at] + t->length[part[k]]);
        }
        at++;
    }
    memcpy(out->operation + used, t->operation + pl_test_count(t) - t->final, t->final);
}

static bool fewer_threads(struct shrink *s)
{
    for (unsigned from = 1; from < s->test->threads && s->test->threads > 2; from++)
        for (unsigned to = 1; to < s->test->threads; to++)
            for (unsigned before = 0; before < 2 && to != from; before++) {
                struct pl_test smaller;
                join(s->test, to, from, before, &smaller);
                if (try(s, &smaller))
                    return true;
            }
    return false;
}

static bool in_word(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Past a number that is not part of a name. */
static const char *skip_number(const char *text, char before)
{
    const char *at = text + (*text == '-');
    if (in_word(before) || *at < '0' || *at > '9')
        return text;
    while (in_word(*at))
        at++;
    return at;
}

/* The same text but for numbers: another object is another operation. */
static bool same_operation(const struct pl_call *a, const struct pl_call *b)
{
    const char *x = a->shown, *y = b->shown;
    char before = ' ';
    while (*x || *y) {
        const char *after_x = skip_number(x, before), *after_y = skip_number(y, before);
        bool number = after_x != x && after_y != y;
        if (!number && *x != *y)
            return false;
        before = number ? '0' : *x;
        x = number ? after_x : x + 1;
        y = number ? after_y : y + 1;
    }
    return true;
}

/* Does another thread make this call? What two threads say differently, they are not made to say
 * alike: it may be which of them each is, and then the object would be used in a way that nobody
 * means. */
static bool is_of_another(const struct pl_test *t, unsigned invocation, unsigned call)
{
    for (unsigned i = 0; i < pl_test_count(t); i++)
        if (t->operation[i] == call && pl_test_thread(t, i) != pl_test_thread(t, invocation))
            return true;
    return false;
}

static bool simpler_argument(struct shrink *s)
{
    for (unsigned i = 0; i < pl_test_count(s->test); i++)
        for (unsigned k = 0; k < s->test->operation[i]; k++) {
            struct pl_test simpler = *s->test;
            if (!same_operation(&s->calls[k], &s->calls[s->test->operation[i]]) ||
                is_of_another(s->test, i, k))
                continue;
            simpler.operation[i] = (uint8_t)k;
            if (try(s, &simpler))
                return true;
        }
    return false;
}

static bool is_minimal(struct shrink *s)
{
    unsigned count = pl_test_count(s->test);
    bool minimal = true;
    for (unsigned i = 0; i < count && count > 1 && minimal; i++) {
        struct pl_test smaller;
        pl_test_without(s->test, i, &smaller);
        minimal = smaller.threads < 2 || ask(s, &smaller) == PL_IS_RIGHT;
    }
    return minimal;
}

bool pl_shrink(struct pl_test *test, const struct pl_call *calls, bool joins, pl_is_wrong *is_wrong,
               void *context)
{
    struct shrink s = {.test = test, .calls = calls, .is_wrong = is_wrong, .context = context};
    while (one_less(&s) || (joins && fewer_threads(&s)) || (calls && simpler_argument(&s)))
        continue;
    return is_minimal(&s);
}
