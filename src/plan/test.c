/* Tests: see test.h. */
#include "plan/test.h"

#include <stdlib.h>
#include <string.h>

unsigned pl_test_count(const struct pl_test *t)
{
    unsigned count = 0;
    for (unsigned i = 0; i < t->threads; i++)
        count += t->length[i];
    return count;
}

unsigned pl_test_thread(const struct pl_test *t, unsigned invocation)
{
    unsigned end = t->init;
    if (invocation < end)
        return 0;
    for (unsigned i = 1; i < t->threads; i++) {
        end += t->length[i];
        if (invocation < end)
            return i;
    }
    return 0;
}

/* ---- reading ---- */

static bool has_name(const struct pl_call *call, const char *word)
{
    size_t length = strcspn(call->shown, "(");
    return strlen(word) == length && strncmp(call->shown, word, length) == 0;
}

/* By its whole text, its short name, or the name alone if no other has it. */
static enum pl_status find_call(const char *word, const struct pl_call *calls, size_t count,
                                uint8_t *out, struct pl_error *error)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(calls[i].text, word) == 0 || strcmp(calls[i].shown, word) == 0) {
            *out = (uint8_t)i;
            return PL_OK;
        }
    for (size_t i = 0; i < count && !calls[i].is_spare; i++) {
        char *call = pl_call_tidy(calls[i].call, strlen(calls[i].call));
        if (has_name(&calls[i], word) || strcmp(call, word) == 0) {
            *out = (uint8_t)i;
            found++;
        }
        free(call);
    }
    if (found == 1)
        return PL_OK;
    if (!word[0])
        return pl_fail(error, PL_ERR_INPUT, "a test has a comma with no call beside it");
    struct pl_strbuf names;
    pl_strbuf_init(&names);
    for (size_t i = 0; i < count && !calls[i].is_spare; i++)
        pl_strbuf_addf(&names, "%s%s", i ? ", " : "", calls[i].shown);
    enum pl_status status =
        pl_fail(error, PL_ERR_INPUT, "a test has '%.200s', which is %s; the calls are %.600s", word,
                found ? "more than one of the calls" : "none of the calls", names.text);
    pl_strbuf_release(&names);
    return status;
}

/* Appends a sequence to the test. */
static enum pl_status read_sequence(struct pl_test *t, unsigned *used, const char *text,
                                    size_t length, const struct pl_call *calls, size_t count,
                                    struct pl_error *error)
{
    char *part = strndup(text, length);
    PL_ASSERT(part);
    enum pl_status status = PL_OK;
    for (const char *at = part; at && !status;) {
        const char *end = pl_call_find(at, ",");
        char *word = pl_call_tidy(at, (size_t)(end - at));
        bool nothing = !word[0] && at == part && !*end;
        if (!nothing && *used == PL_TEST_OPERATIONS)
            status = pl_fail(error, PL_ERR_INPUT, "a test has at most %d invocations",
                             PL_TEST_OPERATIONS);
        else if (!nothing)
            status = find_call(word, calls, count, &t->operation[(*used)++], error);
        free(word);
        at = *end ? end + 1 : NULL;
    }
    free(part);
    return status;
}

static enum pl_status read_parts(struct pl_test *out, const char *text, const char *init,
                                 const char *final, const struct pl_call *calls, size_t count,
                                 struct pl_error *error)
{
    unsigned used = 0;
    *out = (struct pl_test){.threads = 1};
    enum pl_status status =
        init ? read_sequence(out, &used, init, strlen(init), calls, count, error) : PL_OK;
    out->init = (uint8_t)used;
    for (const char *at = text; at && !status;) {
        const char *end = pl_call_find(at, "|");
        unsigned before = used;
        if (out->threads == PL_TEST_THREADS)
            return pl_fail(error, PL_ERR_INPUT, "a test has at most %d threads",
                           PL_TEST_THREADS - 1);
        status = read_sequence(out, &used, at, (size_t)(end - at), calls, count, error);
        if (!status && used == before)
            return pl_fail(error, PL_ERR_INPUT, "a thread of the test '%.300s' has no invocation",
                           text);
        out->length[out->threads++] = (uint8_t)(used - before);
        if (!*end)
            break;
        at = end + 1;
    }
    unsigned before = used;
    if (!status && final)
        status = read_sequence(out, &used, final, strlen(final), calls, count, error);
    out->final = (uint8_t)(used - before);
    out->length[0] = (uint8_t)(out->init + out->final);
    return status;
}

