/* Serial orders, built from the front, each configuration once. */
#include "check/serial.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/prng.h"

enum { SLOTS = 64, MOST_CONFIGS = 1 << 22 };

struct search {
    struct pl_machine *machine;
    const struct pl_called *called;
    const struct pl_budget *budget;
    unsigned operations;
    uint32_t before[PL_MOST_CALLED];
    uint32_t complete; /* must be placed */
    uint32_t free;     /* pending, may be placed; none if stuck */
    uint32_t asked;    /* pending, must block at the end */
    uint32_t justified;
    bool untried, over;
    bool quiet; /* what comes near is not asked for */

    uint8_t path[PL_MOST_CALLED];
    unsigned length, longest; /* of completed operations */
    struct pl_nearest *out;

    uint64_t *seen; /* hash table: configuration + 1; `small` until that is too small */
    size_t seen_mask, seen_count;
    uint64_t small[SLOTS];
};

static void seen_put(uint64_t *table, size_t mask, uint64_t key)
{
    uint64_t x = key;
    size_t i = pl_mix64(&x) & mask;
    while (table[i])
        i = (i + 1) & mask;
    table[i] = key;
}

static uint64_t *table_of(size_t mask)
{
    uint64_t *table = calloc(mask + 1, sizeof *table);
    PL_ASSERT(table);
    return table;
}

/* True if it is new. */
static bool seen_add(struct search *s, uint32_t state, uint32_t placed)
{
    uint64_t key = ((uint64_t)state << PL_MOST_CALLED | placed) + 1, x = key;
    for (size_t i = pl_mix64(&x) & s->seen_mask; s->seen[i]; i = (i + 1) & s->seen_mask)
        if (s->seen[i] == key)
            return false;
    if (2 * ++s->seen_count > s->seen_mask) {
        size_t mask = 2 * s->seen_mask + 1;
        uint64_t *bigger = table_of(mask);
        for (size_t i = 0; i <= s->seen_mask; i++)
            if (s->seen[i])
                seen_put(bigger, mask, s->seen[i]);
        if (s->seen != s->small)
            free(s->seen);
        s->seen = bigger;
        s->seen_mask = mask;
    }
    seen_put(s->seen, s->seen_mask, key);
    return true;
}

/* --- what comes near -------------------------------------------------------------------- */

static bool same_contradiction(const struct pl_near *a, const struct pl_near *b)
{
    return a->operation == b->operation && a->blocks == b->blocks && a->answers == b->answers &&
           memcmp(a->answer, b->answer, a->answers * sizeof *a->answer) == 0;
}

/* After the path, `operation` does not answer what it answered. */
static void note(struct search *s, uint32_t state, unsigned operation)
{
    struct pl_near near = {.length = s->length, .operation = operation};
    memcpy(near.order, s->path, s->length);
    near.pending = s->asked >> operation & 1;
    for (unsigned which = 0;; which++) {
        uint32_t next;
        pl_value response;
        enum pl_step step =
            pl_step(s->machine, state, s->called[operation].invocation, which, &response, &next);
        if (step == PL_STEP_END)
            break;
        near.blocks |= step == PL_STEP_BLOCKS;
        s->untried |= step == PL_STEP_UNTRIED;
        if (step == PL_STEP_ANSWERS && near.answers < PL_NEAR_ANSWERS)
            near.answer[near.answers++] = response;
    }
    for (unsigned k = 0; k < s->out->count; k++)
        if (same_contradiction(&s->out->near[k], &near))
            return;
    if (s->out->count < PL_MOST_NEAR)
        s->out->near[s->out->count++] = near;
}

/* --- the search --------------------------------------------------------------------------- */

static bool may_come(const struct search *s, uint32_t placed, unsigned operation)
{
    return ((s->complete | s->free) & ~placed) >> operation & 1 &&
           !(s->before[operation] & s->complete & ~placed);
}

/* All completed operations are placed. True if nothing more is asked for. */
static bool at_end(struct search *s, uint32_t state)
{
    for (uint32_t rest = s->asked & ~s->justified; rest; rest &= rest - 1) {
        unsigned e = (unsigned)__builtin_ctz(rest);
        if (pl_blocks(s->machine, state, s->called[e].invocation, &s->untried))
            s->justified |= (uint32_t)1 << e;
    }
    return !(s->asked & ~s->justified);
}

static bool visit(struct search *s, uint32_t state, uint32_t placed);

static bool place(struct search *s, uint32_t state, uint32_t placed, unsigned operation)
{
    pl_value response, recorded = s->called[operation].response;
    bool any = recorded == PL_ANY || (s->free >> operation & 1);
    for (unsigned which = 0;; which++) {
        uint32_t next;
        enum pl_step step =
            pl_step(s->machine, state, s->called[operation].invocation, which, &response, &next);
        if (step == PL_STEP_END)
            return false;
        s->untried |= step == PL_STEP_UNTRIED;
        if (step != PL_STEP_ANSWERS || !(any || response == recorded))
            continue;
        s->path[s->length++] = (uint8_t)operation;
        if (visit(s, next, placed | (uint32_t)1 << operation))
            return true;
        s->length--;
    }
}

