/*
 * Wing and Gong's search with Lowe's memory: any spec, any history. From the state and the set
 * of operations placed so far, an operation may come next if it was called before the first
 * return of one not yet placed. A pair of set and state that led nowhere is not tried again.
 *
 *     head -> call 0 -> call 2 -> return 0 -> …      events of operations not yet placed
 *
 * What keeps it short:
 * - Set and state are remembered as a 128-bit hash, the set's part of which changes by one
 *   exclusive or for an operation, whatever the size of the history. Two pairs among 2^40
 *   collide with a probability of less than 2^-48.
 * - An operation that is legal and changes no state (spec.pure) is placed at once and for
 *   good: any witness stays one when it is moved to the front, as nobody notices.
 * - A pending operation of that kind is left out.
 * - Of operations that are the same (code, arguments, result) and may come next, only the one
 *   that returns first is tried: where a witness has another here and this one later, the two
 *   can change places, since whatever may come before the one that returns first may come
 *   before the other.
 * - The operation that returns first is tried first: it has to be placed soonest. Which order
 *   is lucky nobody knows, and an unlucky one may take for ever where another needs no step
 *   back. So a second search of the same history tries the one called first first, by turns
 *   with it; whichever ends first has decided. A pair from which one of them found no order is
 *   dead for both, so that a bad history takes no more steps than one search. A straight way
 *   is found in the first turn, before there are two, and one that gets on keeps its turn.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/memory.h"
#include "base/prng.h"
#include "check/check.h"

enum {
    SLICE = 1024 /* steps */,
    LEAST_DEAD = 255,
    LONG = 1 << 15 /* operations */,
    PROGRESS = 32 /* events in a slice */,
    MOST_YOUNG = (1 << 15) - 1
};

struct frame {
    uint32_t first, next; /* of candidates, up to the next frame's; the one placed is `next` */
    unsigned which : 31;  /* answers of `next` tried */
    unsigned forced : 1;  /* nothing else need be tried here */
    /* The state before it: the same as after it at the beginning and the end; between them are so
       many values, from here on in `saved`. */
    uint32_t same_first, same_last, others;
    size_t state;
    pl_value answer;
    XXH128_hash_t pair; /* after it: set and state */
};

/* Pairs from which there is no order: a hash table; 0, 0 is free. */
struct dead {
    XXH128_hash_t *key;
    size_t count, mask;
    size_t deepest; /* operations placed in one of them, at most */
};

/*
 * Two of them, in a long history. When the young one is full and nobody has lately come down to
 * where the old one's are, the old one is forgotten: a long history that is good all the way needs
 * no more memory for that than a short one. Otherwise the old one gets the young one's. To forget
 * costs time at worst.
 */
struct memory {
    struct dead young, old;
    size_t lowest;     /* looked at since the young one was half full */
    size_t most_young; /* mask of a young one that is full */
    bool sparing;
};

struct search {
    const struct pl_case *c;
    const struct pl_history *h;
    uint32_t *next, *prev; /* list of events, 0 is the head, event t is t + 1 */
    const uint32_t *kind;  /* of an operation: one that is the same */
    uint32_t left;         /* operations that returned and are not yet placed */
    bool by_call;          /* candidates in the order of their calls, not of their returns */
    bool back, exhausted;  /* go on by taking back; it ran out of memory or time */
    struct pl_state state, scratch;
    XXH128_hash_t set;
    struct frame *frame;
    size_t frames; /* at most one for each operation, and one */
    uint32_t *candidate;
    size_t candidates, candidate_room;
    pl_value *saved;
    size_t saved_count, saved_room;
    struct memory *dead; /* of both searches */
    size_t memory;
    uint64_t steps, most_steps; /* made; 0: no limit */
    uint32_t reached;           /* the latest return that could not be placed */
    struct pl_ends *ends; /* where to note the states of all orders; NULL: one order is enough */
};

