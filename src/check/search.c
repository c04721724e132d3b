/*
 * Wing and Gong's search with Lowe's memory: any spec, any history. From the state and the set
 * of operations placed so far, an operation may come next if it was called before the first
 * return of one not yet placed. A pair of set and state that was met before is not tried again.
 *
 *     head -> call 0 -> call 2 -> return 0 -> …      events of operations not yet placed
 *
 * What keeps it short:
 * - Set and state are remembered as a 128-bit hash, the set's part of which changes by one
 *   exclusive or for an operation, whatever the size of the history. Two pairs among 2^40
 *   collide with a probability of less than 2^-48.
 * - An operation that is legal and changes no state (spec.pure) is placed at once and for
 *   good: any witness stays one when it is moved to the front, as nobody notices.
 * - A pending operation of that kind is left out. Of pending operations that are the same,
 *   one called earlier can do whatever one called later can, so they are used in order.
 * - The operation that returns first is tried first: it has to be placed soonest. Which order
 *   is lucky nobody knows, and an unlucky one may take for ever where another needs no step
 *   back. So a second search of the same history tries the one called first first; it gets a
 *   quarter of the steps, and whichever ends first has decided.
 */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/prng.h"
#include "check/check.h"

#define NONE ((uint32_t)0xffffffff)

enum { SLICE = 1024 }; /* steps */

struct frame {
    uint32_t first, next, end; /* of candidates; the one placed is `next` */
    unsigned which;            /* answers of `next` tried */
    bool forced;               /* nothing else need be tried here */
    size_t state;              /* what it was before: offset in `saved` */
    uint32_t state_count;
    pl_value answer;
    XXH128_hash_t placed; /* hash of the set before */
};

struct search {
    const struct pl_case *c;
    const struct pl_history *h;
    uint32_t *next, *prev; /* list of events, 0 is the head, event t is t + 1 */
    uint32_t *before;      /* of a pending operation: the same one called before it */
    bool *placed;
    uint32_t left;        /* operations that returned and are not yet placed */
    bool by_call;         /* candidates in the order of their calls, not of their returns */
    bool back, exhausted; /* go on by taking back; it ran out of memory or time */
    struct pl_state state, scratch;
    XXH128_hash_t set;
    struct frame *frame;
    size_t frames, frame_room;
    uint32_t *candidate;
    size_t candidates, candidate_room;
    pl_value *saved;
    size_t saved_count, saved_room;
    XXH128_hash_t *known; /* hash table; 0, 0 is free */
    size_t known_count, known_mask;
    size_t memory;
    uint32_t reached;     /* the latest return that could not be placed */
    struct pl_ends *ends; /* where to note the states of all orders; NULL: one order is enough */
};

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    PL_ASSERT(memory);
    return memory;
}

static XXH128_hash_t operation_hash(uint32_t i)
{
    uint64_t x = i;
    return (XXH128_hash_t){pl_mix64(&x), pl_mix64(&x)};
}

static XXH128_hash_t with(XXH128_hash_t a, XXH128_hash_t b)
{
    return (XXH128_hash_t){a.low64 ^ b.low64, a.high64 ^ b.high64};
}

/* --- what is known ---------------------------------------------------------------- */

static void known_put(XXH128_hash_t *table, size_t mask, XXH128_hash_t key)
{
    size_t i = key.low64 & mask;
    while (table[i].low64 || table[i].high64)
        i = (i + 1) & mask;
    table[i] = key;
}

/* True if the pair is new. */
static bool remember(struct search *s, XXH128_hash_t set, const struct pl_state *state)
{
    XXH128_hash_t key = with(set, XXH3_128bits(state->at ? (const void *)state->at : "",
                                               state->count * sizeof *state->at));
    key.low64 |= !(key.low64 | key.high64);
    size_t i = key.low64 & s->known_mask;
    for (; s->known[i].low64 || s->known[i].high64; i = (i + 1) & s->known_mask)
        if (s->known[i].low64 == key.low64 && s->known[i].high64 == key.high64)
            return false;
    s->known[i] = key;
    if (++s->known_count * 2 > s->known_mask) {
        size_t mask = s->known_mask * 2 + 1;
        XXH128_hash_t *bigger = zeroed(mask, sizeof *bigger);
        for (size_t k = 0; k <= s->known_mask; k++)
            if (s->known[k].low64 || s->known[k].high64)
                known_put(bigger, mask, s->known[k]);
        free(s->known);
        s->known = bigger;
        s->known_mask = mask;
    }
    return true;
}

/* --- the list --------------------------------------------------------------------- */

static void unlink_event(struct search *s, uint32_t e)
{
    s->next[s->prev[e]] = s->next[e];
    s->prev[s->next[e]] = s->prev[e];
}

static void relink_event(struct search *s, uint32_t e)
{
    s->next[s->prev[e]] = e;
    s->prev[s->next[e]] = e;
}

static void place(struct search *s, uint32_t i)
{
    const struct pl_operation *o = &s->h->operation[i];
    s->placed[i] = true;
    unlink_event(s, o->call + 1);
    if (!pl_pending(o)) {
        unlink_event(s, o->ret + 1);
        s->left--;
    }
    s->set = with(s->set, operation_hash(i));
}

