/* Histories that one line explains: see explain.h. */
#include "runtime/explain.h"

#include <string.h>

enum { SLOTS = 1 << 13 };
_Static_assert(SLOTS >= 2 * PL_CHECK_VECTORS && PL_CHECK_VECTORS < 1 << 16,
               "half of them stay empty");

/* ---- numbers of answers ---- */

struct answer {
    uint16_t bytes;
    uint8_t response[PL_CHECK_RESPONSE];
};

static struct answer answer[PL_CHECK_OPERATIONS][PL_CHECK_ANSWERS];
static uint8_t answers[PL_CHECK_OPERATIONS];

static uint64_t word_at(const uint8_t *from, unsigned bytes)
{
    uint64_t word;
    memcpy(&word, from, sizeof word);
    return bytes < 8 ? word & (((uint64_t)1 << 8 * bytes) - 1) : word;
}

static bool is_answer(const struct answer *a, const struct pl_invocation *v)
{
    if (a->bytes != v->bytes)
        return false;
    if (v->bytes > 16)
        return memcmp(a->response, v->response, v->bytes) == 0;
    return word_at(a->response, v->bytes) == word_at(v->response, v->bytes) &&
           (v->bytes <= 8 ||
            word_at(a->response + 8, v->bytes - 8u) == word_at(v->response + 8, v->bytes - 8u));
}

/* The number of the invocation's answer; PL_CHECK_ANSWERS: it has none. */
static uint8_t number_of(unsigned i)
{
    const struct pl_invocation *v = &pl_harness.invocation[i];
    for (uint8_t a = 0; a < answers[i]; a++)
        if (is_answer(&answer[i][a], v))
            return a;
    if (answers[i] == PL_CHECK_ANSWERS)
        return PL_CHECK_ANSWERS;
    answer[i][answers[i]].bytes = v->bytes;
    memcpy(answer[i][answers[i]].response, v->response, v->bytes);
    return answers[i]++;
}

/* ---- and of all of them ---- */

struct vector {
    uint64_t word[4];
};
_Static_assert(sizeof(struct vector) >= PL_CHECK_OPERATIONS, "a byte each");

static struct vector vector[PL_CHECK_VECTORS];
static uint16_t slot[SLOTS]; /* 1 + number */
static uint32_t vectors;

static uint32_t vector_of(const uint8_t *number)
{
    struct vector v = {{0}};
    uint64_t hash = 0;
    memcpy(&v, number, pl_harness.count);
    for (unsigned k = 0; k < 4; k++) {
        hash = (hash ^ v.word[k]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    for (uint64_t s = hash % SLOTS;; s = (s + 1) % SLOTS) {
        if (!slot[s]) {
            if (vectors == PL_CHECK_VECTORS)
                return PL_CHECK_VECTORS;
            vector[vectors] = v;
            slot[s] = (uint16_t)++vectors;
        }
        const struct vector *w = &vector[slot[s] - 1];
        if (!((w->word[0] ^ v.word[0]) | (w->word[1] ^ v.word[1]) | (w->word[2] ^ v.word[2]) |
              (w->word[3] ^ v.word[3])))
            return slot[s] - 1u;
    }
}

void pl_answers_find(struct pl_answers *out)
{
    bool all = true;
    for (unsigned i = 0; i < pl_harness.count; i++) {
        out->number[i] = pl_harness.invocation[i].returned ? number_of(i) : PL_CHECK_ANSWERS;
        all = all && out->number[i] < PL_CHECK_ANSWERS;
    }
    out->vector = all ? vector_of(out->number) : PL_CHECK_VECTORS;
}

/* ---- a line ---- */

static bool is_passed(const uint32_t *needed, const uint32_t *passed)
{
    uint32_t missing = 0;
    for (unsigned i = 0; i < pl_harness.count; i++)
        missing |= needed[i] & ~passed[i];
    return !missing;
}

static enum pl_line_answer step(void *context, uint32_t state, unsigned operation, uint32_t *next)
{
    const struct pl_answers *a = context;
    uint64_t at = ((uint64_t)state * pl_harness.count + operation) * PL_CHECK_ANSWERS;
    at += a->number[operation];
    /* Not by __atomic_load_n: that would be a call of the function that we define for subjects. */
    const volatile uint16_t *steps = rt.wire->lines.step;
    uint16_t known = at < PL_CHECK_LINE_STEPS ? steps[at] : 0;
    if (known < PL_LINES_FIRST)
        return known == PL_LINES_REFUSED ? PL_LINE_REFUSED : PL_LINE_UNKNOWN;
    *next = known - PL_LINES_FIRST;
    return PL_LINE_TAKEN;
}

/* The calls of each one's thread. */
static void find_own(uint64_t *own)
{
    const struct pl_invocation *v = pl_harness.invocation;
    uint64_t of[PL_MAX_THREADS];
    for (unsigned i = 0; i < pl_harness.count; i++)
        of[v[i].thread] = 0;
    for (unsigned i = 0; i < pl_harness.count; i++)
        of[v[i].thread] |= (uint64_t)1 << 2 * i;
    for (unsigned i = 0; i < pl_harness.count; i++)
        own[i] = of[v[i].thread];
}

bool pl_explains(struct pl_line_order *order, struct pl_answers *given, const uint32_t *passed)
{
    const struct pl_wire_lines *l = &rt.wire->lines;
    uint64_t later[PL_CHECK_OPERATIONS], own[PL_CHECK_OPERATIONS];
    if (given->vector == PL_CHECK_VECTORS ||
        !__atomic_load_n(&l->decided[given->vector], __ATOMIC_ACQUIRE) ||
        (passed && !is_passed(&l->needed[given->vector * pl_harness.count], passed)))
        return false;
    if (order->cause)
        find_own(own);
    order->own = own;
    pl_line_later(order, later);
    return pl_line_search(later, pl_harness.count, rt.options->check.start, step, given);
}