static inline XXH128_hash_t operation_hash(uint32_t i)
{
    uint64_t x = i;
    uint64_t low = pl_mix64(&x);
    return (XXH128_hash_t){low, pl_mix64(&x)};
}

static XXH128_hash_t with(XXH128_hash_t a, XXH128_hash_t b)
{
    return (XXH128_hash_t){a.low64 ^ b.low64, a.high64 ^ b.high64};
}

/* --- what leads nowhere ------------------------------------------------------------ */

static inline XXH128_hash_t pair_hash(XXH128_hash_t set, const struct pl_state *state)
{
    XXH128_hash_t key = with(set, XXH3_128bits(state->at ? (const void *)state->at : "",
                                               state->count * sizeof *state->at));
    key.low64 |= !(key.low64 | key.high64);
    return key;
}

/* Where the key is, or would be. */
static inline size_t slot_of(const struct dead *d, XXH128_hash_t key)
{
    size_t i = key.low64 & d->mask;
    while ((d->key[i].low64 || d->key[i].high64) &&
           (d->key[i].low64 != key.low64 || d->key[i].high64 != key.high64))
        i = (i + 1) & d->mask;
    return i;
}

static inline bool is_in(const struct dead *d, XXH128_hash_t key)
{
    size_t i = slot_of(d, key);
    return d->key[i].low64 || d->key[i].high64;
}

static inline bool is_dead(struct memory *m, XXH128_hash_t key, size_t depth)
{
    if (!m->sparing)
        return is_in(&m->young, key);
    m->lowest = depth < m->lowest ? depth : m->lowest;
    return is_in(&m->young, key) || (m->old.count && is_in(&m->old, key));
}

/* A large table is looked at all over, and large pages make that faster. */
static void dead_init(struct dead *d, size_t mask)
{
    enum { LARGE_PAGE = 1 << 21 };
    size_t bytes = (mask + 1) * sizeof *d->key;
    *d = (struct dead){NULL, 0, mask, 0};
    if (bytes < LARGE_PAGE) {
        d->key = pl_zeroed(mask, sizeof *d->key);
        return;
    }
    d->key = aligned_alloc(LARGE_PAGE, bytes);
    PL_ASSERT(d->key);
    (void)madvise(d->key, bytes, MADV_HUGEPAGE);
    memset(d->key, 0, bytes);
}

static void put_in(struct dead *d, XXH128_hash_t key)
{
    size_t i = slot_of(d, key);
    d->count += !(d->key[i].low64 || d->key[i].high64);
    d->key[i] = key;
}

static bool is_full(const struct dead *d)
{
    return d->count * 4 > d->mask * 3;
}

static void put_all_in(struct dead *d, const struct dead *from)
{
    for (size_t k = 0; k <= from->mask; k++)
        if (from->key[k].low64 || from->key[k].high64)
            put_in(d, from->key[k]);
    d->deepest = from->deepest > d->deepest ? from->deepest : d->deepest;
}

/* So large that it is less than half full with so many more. */
static void make_room(struct dead *d, size_t more)
{
    struct dead bigger;
    size_t mask = d->mask;
    while (mask < (d->count + more) * 2)
        mask = mask * 2 + 1;
    dead_init(&bigger, mask);
    put_all_in(&bigger, d);
    free(d->key);
    *d = bigger;
}

static void turn_over(struct memory *m)
{
    if (!m->old.count || m->lowest > m->old.deepest) {
        free(m->old.key);
        m->old = m->young;
    } else {
        if ((m->old.count + m->young.count) * 4 > m->old.mask * 3)
            make_room(&m->old, m->young.count);
        put_all_in(&m->old, &m->young);
        free(m->young.key);
    }
    dead_init(&m->young, m->most_young);
}

