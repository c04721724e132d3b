/*
 * Checks a witness: every operation that returned is in it once, pending ones at most once,
 * the real-time order is kept, and an object that does one operation after the other gives
 * the answers. The objects with many members are written here once more, with nothing shared
 * with deciders or specs; for the others the spec is asked.
 */
#include <stdlib.h>
#include <string.h>

#include "check/check.h"

/* A ring of values: queue, stack and deque. */
struct ring {
    pl_value *at;
    uint32_t mask, head, count;
};

/* Values in a hash table, with how many of each. */
struct counts {
    pl_value *value;
    uint32_t *count; /* 0: free slot, else members + 1 */
    uint32_t mask;
    uint64_t members;
};

struct replay {
    const struct pl_case *c;
    struct ring ring; /* also the heap */
    struct counts counts;
    struct pl_state state, next;
};

static bool fail(struct pl_error *why, const char *what, uint32_t operation)
{
    (void)pl_fail(why, PL_ERR_LIMIT, "%s (operation %u)", what, operation);
    return false;
}

static bool order_kept(const struct pl_case *c, const struct pl_witness *w, struct pl_error *why)
{
    const struct pl_history *h = c->history;
    uint32_t last_call = 0, returned = 0;
    bool good = true;
    bool *seen = calloc(h->count + 1, sizeof *seen);
    PL_ASSERT(seen);
    for (uint32_t k = 0; k < w->count && good; k++) {
        uint32_t i = w->order[k];
        if (i >= h->count || seen[i]) {
            good = fail(why, "the witness has an operation twice", i);
            break;
        }
        seen[i] = true;
        returned += !pl_pending(&h->operation[i]);
        if (h->operation[i].ret < last_call)
            good = fail(why, "the witness breaks the real-time order", i);
        if (h->operation[i].call > last_call)
            last_call = h->operation[i].call;
    }
    for (uint32_t i = 0; i < h->count && good; i++)
        if (!seen[i] && !pl_pending(&h->operation[i]))
            good = fail(why, "the witness lacks an operation", i);
    free(seen);
    return good;
}

static pl_value *ring_at(struct ring *r, uint32_t place)
{
    return &r->at[(r->head + place) & r->mask];
}

static void push(struct ring *r, bool left, pl_value v)
{
    if (left)
        r->head--;
    r->count++;
    *ring_at(r, left ? 0 : r->count - 1) = v;
}

static pl_value pop(struct ring *r, bool left)
{
    if (!r->count)
        return PL_NIL;
    pl_value v = *ring_at(r, left ? 0 : r->count - 1);
    if (left)
        r->head++;
    r->count--;
    return v;
}

/* The ring as a heap: the least on top. Greatest first is least first of the opposite. */
static void heap_push(struct ring *r, pl_value v)
{
    uint32_t i = r->count++;
    for (; i && r->at[(i - 1) / 2] > v; i = (i - 1) / 2)
        r->at[i] = r->at[(i - 1) / 2];
    r->at[i] = v;
}

static pl_value heap_pop(struct ring *r)
{
    if (!r->count)
        return PL_NIL;
    pl_value top = r->at[0], v = r->at[--r->count];
    uint32_t i = 0;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= r->count)
            break;
        child += child + 1 < r->count && r->at[child + 1] < r->at[child];
        if (r->at[child] >= v)
            break;
        r->at[i] = r->at[child];
        i = child;
    }
    r->at[i] = v;
    return top;
}

static uint32_t *count_of(struct counts *c, pl_value v)
{
    uint32_t i = (uint32_t)(((uint64_t)v * 0xd6e8feb86659fd93u) >> 33) & c->mask;
    while (c->count[i] && c->value[i] != v)
        i = (i + 1) & c->mask;
    if (!c->count[i]) {
        c->count[i] = 1;
        c->value[i] = v;
    }
    return &c->count[i];
}

/* The answer of a bag to a take is the witness's own, if such a value is inside. */
static bool bag_take(struct replay *r, pl_value answer)
{
    if (answer == PL_NIL)
        return r->counts.members == 0;
    uint32_t *count = count_of(&r->counts, answer);
    if (*count < 2)
        return false;
    --*count;
    r->counts.members--;
    return true;
}

