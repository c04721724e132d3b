/* Histories that one line explains: see explain.h. */
#include "runtime/explain.h"

#include <string.h>

enum { SLOTS = 1 << 13 };
_Static_assert(SLOTS >= 2 * PL_CHECK_VECTORS && PL_CHECK_VECTORS < 1 << 16,
               "half of them stay empty");

/* ---- numbers of answers ---- */

/* The first bytes of each as a word stand together: what most answers are told apart by is in one
 * line of the cache. */
struct answers {
    uint64_t first[PL_CHECK_ANSWERS];
    uint16_t bytes[PL_CHECK_ANSWERS];
    uint8_t rest[PL_CHECK_ANSWERS][PL_CHECK_RESPONSE - sizeof(uint64_t)];
    uint8_t count;
};
static struct answers answers[PL_CHECK_OPERATIONS];

static uint64_t first_of(const struct pl_invocation *v)
{
    uint64_t word;
    memcpy(&word, v->response, sizeof word);
    return v->bytes < sizeof word ? word & (((uint64_t)1 << 8 * v->bytes) - 1) : word;
}

static size_t rest_of(const struct pl_invocation *v)
{
    return v->bytes > sizeof(uint64_t) ? v->bytes - sizeof(uint64_t) : 0;
}

uint8_t pl_answer_number(unsigned i)
{
    const struct pl_invocation *v = &pl_harness.invocation[i];
    struct answers *a = &answers[i];
    const uint64_t first = first_of(v);
    const uint8_t *rest = v->response + sizeof first;
    for (uint8_t k = 0; k < a->count; k++)
        if (a->first[k] == first && a->bytes[k] == v->bytes &&
            (!rest_of(v) || memcmp(a->rest[k], rest, rest_of(v)) == 0))
            return k;
    if (a->count == PL_CHECK_ANSWERS)
        return PL_CHECK_ANSWERS;
    a->first[a->count] = first;
    a->bytes[a->count] = v->bytes;
    memcpy(a->rest[a->count], rest, rest_of(v));
    return a->count++;
}

void pl_answers_find(struct pl_answers *out)
{
    const struct pl_invocation *v = pl_harness.invocation;
    bool numbered = true;
    for (unsigned i = 0; i < pl_harness.count; i++, v++) {
        out->number[i] = v->returned ? v->number : PL_CHECK_ANSWERS;
        numbered &= out->number[i] < PL_CHECK_ANSWERS;
    }
    out->numbered = numbered;
}

/* ---- and of all of them ---- */

struct vector {
    uint64_t word[4];
};
_Static_assert(sizeof(struct vector) >= PL_CHECK_OPERATIONS, "a byte each");

static struct vector vector[PL_CHECK_VECTORS];
static uint16_t slot[SLOTS]; /* 1 + number */
static uint32_t vectors;

uint32_t pl_answers_vector(const struct pl_answers *of)
{
    struct vector v = {{0}};
    uint64_t hash = 0;
    if (!of->numbered)
        return PL_CHECK_VECTORS;
    memcpy(&v, of->number, pl_harness.count);
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

/* ---- what the tool says ---- */

bool pl_told_settled(uint32_t key)
{
    const volatile uint8_t *settled = rt.wire->lines.settled;
    return key < PL_CHECK_KEYS && settled[key] == PL_SETTLED;
}

/* It is the same for every history with these answers. */
const uint32_t *pl_told_bringers(const struct pl_answers *of)
{
    static uint32_t bringers[PL_CHECK_VECTORS][PL_CHECK_OPERATIONS];
    static bool known[PL_CHECK_VECTORS];
    const struct pl_wire_lines *l = &rt.wire->lines;
    const uint32_t number = pl_answers_vector(of), count = pl_harness.count;
    if (number == PL_CHECK_VECTORS)
        return NULL;
    if (known[number])
        return bringers[number];
    for (uint32_t i = 0; i < count; i++)
        if (!__atomic_load_n(&l->told[i][of->number[i]], __ATOMIC_ACQUIRE))
            return NULL;
    for (uint32_t j = 0; j < count; j++)
        for (uint32_t i = 0; i < count; i++)
            bringers[number][j] |= l->bringers[j][of->number[j]][of->number[i]] & (uint32_t)1 << i;
    known[number] = true;
    return bringers[number];
}

const uint32_t *pl_told_needed(const struct pl_answers *of)
{
    const struct pl_wire_lines *l = &rt.wire->lines;
    const uint32_t number = pl_answers_vector(of);
    if (number == PL_CHECK_VECTORS || !__atomic_load_n(&l->decided[number], __ATOMIC_ACQUIRE))
        return NULL;
    return &l->needed[number * pl_harness.count];
}

/* ---- a line ---- */

static enum pl_line_answer step(void *context, uint32_t state, unsigned operation, uint32_t *next)
{
    const struct pl_answers *a = context;
    uint64_t at = ((uint64_t)state * pl_harness.count + operation) * PL_CHECK_ANSWERS;
    at += a->number[operation];
    /* Not by __atomic_load_n: that would be a call of the function that we define for subjects. */
    const volatile uint16_t *steps = rt.wire->lines.step;
    uint16_t known = at < PL_CHECK_LINE_STEPS ? steps[at] : 0;
    if (known == PL_LINES_REFUSED)
        return PL_LINE_REFUSED;
    if (known < PL_LINES_FIRST) {
        rt.wire->unknown++;
        return PL_LINE_UNKNOWN;
    }
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

static bool is_line(const uint64_t *later, struct pl_answers *given)
{
    return pl_line_search(later, pl_harness.count, rt.options->check.start, step, given);
}

bool pl_explains(struct pl_line_order *order, struct pl_answers *given)
{
    uint64_t later[PL_CHECK_OPERATIONS], own[PL_CHECK_OPERATIONS];
    if (!given->numbered)
        return false;
    if (order->closed) {
        pl_line_later_or_more(order, later);
        if (is_line(later, given))
            return true;
    }
    if (order->cause)
        find_own(own);
    order->own = own;
    pl_line_later(order, later);
    return is_line(later, given);
}
