/*
 * The walk over downsets; walk.h says why it is right.
 *
 *     pool:  [ set of depth 0 | set of depth 1 | … ]        sets of configurations, sorted
 *     entry: downset -> the sets it was walked with          (in two hash tables)
 *     kept:  those sets, one after the other
 *
 * A configuration is one number: the state above, the operations that have taken effect in the
 * low 31 bits.
 */
#include "check/walk.h"

#include <stdlib.h>
#include <string.h>

#include "base/prng.h"

typedef uint64_t config;

enum { EFFECTS = PL_MOST_CALLED, SLOTS = 64, SUBSETS_TRIED = 64 };
#define EFFECT_MASK (((config)1 << EFFECTS) - 1)
#define NO_ENTRY    ((uint32_t)0xffffffff)

struct configs {
    config *at;
    size_t count, room;
};

/* One set a downset was walked with. */
struct entry {
    uint64_t downset, hash; /* of downset and set */
    size_t first, count;    /* in kept */
    uint32_t next[2];       /* of the same slot: by downset, by hash */
};

struct pl_walk {
    struct pl_walk_stats stats;

    /* of the behaviour */
    struct pl_machine *machine;
    const struct pl_behaviour *behaviour;
    const struct pl_budget *budget;
    struct pl_order order; /* closed */
    uint64_t events;       /* that the walk takes */
    uint32_t asked;        /* pending operations that have to block at the end */
    bool untried, over;

    uint8_t path[PL_CALLED_EVENTS];
    unsigned length;
    unsigned at, unjustified;

    struct configs pool, kept, work;
    config *seen; /* hash table: configurations met while a return is taken; key + 1 */
    size_t seen_mask, seen_count;
    struct entry *entry;
    uint32_t entries, entry_room;
    uint32_t *slot[2]; /* entry numbers by downset and by hash, NO_ENTRY is free */
    uint32_t slot_mask;
};

static void *resized(void *memory, size_t count, size_t size)
{
    void *bigger = realloc(memory, count * size);
    PL_ASSERT(bigger);
    return bigger;
}

static void push(struct configs *s, config c)
{
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 256;
        s->at = resized(s->at, s->room, sizeof *s->at);
    }
    s->at[s->count++] = c;
}

static config with_effect(uint32_t state, config effects, unsigned operation)
{
    return (config)state << EFFECTS | effects | (config)1 << operation;
}

static uint64_t mixed(uint64_t x)
{
    return pl_mix64(&x);
}

/* --- configurations met while one return is taken ---------------------------------- */

static void seen_clear(struct pl_walk *w)
{
    if (w->seen_count)
        memset(w->seen, 0, (w->seen_mask + 1) * sizeof *w->seen);
    w->seen_count = 0;
}

static void seen_new(struct pl_walk *w, size_t slots)
{
    w->seen_mask = slots - 1;
    w->seen = calloc(slots, sizeof *w->seen);
    PL_ASSERT(w->seen);
}

static void seen_grow(struct pl_walk *w)
{
    size_t old_mask = w->seen_mask;
    config *old = w->seen;
    seen_new(w, 2 * (old_mask + 1));
    for (size_t k = 0; k <= old_mask; k++) {
        if (!old[k])
            continue;
        size_t i = mixed(old[k]) & w->seen_mask;
        while (w->seen[i])
            i = (i + 1) & w->seen_mask;
        w->seen[i] = old[k];
    }
    free(old);
}

/* True if it is new. */
static bool seen_add(struct pl_walk *w, config c)
{
    config key = c + 1;
    size_t i = mixed(key) & w->seen_mask;
    for (; w->seen[i]; i = (i + 1) & w->seen_mask)
        if (w->seen[i] == key)
            return false;
    w->seen[i] = key;
    if (++w->seen_count * 2 > w->seen_mask)
        seen_grow(w);
    return true;
}

/* --- one return ---------------------------------------------------------------------- */

static bool answers(const struct pl_walk *w, unsigned operation, pl_value response)
{
    pl_value recorded = w->behaviour->called[operation].response;
    return (w->order.pending >> operation & 1) || recorded == PL_ANY || recorded == response;
}