static void displace(struct search *s, uint32_t i)
{
    const struct pl_operation *o = &s->h->operation[i];
    s->placed[i] = false;
    if (!pl_pending(o)) {
        relink_event(s, o->ret + 1);
        s->left++;
    }
    relink_event(s, o->call + 1);
}

struct group {
    uint64_t hash;
    uint32_t operation;
};

static int by_hash(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->operation > y->operation) - (x->operation < y->operation);
}

static bool same(const struct pl_operation *a, const struct pl_operation *b)
{
    return a->code == b->code && memcmp(a->argument, b->argument, sizeof a->argument) == 0;
}

/* Which pending operations are the same; those that change nothing leave the list. */
static void settle_pending(struct search *s)
{
    struct group *group = zeroed(s->h->count, sizeof *group);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->h->count; i++) {
        const struct pl_operation *o = &s->h->operation[i];
        s->before[i] = NONE;
        if (!pl_pending(o))
            continue;
        if (s->c->spec->pure && s->c->spec->pure(o)) {
            unlink_event(s, o->call + 1);
            continue;
        }
        uint64_t key[PL_MOST_ARGUMENTS + 1] = {o->code};
        memcpy(key + 1, o->argument, sizeof o->argument);
        group[count++] = (struct group){XXH3_64bits(key, sizeof key), i};
    }
    qsort(group, count, sizeof *group, by_hash);
    for (uint32_t k = 1; k < count; k++)
        if (group[k].hash == group[k - 1].hash &&
            same(&s->h->operation[group[k].operation], &s->h->operation[group[k - 1].operation]))
            s->before[group[k].operation] = group[k - 1].operation;
    free(group);
}

/* --- the search ------------------------------------------------------------------- */

static void add_candidate(struct search *s, uint32_t i, size_t first)
{
    if (s->candidates == s->candidate_room) {
        s->candidate_room = s->candidate_room ? 2 * s->candidate_room : 256;
        s->candidate = realloc(s->candidate, s->candidate_room * sizeof *s->candidate);
        PL_ASSERT(s->candidate);
    }
    size_t place = s->candidates++;
    const struct pl_operation *o = s->h->operation;
    for (; !s->by_call && place > first && o[s->candidate[place - 1]].ret > o[i].ret; place--)
        s->candidate[place] = s->candidate[place - 1];
    s->candidate[place] = i;
}

static bool legal(struct search *s, uint32_t i, unsigned which, pl_value *answer)
{
    return s->c->spec->step(&s->h->values, &s->state, &s->h->operation[i], which, &s->scratch,
                            answer);
}

/* The operations that may come next, in a new frame; one alone if it can be placed for good. */
static void open_frame(struct search *s)
{
    if (s->frames == s->frame_room) {
        s->frame_room = s->frame_room ? 2 * s->frame_room : 256;
        s->frame = realloc(s->frame, s->frame_room * sizeof *s->frame);
        PL_ASSERT(s->frame);
    }
    struct frame *f = &s->frame[s->frames++];
    *f = (struct frame){.first = (uint32_t)s->candidates, .placed = s->set};
    f->next = f->first;
    f->state = s->saved_count;
    for (uint32_t e = s->next[0]; e; e = s->next[e]) {
        uint32_t event = s->h->event[e - 1], i = event / 2;
        if (event % 2) {
            s->reached = e - 1 > s->reached ? e - 1 : s->reached;
            break;
        }
        const struct pl_operation *o = &s->h->operation[i];
        if (s->c->spec->pure && !pl_pending(o) && s->c->spec->pure(o)) {
            pl_value ignored;
            if (legal(s, i, 0, &ignored)) {
                s->candidates = f->first;
                add_candidate(s, i, f->first);
                f->forced = true;
                break;
            }
            continue; /* not now; perhaps in a later state */
        }
        if (s->before[i] == NONE || s->placed[s->before[i]])
            add_candidate(s, i, f->first);
    }
    f->end = (uint32_t)s->candidates;
}

/* Keeps the state for when the next candidate of this frame is tried. */
static void save_state(struct search *s, struct frame *f)
{
    f->state_count = s->state.count;
    size_t needed = f->state + s->state.count;
    if (needed > s->saved_room) {
        s->saved_room = needed * 2;
        s->saved = realloc(s->saved, s->saved_room * sizeof *s->saved);
        PL_ASSERT(s->saved);
    }
    if (s->state.count)
        memcpy(s->saved + f->state, s->state.at, s->state.count * sizeof *s->saved);
    s->saved_count = needed;
}

static void restore_state(struct search *s, const struct frame *f)
{
    struct pl_state saved = {s->saved + f->state, f->state_count, f->state_count};
    pl_state_copy(&s->state, &saved, 0);
    s->saved_count = f->state;
}