/* True when the search is over: a witness is in path, or the budget ran out. */
static bool visit(struct search *s, uint32_t state, uint32_t placed)
{
    if (!seen_add(s, state, placed))
        return false;
    if (s->seen_count % 4096 == 0 && (pl_check_over(s->budget) || s->seen_count >= MOST_CONFIGS)) {
        s->over = true;
        return true;
    }
    unsigned agreed = (unsigned)__builtin_popcount(placed & s->complete);
    if (agreed > s->longest) {
        s->longest = agreed;
        s->out->count = 0;
    }
    if (!(s->complete & ~placed) && at_end(s, state))
        return true;
    for (unsigned i = 0; i < s->operations; i++)
        if (may_come(s, placed, i) && place(s, state, placed, i))
            return true;
    if (agreed < s->longest || s->quiet)
        return false;
    if (!(s->complete & ~placed)) {
        for (uint32_t rest = s->asked & ~s->justified; rest; rest &= rest - 1)
            note(s, state, (unsigned)__builtin_ctz(rest));
        return false;
    }
    for (unsigned i = 0; i < s->operations; i++)
        if ((s->complete >> i & 1) && may_come(s, placed, i))
            note(s, state, i);
    return false;
}

static bool run(struct search *s)
{
    *s->out = (struct pl_nearest){.unjustified = PL_NONE_CALLED};
    s->justified = 0;
    s->length = s->longest = 0;
    s->seen_count = 0;
    s->seen_mask = SLOTS - 1;
    s->seen = s->small;
    memset(s->small, 0, sizeof s->small);
    bool good = visit(s, s->machine->start, 0) && !s->over;
    if (s->seen != s->small)
        free(s->seen);
    return good;
}

/* asked: of a stuck one, the pending operations that have to block. */
static enum pl_decision decide(struct search *s, const struct pl_behaviour *b, uint32_t pending,
                               uint32_t asked)
{
    s->called = b->called;
    s->operations = b->order->operations;
    s->complete = pl_operations_all(b->order) & ~pending;
    s->free = b->stuck ? 0 : pending;
    s->asked = b->stuck ? asked : 0;
    if (run(s)) {
        s->out->count = 1;
        s->out->near[0] = (struct pl_near){.length = s->length, .operation = PL_NONE_CALLED};
        memcpy(s->out->near[0].order, s->path, s->length);
        return PL_GOOD;
    }
    uint32_t bad = s->asked & ~s->justified;
    if (bad && !s->over && s->longest == (unsigned)__builtin_popcount(s->complete)) {
        unsigned e = (unsigned)__builtin_ctz(bad);
        s->asked = (uint32_t)1 << e; /* the nearest are about one of them */
        run(s);
        s->out->unjustified = e;
    }
    s->out->untried = s->untried;
    return s->untried || s->over ? PL_NEITHER : PL_BAD;
}

enum pl_decision pl_serial_order(struct pl_machine *machine, const struct pl_behaviour *behaviour,
                                 const struct pl_budget *budget, struct pl_nearest *out)
{
    struct pl_order closed;
    struct search s = {.machine = machine, .budget = budget, .out = out};
    bool is_order = pl_order_close(behaviour->order, &closed);
    PL_ASSERT(is_order); /* B1 */
    pl_order_operations(&closed, s.before);
    return decide(&s, behaviour, closed.pending, closed.pending);
}

enum pl_decision pl_serial_history(struct pl_machine *machine, const struct pl_behaviour *behaviour,
                                   const uint8_t *event, unsigned events,
                                   const struct pl_budget *budget, struct pl_nearest *out)
{
    struct search s = {.machine = machine, .budget = budget, .out = out};
    uint32_t returned = 0;
    for (unsigned k = 0; k < events; k++)
        if (event[k] % 2)
            returned |= (uint32_t)1 << event[k] / 2;
        else
            s.before[event[k] / 2] = returned;
    uint32_t pending = pl_operations_all(behaviour->order) & ~returned;
    return decide(&s, behaviour, pending, pending);
}

enum pl_decision pl_serial_before(struct pl_machine *machine, const struct pl_behaviour *behaviour,
                                  const uint32_t *before, uint32_t asked,
                                  const struct pl_budget *budget, struct pl_nearest *out)
{
    struct search s;
    memset(&s, 0, offsetof(struct search, small));
    s.machine = machine;
    s.budget = budget;
    s.out = out;
    s.quiet = true;
    memcpy(s.before, before, behaviour->order->operations * sizeof *before);
    return decide(&s, behaviour, behaviour->order->pending, asked);
}