/* `operation` takes effect in c: what comes of it is either done or to be looked at further. */
static void take_effect(struct pl_walk *w, config c, unsigned operation, bool done)
{
    pl_value response;
    uint32_t next, invocation = w->behaviour->called[operation].invocation;
    for (unsigned which = 0;; which++) {
        enum pl_step step =
            pl_step(w->machine, (uint32_t)(c >> EFFECTS), invocation, which, &response, &next);
        if (step == PL_STEP_END)
            return;
        w->untried |= step == PL_STEP_UNTRIED;
        if (step != PL_STEP_ANSWERS || !answers(w, operation, response))
            continue;
        config after = with_effect(next, c & EFFECT_MASK, operation);
        if (seen_add(w, after))
            push(done ? &w->pool : &w->work, after);
    }
}

static int by_number(const void *a, const void *b)
{
    config x = *(const config *)a, y = *(const config *)b;
    return (x > y) - (x < y);
}

static uint32_t called_in(uint64_t downset)
{
    uint32_t called = 0;
    for (uint64_t rest = downset & 0x5555555555555555u; rest; rest &= rest - 1)
        called |= (uint32_t)1 << (__builtin_ctzll(rest) / 2);
    return called;
}

/*
 * The configurations of pool[first..] after the return of an operation: those where it has
 * taken effect, after others if need be (W4). They replace the old ones.
 */
static void take_return(struct pl_walk *w, size_t first, uint64_t downset, unsigned operation)
{
    uint32_t called = called_in(downset);
    config bit = (config)1 << operation;
    size_t old = w->pool.count, missing = 0;
    for (size_t i = first; i < old; i++)
        missing += !(w->pool.at[i] & bit);
    if (!missing)
        return;
    seen_clear(w);
    w->work.count = 0;
    for (size_t i = first; i < old; i++) {
        config c = w->pool.at[i];
        seen_add(w, c);
        push(c & bit ? &w->pool : &w->work, c);
    }
    while (w->work.count) {
        config c = w->work.at[--w->work.count];
        for (uint32_t rest = called & ~(uint32_t)(c & EFFECT_MASK); rest; rest &= rest - 1) {
            unsigned other = (unsigned)__builtin_ctz(rest);
            take_effect(w, c, other, other == operation);
        }
    }
    w->pool.count -= old - first;
    memmove(w->pool.at + first, w->pool.at + old, (w->pool.count - first) * sizeof *w->pool.at);
    qsort(w->pool.at + first, w->pool.count - first, sizeof *w->pool.at, by_number);
    w->stats.configurations += w->pool.count - first;
}

/* --- what is known of downsets -------------------------------------------------------- */

static bool subset(const config *small, size_t small_count, const config *large, size_t large_count)
{
    size_t j = 0;
    for (size_t i = 0; i < small_count; i++) {
        while (j < large_count && large[j] < small[i])
            j++;
        if (j == large_count || large[j] != small[i])
            return false;
    }
    return true;
}

static void slots_clear(struct pl_walk *w)
{
    for (unsigned by = 0; by < 2; by++)
        memset(w->slot[by], 0xff, ((size_t)w->slot_mask + 1) * sizeof *w->slot[by]);
}

static void known_clear(struct pl_walk *w)
{
    w->slot_mask = SLOTS - 1; /* a small behaviour does not pay for a large one before it */
    slots_clear(w);
    w->entries = 0;
    w->kept.count = 0;
}

/* Puts an entry at the head of its two chains. */
static void chain(struct pl_walk *w, uint32_t number)
{
    struct entry *e = &w->entry[number];
    uint32_t *slot[2] = {&w->slot[0][mixed(e->downset) & w->slot_mask],
                         &w->slot[1][e->hash & w->slot_mask]};
    for (unsigned by = 0; by < 2; by++) {
        e->next[by] = *slot[by];
        *slot[by] = number;
    }
}

static void known_grow(struct pl_walk *w)
{
    w->slot_mask = 2 * w->slot_mask + 1;
    for (unsigned by = 0; by < 2; by++)
        w->slot[by] = resized(w->slot[by], (size_t)w->slot_mask + 1, sizeof *w->slot[by]);
    slots_clear(w);
    for (uint32_t k = 0; k < w->entries; k++)
        chain(w, k);
}