/* Tries the rest of the frame on top; true if an operation was placed. */
static bool go_on(struct search *s)
{
    struct frame *f = &s->frame[s->frames - 1];
    while (f->next < f->end) {
        uint32_t i = s->candidate[f->next];
        XXH128_hash_t set = with(s->set, operation_hash(i));
        while (legal(s, i, f->which, &f->answer)) {
            f->which++;
            if (!f->forced && !remember(s, set, &s->scratch))
                continue;
            if (!f->forced)
                save_state(s, f);
            struct pl_state swap = s->state;
            s->state = s->scratch;
            s->scratch = swap;
            place(s, i);
            return true;
        }
        f->next++;
        f->which = 0;
    }
    return false;
}

/* Takes back what the frame on top placed. */
static void take_back(struct search *s)
{
    struct frame *f = &s->frame[s->frames - 1];
    displace(s, s->candidate[f->next]);
    s->set = f->placed;
    if (f->forced)
        f->next = f->end; /* the state did not change */
    else
        restore_state(s, f);
}

static size_t memory_of(const struct search *s)
{
    return (s->known_mask + 1) * sizeof *s->known + s->saved_room * sizeof *s->saved +
           s->candidate_room * sizeof *s->candidate + s->frame_room * sizeof *s->frame;
}

/* So many steps; NEITHER: go on, unless it is exhausted. */
static enum pl_decision run(struct search *s, uint64_t steps)
{
    while (s->left || s->ends) {
        if (!steps--)
            return PL_NEITHER;
        if (!s->left) {
            s->exhausted = !pl_ends_add(s->ends, &s->state);
            s->back = true;
        } else {
            if (!s->back)
                open_frame(s);
            s->back = !go_on(s);
            if (!s->back)
                continue;
            s->candidates = s->frame[s->frames - 1].first;
            s->frames--;
        }
        if (s->exhausted || !s->frames)
            return s->exhausted ? PL_NEITHER : PL_BAD;
        take_back(s);
    }
    return PL_GOOD;
}

static void start(struct search *s, const struct pl_case *c, size_t memory, bool by_call)
{
    const struct pl_history *h = c->history;
    *s = (struct search){.c = c, .h = h, .memory = memory, .by_call = by_call, .known_mask = 255};
    s->known = zeroed(s->known_mask, sizeof *s->known);
    s->next = zeroed(h->events + 1, sizeof *s->next);
    s->prev = zeroed(h->events + 1, sizeof *s->prev);
    s->before = zeroed(h->count, sizeof *s->before);
    s->placed = zeroed(h->count, sizeof *s->placed);
    for (uint32_t e = 0; e <= h->events; e++) {
        s->next[e] = e < h->events ? e + 1 : 0;
        s->prev[e] = e ? e - 1 : h->events;
    }
    for (uint32_t i = 0; i < h->count; i++)
        s->left += !pl_pending(&h->operation[i]);
    settle_pending(s);
    c->spec->start(c->initial, h, &s->state);
}

static void release(struct search *s)
{
    free(s->known);
    free(s->next);
    free(s->prev);
    free(s->before);
    free(s->placed);
    free(s->frame);
    free(s->candidate);
    free(s->saved);
    pl_state_release(&s->state);
    pl_state_release(&s->scratch);
}

/* One turn of a search, so many slices long. */
static enum pl_decision take_turn(struct search *s, unsigned slices)
{
    enum pl_decision decision = PL_NEITHER;
    for (unsigned i = 0; i < slices && decision == PL_NEITHER && !s->exhausted; i++) {
        decision = run(s, SLICE);
        s->exhausted = s->exhausted || pl_check_over(s->c->budget) || memory_of(s) > s->memory;
    }
    return decision;
}

enum pl_decision pl_decide_search(const struct pl_case *c, struct pl_witness *out)
{
    size_t memory = c->budget && c->budget->memory ? c->budget->memory : (size_t)2 << 30;
    struct search search[2] = {0}, *s = &search[0];
    enum pl_decision decision;
    start(s, c, memory / 4 * 3, false);
    for (unsigned turn = 0;; turn++) {
        s = &search[turn % 2];
        if (turn == 1)
            start(s, c, memory / 4, true);
        decision = take_turn(s, turn % 2 ? 1 : 3);
        if (decision != PL_NEITHER || (search[0].exhausted && (!turn || search[1].exhausted)))
            break;
    }
    if (decision == PL_GOOD)
        for (size_t f = 0; f < s->frames; f++)
            pl_witness_add(out, s->candidate[s->frame[f].next], s->frame[f].answer);
    out->reached = decision == PL_BAD ? s->reached : 0;
    release(&search[0]);
    release(&search[1]);
    return decision;
}

enum pl_decision pl_decide_ends(const struct pl_case *c, const struct pl_ends *from,
                                struct pl_ends *out)
{
    struct search s;
    start(&s, c, c->budget && c->budget->memory ? c->budget->memory : (size_t)2 << 30, false);
    s.ends = out;
    for (uint32_t i = 0; i < from->count && !s.exhausted; i++) {
        pl_state_copy(&s.state, &from->state[i], 0);
        s.back = false;
        while (take_turn(&s, 1) == PL_NEITHER && !s.exhausted)
            continue;
    }
    bool all = !s.exhausted;
    release(&s);
    return !all ? PL_NEITHER : out->count ? PL_GOOD : PL_BAD;
}