static void bury(struct memory *m, XXH128_hash_t key, size_t depth)
{
    struct dead *d = &m->young;
    put_in(d, key);
    d->deepest = depth > d->deepest ? depth : d->deepest;
    if (d->count * 2 == d->mask + 1)
        m->lowest = SIZE_MAX;
    if (is_full(d) && (!m->sparing || d->mask < m->most_young))
        make_room(d, 0);
    else if (is_full(d))
        turn_over(m);
}

static void memory_init(struct memory *m, const struct pl_case *c)
{
    const struct pl_budget *b = c->budget;
    *m = (struct memory){.most_young = b && b->most_young ? b->most_young : MOST_YOUNG};
    m->sparing = c->history->count >= (b && b->long_from ? b->long_from : LONG);
    dead_init(&m->young, m->most_young < LEAST_DEAD ? m->most_young : LEAST_DEAD);
}

static void memory_release(struct memory *m)
{
    free(m->young.key);
    free(m->old.key);
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
    if (!pl_pending(o)) {
        relink_event(s, o->ret + 1);
        s->left++;
    }
    relink_event(s, o->call + 1);
    s->set = with(s->set, operation_hash(i));
}

/* --- operations that are the same -------------------------------------------------- */

static bool same(const struct pl_operation *a, const struct pl_operation *b)
{
    return a->code == b->code && a->result == b->result &&
           memcmp(a->argument, b->argument, sizeof a->argument) == 0;
}

/* Those of one kind have the same code, arguments and result; it is known by the first of them. */
static uint32_t *name_kinds(const struct pl_history *h)
{
    const struct pl_operation *o = h->operation;
    uint32_t mask = 15, *kind = pl_zeroed(h->count, sizeof *kind);
    while (mask < h->count + h->count / 2)
        mask = 2 * mask + 1;
    uint32_t *slot = pl_zeroed(mask, sizeof *slot); /* an operation of the kind, + 1 */
    for (uint32_t i = 0; i < h->count; i++) {
        uint64_t key[PL_MOST_ARGUMENTS + 2] = {o[i].code, (uint64_t)o[i].result};
        memcpy(key + 2, o[i].argument, sizeof o[i].argument);
        uint32_t k = (uint32_t)XXH3_64bits(key, sizeof key) & mask;
        while (slot[k] && !same(&o[slot[k] - 1], &o[i]))
            k = (k + 1) & mask;
        slot[k] = slot[k] ? slot[k] : i + 1;
        kind[i] = slot[k] - 1;
    }
    free(slot);
    return kind;
}

/* Pending operations that change nothing leave the list. */
static void drop_idle(struct search *s)
{
    for (uint32_t i = 0; i < s->h->count; i++) {
        const struct pl_operation *o = &s->h->operation[i];
        if (pl_pending(o) && s->c->spec->pure && s->c->spec->pure(o))
            unlink_event(s, o->call + 1);
    }
}

/* --- the search ------------------------------------------------------------------- */

/* Of those that are the same the one that returns first is enough. */
static void add_candidate(struct search *s, uint32_t i, size_t first)
{
    const struct pl_operation *o = s->h->operation;
    size_t place = first;
    while (place < s->candidates && s->kind[s->candidate[place]] != s->kind[i])
        place++;
    if (place < s->candidates && o[s->candidate[place]].ret <= o[i].ret)
        return;
    if (place < s->candidates && s->by_call) {
        s->candidate[place] = i;
        return;
    }
    if (place < s->candidates) {
        s->candidates--;
        memmove(s->candidate + place, s->candidate + place + 1,
                (s->candidates - place) * sizeof *s->candidate);
    }
    if (s->candidates == s->candidate_room) {
        s->candidate_room = s->candidate_room ? 2 * s->candidate_room : 256;
        s->candidate = realloc(s->candidate, s->candidate_room * sizeof *s->candidate);
        PL_ASSERT(s->candidate);
    }
    place = s->candidates++;
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
    PL_ASSERT(s->frames <= s->h->count);
    struct frame *f = &s->frame[s->frames++];
    *f = (struct frame){.first = (uint32_t)s->candidates};
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
        add_candidate(s, i, f->first);
    }
}