static const char BEFORE[] = " (before it: ", AFTER[] = " (after it: ";

/* Cuts " (before it: CALLS)" out of the end of the text; NULL: it is not there. */
static char *cut_around(char *text, const char *mark)
{
    char *at = strstr(text, mark);
    if (!at)
        return NULL;
    char *calls = at + strlen(mark);
    const char *end = pl_call_find(calls, ")");
    char *copy = strndup(calls, (size_t)(end - calls));
    PL_ASSERT(copy);
    const char *rest = *end ? end + 1 : end;
    memmove(at, rest, strlen(rest) + 1);
    return copy;
}

enum pl_status pl_test_parse(struct pl_test *out, const char *text, const char *init,
                             const char *final, const struct pl_call *calls, size_t count,
                             struct pl_error *error)
{
    if (!text)
        return read_parts(out, NULL, init, final, calls, count, error);
    char *matrix = strdup(text);
    PL_ASSERT(matrix);
    char *before = cut_around(matrix, BEFORE), *after = cut_around(matrix, AFTER);
    enum pl_status status =
        read_parts(out, matrix, before ? before : init, after ? after : final, calls, count, error);
    free(matrix);
    free(before);
    free(after);
    return status;
}

/* ---- writing ---- */

static void print_sequence(const struct pl_test *t, unsigned first, unsigned count,
                           const struct pl_call *calls, struct pl_strbuf *out)
{
    for (unsigned i = 0; i < count; i++)
        pl_strbuf_addf(out, "%s%s", i ? "," : "", calls[t->operation[first + i]].shown);
}

void pl_test_print(const struct pl_test *t, const struct pl_call *calls, struct pl_strbuf *out)
{
    unsigned at = t->init;
    for (unsigned i = 1; i < t->threads; i++) {
        if (i > 1)
            pl_strbuf_add(out, " | ");
        print_sequence(t, at, t->length[i], calls, out);
        at += t->length[i];
    }
    if (t->init) {
        pl_strbuf_add(out, BEFORE);
        print_sequence(t, 0, t->init, calls, out);
        pl_strbuf_add(out, ")");
    }
    if (t->final) {
        pl_strbuf_add(out, AFTER);
        print_sequence(t, at, t->final, calls, out);
        pl_strbuf_add(out, ")");
    }
}

/* ---- making ---- */

bool pl_test_next(uint8_t *cells, unsigned threads, unsigned length, unsigned calls)
{
    unsigned size = threads * length;
    for (unsigned i = size; i-- > 0;) {
        if (cells[i] + 1u == calls)
            continue;
        cells[i]++;
        /* The smallest that does not fall: the rest of this column is zero, and the columns
         * after it are like it. */
        unsigned column = i / length;
        memset(cells + i + 1, 0, (column + 1) * length - (i + 1));
        for (unsigned c = column + 1; c < threads; c++)
            memcpy(cells + c * length, cells + column * length, length);
        return true;
    }
    return false;
}

uint64_t pl_test_all(unsigned threads, unsigned length, unsigned calls)
{
    __uint128_t columns = 1, all = 1;
    for (unsigned i = 0; i < length; i++)
        columns *= calls;
    for (unsigned i = 0; i < threads; i++) { /* multisets */
        all = all * (columns + i) / (i + 1);
        if (columns > UINT32_MAX || all > UINT64_MAX)
            return UINT64_MAX;
    }
    return (uint64_t)all;
}

void pl_test_draw(uint8_t *cells, unsigned threads, unsigned length, unsigned calls,
                  struct pl_prng *prng)
{
    for (unsigned i = 0; i < threads * length; i++)
        cells[i] = (uint8_t)pl_prng_below(prng, calls);
}

void pl_test_without(const struct pl_test *t, unsigned invocation, struct pl_test *out)
{
    unsigned thread = pl_test_thread(t, invocation), count = pl_test_count(t);
    *out = *t;
    memmove(out->operation + invocation, out->operation + invocation + 1, count - invocation - 1);
    out->length[thread]--;
    if (thread == 0) {
        out->init = (uint8_t)(out->init - (invocation < t->init));
        out->final = (uint8_t)(out->final - (invocation >= t->init));
    } else if (!out->length[thread]) {
        memmove(out->length + thread, out->length + thread + 1,
                (size_t)(out->threads - thread - 1) * sizeof *out->length);
        out->threads--;
    }
}