static pl_value set_step(struct replay *r, const struct pl_operation *o)
{
    uint32_t *count = count_of(&r->counts, o->argument[0]);
    bool there = *count == 2;
    if (o->code == PL_SET_ADD)
        *count = 2;
    if (o->code == PL_SET_REMOVE)
        *count = 1;
    return o->code == PL_SET_ADD ? !there : there;
}

static bool by_spec(struct replay *r, const struct pl_operation *o, pl_value answer)
{
    struct pl_operation asked = *o;
    pl_value result;
    asked.result = answer;
    if (!r->c->spec->step(&r->c->history->values, &r->state, &asked, 0, &r->next, &result))
        return false;
    struct pl_state swap = r->state;
    r->state = r->next;
    r->next = swap;
    return true;
}

static bool step(struct replay *r, const struct pl_operation *o, pl_value answer, bool sets)
{
    const struct pl_spec *spec = r->c->spec;
    if (spec == &pl_spec_fifo || spec == &pl_spec_lifo) {
        if (o->code == PL_TAKE)
            return pop(&r->ring, spec == &pl_spec_fifo) == answer;
        push(&r->ring, false, o->argument[0]);
        return true;
    }
    if (spec == &pl_spec_deque) {
        bool left = o->code == PL_DEQUE_PUSH_LEFT || o->code == PL_DEQUE_POP_LEFT;
        if (o->code == PL_DEQUE_POP_LEFT || o->code == PL_DEQUE_POP_RIGHT)
            return pop(&r->ring, left) == answer;
        push(&r->ring, left, o->argument[0]);
        return true;
    }
    if (spec == &pl_spec_pqueue || spec == &pl_spec_max_pqueue) {
        bool greatest = spec == &pl_spec_max_pqueue;
        if (o->code == PL_TAKE) {
            pl_value v = heap_pop(&r->ring);
            return (greatest && v != PL_NIL ? -v : v) == answer;
        }
        heap_push(&r->ring, greatest ? -o->argument[0] : o->argument[0]);
        return true;
    }
    if (spec == &pl_spec_bag) {
        if (o->code == PL_TAKE)
            return bag_take(r, answer);
        uint32_t *count = count_of(&r->counts, o->argument[0]);
        ++*count;
        r->counts.members++;
        return true;
    }
    if (sets)
        return set_step(r, o) == answer;
    return by_spec(r, o, answer);
}

static void init(struct replay *r, const struct pl_case *c)
{
    uint32_t n = 16;
    while (n < 2 * c->history->count)
        n *= 2;
    *r = (struct replay){.c = c};
    if (c->spec == &pl_spec_bag || c->spec == &pl_spec_set) {
        r->counts.mask = n - 1;
        r->counts.value = malloc(n * sizeof *r->counts.value);
        r->counts.count = calloc(n, sizeof *r->counts.count);
        PL_ASSERT(r->counts.value && r->counts.count);
    } else {
        r->ring.mask = n - 1;
        r->ring.at = malloc(n * sizeof *r->ring.at);
        PL_ASSERT(r->ring.at);
    }
    c->spec->start(c->initial, c->history, &r->state);
}

bool pl_replay(const struct pl_case *c, const struct pl_witness *w, struct pl_error *why)
{
    struct replay r;
    const struct pl_history *h = c->history;
    bool sets = c->spec == &pl_spec_set;
    if (!order_kept(c, w, why))
        return false;
    init(&r, c);
    for (uint32_t i = 0; i < h->count; i++)
        sets = sets && h->operation[i].code < PL_SET_READ;
    bool good = true;
    for (uint32_t k = 0; k < w->count && good; k++) {
        const struct pl_operation *o = &h->operation[w->order[k]];
        if (!pl_pending(o) && o->result != PL_ANY && o->result != w->answer[k])
            good = fail(why, "the witness changes a result", w->order[k]);
        else if (!step(&r, o, w->answer[k], sets))
            good = fail(why, "the object would not answer so", w->order[k]);
    }
    free(r.ring.at);
    free(r.counts.value);
    free(r.counts.count);
    pl_state_release(&r.state);
    pl_state_release(&r.next);
    return good;
}