/* Keeps the state for when the next candidate of this frame is tried: what of it will have changed.
 */
static void save_state(struct search *s, struct frame *f)
{
    const pl_value *from = s->state.at, *to = s->scratch.at;
    uint32_t count = s->state.count, other = s->scratch.count;
    uint32_t most = count < other ? count : other, first = 0, last = 0;
    while (s->dead->sparing && first < most && from[first] == to[first])
        first++;
    while (s->dead->sparing && last < most - first &&
           from[count - 1 - last] == to[other - 1 - last])
        last++;
    f->same_first = first;
    f->same_last = last;
    f->others = count - first - last;
    size_t needed = f->state + f->others;
    if (needed > s->saved_room) {
        s->saved_room = needed * 2;
        s->saved = realloc(s->saved, s->saved_room * sizeof *s->saved);
        PL_ASSERT(s->saved);
    }
    if (f->others)
        memcpy(s->saved + f->state, from + first, f->others * sizeof *s->saved);
    s->saved_count = needed;
}

/* The state is the one after the frame on top: what was above it is taken back. */
static void restore_state(struct search *s, const struct frame *f)
{
    uint32_t count = f->same_first + f->others + f->same_last;
    s->saved_count = f->state;
    if (f->others == count) {
        pl_state_copy(&s->state, &(struct pl_state){s->saved + f->state, count, count}, 0);
        return;
    }
    while (s->state.count < count) /* one more or less, mostly */
        pl_state_insert(&s->state, f->same_first, 0);
    while (s->state.count > count)
        pl_state_remove(&s->state, f->same_first);
    for (uint32_t i = 0; i < f->others; i++)
        s->state.at[f->same_first + i] = s->saved[f->state + i];
}

/* Those that were tried are not needed again. */
static void drop_tried(struct search *s, struct frame *f)
{
    uint32_t tried = f->next - f->first;
    if (!tried || !s->dead->sparing)
        return;
    s->candidates -= tried;
    memmove(s->candidate + f->first, s->candidate + f->next,
            (s->candidates - f->first) * sizeof *s->candidate);
    f->next = f->first;
}