/*
 * W3: was the downset walked with a part of this set? The same set is always found; of smaller
 * ones only the latest are tried, or a downset with very many sets would cost their square.
 */
static bool is_known(const struct pl_walk *w, uint64_t downset, uint64_t hash, const config *set,
                     size_t count)
{
    for (uint32_t k = w->slot[1][hash & w->slot_mask]; k != NO_ENTRY; k = w->entry[k].next[1]) {
        const struct entry *e = &w->entry[k];
        if (e->hash == hash && e->downset == downset && e->count == count &&
            !memcmp(w->kept.at + e->first, set, count * sizeof *set))
            return true;
    }
    unsigned tries = SUBSETS_TRIED;
    for (uint32_t k = w->slot[0][mixed(downset) & w->slot_mask]; k != NO_ENTRY && tries;
         k = w->entry[k].next[0], tries--) {
        const struct entry *e = &w->entry[k];
        if (e->downset == downset && subset(w->kept.at + e->first, e->count, set, count))
            return true;
    }
    return false;
}

/* True if the downset has to be walked with the configurations of pool[first..]. */
static bool remember(struct pl_walk *w, uint64_t downset, size_t first)
{
    size_t count = w->pool.count - first;
    uint64_t hash = mixed(downset);
    for (size_t i = 0; i < count; i++)
        hash = mixed(hash ^ w->pool.at[first + i]);
    if (is_known(w, downset, hash, w->pool.at + first, count)) {
        w->stats.pruned++;
        return false;
    }
    if (w->entries == w->entry_room) {
        w->entry_room = w->entry_room ? 2 * w->entry_room : 256;
        w->entry = resized(w->entry, w->entry_room, sizeof *w->entry);
    }
    w->entry[w->entries] =
        (struct entry){.downset = downset, .hash = hash, .first = w->kept.count, .count = count};
    chain(w, w->entries++);
    for (size_t i = 0; i < count; i++)
        push(&w->kept, w->pool.at[first + i]);
    if (w->entries > w->slot_mask)
        known_grow(w);
    w->stats.downsets++;
    return true;
}

/* --- the walk -------------------------------------------------------------------------- */

static bool enabled(const struct pl_walk *w, uint64_t downset, unsigned event)
{
    return (w->events >> event & 1) && !(downset >> event & 1) &&
           !(w->order.before[event] & w->events & ~downset);
}

/* All returns that may come now (W1); false if one of them is not explained. */
static bool take_returns(struct pl_walk *w, uint64_t *downset, size_t first)
{
    for (bool more = true; more;) {
        more = false;
        for (unsigned i = 0; i < w->order.operations; i++) {
            if (!enabled(w, *downset, 2 * i + 1))
                continue;
            take_return(w, first, *downset, i);
            *downset |= pl_event_bit(2 * i + 1);
            w->path[w->length++] = (uint8_t)(2 * i + 1);
            more = true;
            if (w->pool.count == first) {
                w->at = w->length - 1;
                return false;
            }
        }
    }
    return true;
}

/* All has returned: is there, for each operation that never did, a state in which it blocks? */
static bool all_block(struct pl_walk *w, size_t first)
{
    for (uint32_t rest = w->asked; rest; rest &= rest - 1) {
        unsigned operation = (unsigned)__builtin_ctz(rest);
        uint32_t invocation = w->behaviour->called[operation].invocation;
        bool blocks = false;
        for (size_t i = first; i < w->pool.count && !blocks; i++)
            blocks = pl_blocks(w->machine, (uint32_t)(w->pool.at[i] >> EFFECTS), invocation,
                               &w->untried);
        if (!blocks) {
            w->at = w->length;
            w->unjustified = operation;
            return false;
        }
    }
    return true;
}

/*
 * Walks on from a downset with the configurations pool[first..]; false if some history that
 * goes through it is bad. path[] is that history then.
 */