/* Tries the rest of the frame on top; true if an operation was placed. */
static bool go_on(struct search *s)
{
    struct frame *f = &s->frame[s->frames - 1];
    while (f->next < s->candidates) {
        uint32_t i = s->candidate[f->next];
        XXH128_hash_t set = with(s->set, operation_hash(i));
        while (legal(s, i, f->which, &f->answer)) {
            f->which++;
            if (!f->forced) {
                f->pair = pair_hash(set, &s->scratch);
                if (is_dead(s->dead, f->pair, s->frames))
                    continue;
                save_state(s, f);
            }
            drop_tried(s, f);
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

/* Takes back what the frame on top placed: all that could come after it was tried. */
static void take_back(struct search *s)
{
    struct frame *f = &s->frame[s->frames - 1];
    displace(s, s->candidate[f->next]);
    if (f->forced) {
        f->next = (uint32_t)s->candidates; /* the state did not change */
    } else {
        bury(s->dead, f->pair, s->frames);
        restore_state(s, f);
    }
}

static size_t memory_of(const struct search *s)
{
    size_t dead = s->dead->young.mask + s->dead->old.mask + 2;
    return dead * sizeof *s->dead->young.key + s->saved_room * sizeof *s->saved +
           s->candidate_room * sizeof *s->candidate + s->frames * sizeof *s->frame;
}

/* So many steps; NEITHER: go on, unless it is exhausted. */
static enum pl_decision run(struct search *s, uint64_t steps)
{
    for (uint64_t end = s->steps + steps; s->left || s->ends; s->steps++) {
        if (s->steps == end)
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

static void start(struct search *s, const struct pl_case *c, const uint32_t *kind,
                  struct memory *dead, bool by_call)
{
    const struct pl_history *h = c->history;
    *s = (struct search){.c = c, .h = h, .kind = kind, .dead = dead};
    s->by_call = by_call;
    s->memory = c->budget && c->budget->memory ? c->budget->memory : (size_t)2 << 30;
    s->next = pl_zeroed(h->events + 1, sizeof *s->next);
    s->prev = pl_zeroed(h->events + 1, sizeof *s->prev);
    for (uint32_t e = 0; e <= h->events; e++) {
        s->next[e] = e < h->events ? e + 1 : 0;
        s->prev[e] = e ? e - 1 : h->events;
    }
    for (uint32_t i = 0; i < h->count; i++) {
        s->left += !pl_pending(&h->operation[i]);
    }
    s->frame = pl_zeroed(h->count, sizeof *s->frame);
    drop_idle(s);
    c->spec->start(c->initial, h, &s->state);
}

static void release(struct search *s)
{
    free(s->next);
    free(s->prev);
    free(s->frame);
    free(s->candidate);
    free(s->saved);
    pl_state_release(&s->state);
    pl_state_release(&s->scratch);
}

static enum pl_decision take_turn(struct search *s, uint64_t steps)
{
    if (s->exhausted)
        return PL_NEITHER;
    if (s->most_steps && s->most_steps - s->steps < steps)
        steps = s->most_steps - s->steps;
    enum pl_decision decision = run(s, steps);
    s->exhausted = s->exhausted || pl_check_over(s->c->budget) || memory_of(s) > s->memory ||
                   (s->most_steps && s->steps >= s->most_steps);
    return decision;
}

enum pl_decision pl_decide_search(const struct pl_case *c, struct pl_witness *out)
{
    struct search search[2] = {0}, *s;
    struct memory dead;
    enum pl_decision decision;
    uint32_t *kind = name_kinds(c->history);
    memory_init(&dead, c);
    for (unsigned turn = 0, next = 0;; turn++) {
        s = &search[next];
        if (!s->c) {
            start(s, c, kind, &dead, next);
            s->most_steps = c->budget ? (c->budget->steps + 1) / 2 : 0;
        }
        uint32_t before = s->reached;
        decision = take_turn(s, turn ? SLICE : SLICE + 2 * (uint64_t)c->history->count);
        if (decision != PL_NEITHER || (search[0].exhausted && (!turn || search[1].exhausted)))
            break;
        if (s->exhausted || s->reached - before < PROGRESS)
            next = 1 - next;
    }
    if (decision == PL_GOOD)
        for (size_t f = 0; f < s->frames; f++)
            pl_witness_add(out, s->candidate[s->frame[f].next], s->frame[f].answer);
    out->reached = decision == PL_BAD ? search[0].reached : 0;
    if (decision == PL_BAD && search[1].reached > out->reached)
        out->reached = search[1].reached;
    out->steps = search[0].steps + search[1].steps;
    release(&search[0]);
    release(&search[1]);
    memory_release(&dead);
    free(kind);
    return decision;
}

enum pl_decision pl_decide_ends(const struct pl_case *c, const struct pl_ends *from,
                                struct pl_ends *out)
{
    struct search s;
    struct memory dead;
    uint32_t *kind = name_kinds(c->history);
    memory_init(&dead, c);
    start(&s, c, kind, &dead, false);
    s.ends = out;
    for (uint32_t i = 0; i < from->count && !s.exhausted; i++) {
        pl_state_copy(&s.state, &from->state[i], 0);
        s.back = false;
        while (take_turn(&s, SLICE) == PL_NEITHER && !s.exhausted)
            continue;
    }
    bool all = !s.exhausted;
    release(&s);
    memory_release(&dead);
    free(kind);
    return !all ? PL_NEITHER : out->count ? PL_GOOD : PL_BAD;
}