static bool visit(struct pl_walk *w, uint64_t downset, size_t first)
{
    if (!take_returns(w, &downset, first))
        return false;
    if (downset == w->events)
        return all_block(w, first);
    if (!remember(w, downset, first))
        return true;
    if (w->stats.downsets % 1024 == 0 && pl_check_over(w->budget)) {
        w->over = true;
        return false;
    }
    unsigned length = w->length;
    size_t end = w->pool.count;
    for (unsigned i = 0; i < w->order.operations; i++) {
        if (!enabled(w, downset, 2 * i))
            continue;
        w->path[w->length++] = (uint8_t)(2 * i);
        for (size_t k = first; k < end; k++)
            push(&w->pool, w->pool.at[k]);
        if (!visit(w, downset | pl_event_bit(2 * i), end))
            return false;
        w->pool.count = end;
        w->length = length;
    }
    return true;
}

/* --- the outside ------------------------------------------------------------------------- */

static void show(struct pl_refuted *out, uint64_t *shown, unsigned event)
{
    out->event[out->events++] = (uint8_t)event;
    *shown |= pl_event_bit(event);
}

/* Shows an event after all that have to come before it. */
static void show_after(const struct pl_order *order, struct pl_refuted *out, uint64_t *shown,
                       unsigned event)
{
    for (bool more = true; more;) {
        more = false;
        for (uint64_t rest = order->before[event] & ~*shown; rest; rest &= rest - 1) {
            unsigned e = (unsigned)__builtin_ctzll(rest);
            if (order->before[e] & ~*shown)
                continue;
            show(out, shown, e);
            more = true;
        }
    }
    show(out, shown, event);
}

/* The path that was found, with the calls that were left out and the rest of the history. */
static void refute(const struct pl_walk *w, struct pl_refuted *out)
{
    uint64_t shown = 0, all = pl_order_events(&w->order);
    *out = (struct pl_refuted){.unjustified = w->unjustified, .untried = w->untried};
    for (unsigned k = 0; k < w->length; k++) {
        show_after(&w->order, out, &shown, w->path[k]);
        if (k == w->at)
            out->at = out->events - 1;
    }
    for (uint64_t rest = all & ~shown; rest; rest = all & ~shown)
        show_after(&w->order, out, &shown, (unsigned)__builtin_ctzll(rest));
    if (w->at >= w->length)
        out->at = out->events;
}

enum pl_decision pl_walk(struct pl_walk *w, struct pl_machine *machine,
                         const struct pl_behaviour *behaviour, const struct pl_budget *budget,
                         struct pl_refuted *out)
{
    bool is_order = pl_order_close(behaviour->order, &w->order);
    PL_ASSERT(is_order); /* B1 */
    w->stats.behaviours++;
    w->machine = machine;
    w->behaviour = behaviour;
    w->budget = budget;
    w->untried = w->over = false;
    w->asked = behaviour->stuck ? w->order.pending : 0;
    w->events = pl_order_events(&w->order);
    for (uint32_t rest = w->asked; rest; rest &= rest - 1)
        w->events &= ~pl_event_bit(2 * (unsigned)__builtin_ctz(rest));
    w->length = w->at = 0;
    w->unjustified = PL_NONE_CALLED;
    w->pool.count = 0;
    known_clear(w);
    if (w->seen_mask >= SLOTS) { /* as small again as at first */
        free(w->seen);
        w->seen_count = 0;
        seen_new(w, SLOTS);
    }
    push(&w->pool, (config)machine->start << EFFECTS);
    if (visit(w, 0, 0))
        return PL_GOOD;
    if (out && !w->over)
        refute(w, out);
    else if (out)
        *out = (struct pl_refuted){.unjustified = PL_NONE_CALLED};
    return w->untried || w->over ? PL_NEITHER : PL_BAD;
}

struct pl_walk *pl_walk_new(void)
{
    struct pl_walk *w = calloc(1, sizeof *w);
    PL_ASSERT(w);
    seen_new(w, SLOTS);
    for (unsigned by = 0; by < 2; by++)
        w->slot[by] = calloc(SLOTS, sizeof *w->slot[by]);
    PL_ASSERT(w->slot[0] && w->slot[1]);
    return w;
}

void pl_walk_free(struct pl_walk *w)
{
    if (!w)
        return;
    free(w->pool.at);
    free(w->kept.at);
    free(w->work.at);
    free(w->seen);
    free(w->entry);
    free(w->slot[0]);
    free(w->slot[1]);
    free(w);
}

const struct pl_walk_stats *pl_walk_stats(const struct pl_walk *w)
{
    return &w->stats;
}
