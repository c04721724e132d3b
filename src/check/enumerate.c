/*
 * Histories, and for each all orders.
 *
 *     extend       the linear extensions of the execution's order, one event at a time
 *     check        one history: which pending operations took effect, then
 *     arrange      all orders of the operations that change something, then
 *     replay       one order against the spec, with a place for each read
 */
#include "check/enumerate.h"

#include <stdlib.h>
#include <string.h>

#include "check/known.h"

#define MEMORY ((size_t)1 << 30)

enum { KEY_BYTES = 1 + PL_CALLED_EVENTS * (int)(sizeof(uint32_t) + sizeof(pl_value)) };

struct pl_enumerate {
    struct pl_enumerate_options options;
    struct pl_enumerate_stats stats;

    struct pl_known met;          /* histories; the mark: good */
    struct pl_known lines;        /* QUASI: orders that were looked at; the mark: good */
    const struct pl_quasi *quasi; /* NULL: linearizability */

    /* the behaviour */
    struct pl_machine *machine;
    const struct pl_behaviour *behaviour;
    const struct pl_budget *budget;
    struct pl_order order; /* closed */
    uint32_t reads;
    bool untried, over;
    uint64_t asked; /* for the budget */

    /* the history, as far as it goes */
    uint8_t event[PL_CALLED_EVENTS];
    unsigned events;
    uint64_t happened;

    /* one question about it: are the operations of `placed` explained? */
    uint32_t before[PL_MOST_CALLED]; /* real time */
    uint32_t placed;
    unsigned last; /* must block after them; or PL_NONE_CALLED */
    uint8_t line[PL_MOST_CALLED];
    uint32_t state[PL_MOST_CALLED + 1]; /* after so many of the line */
    unsigned length;

    unsigned unjustified;
    bool near;    /* QUASI: a permutation was right */
    bool has_bad; /* `all`: the first bad one */
    struct pl_refuted bad;
};

static uint32_t bit(unsigned operation)
{
    return (uint32_t)1 << operation;
}

/* Asked for every history and every order. */
static bool out_of_budget(struct pl_enumerate *n)
{
    if (++n->asked % 1024 == 0 && pl_check_over(n->budget))
        n->over = true;
    return n->over;
}

/* --- one order ----------------------------------------------------------------------------- */

static bool fits(const struct pl_enumerate *n, unsigned operation, pl_value response)
{
    pl_value recorded = n->behaviour->called[operation].response;
    return (n->order.pending & bit(operation)) || recorded == PL_ANY || recorded == response;
}

/* Is the read right in this state? */
static bool reads_right(struct pl_enumerate *n, unsigned read, uint32_t state)
{
    for (unsigned which = 0;; which++) {
        pl_value response;
        uint32_t next;
        enum pl_step step = pl_step(n->machine, state, n->behaviour->called[read].invocation, which,
                                    &response, &next);
        if (step == PL_STEP_END)
            return false;
        n->untried |= step == PL_STEP_UNTRIED;
        if (step == PL_STEP_ANSWERS && fits(n, read, response))
            return true;
    }
}

/*
 * A place for each read: after all that come before it, before all that come after it. The
 * first right one is best: it leaves the most to the reads that follow.
 */
static bool reads_have_places(struct pl_enumerate *n, uint32_t reads)
{
    unsigned place[PL_MOST_CALLED] = {0};
    uint32_t todo = reads;
    while (todo) {
        unsigned read = 0;
        while (!(todo & bit(read)) || (n->before[read] & todo))
            read++;
        unsigned from = 0, to = n->length;
        for (unsigned k = 0; k < n->length; k++) {
            if (n->before[read] & bit(n->line[k]))
                from = k + 1;
            if (k < to && (n->before[n->line[k]] & bit(read)))
                to = k;
        }
        for (uint32_t rest = n->before[read] & reads; rest; rest &= rest - 1)
            if (place[__builtin_ctz(rest)] > from)
                from = place[__builtin_ctz(rest)];
        while (from <= to && !reads_right(n, read, n->state[from]))
            from++;
        if (from > to)
            return false;
        place[read] = from;
        todo &= ~bit(read);
    }
    return true;
}

/* The line from its k-th operation on. */
static bool replay(struct pl_enumerate *n, unsigned k, uint32_t reads)
{
    if (k == n->length)
        return (n->last == PL_NONE_CALLED ||
                pl_blocks(n->machine, n->state[k], n->behaviour->called[n->last].invocation,
                          &n->untried)) &&
               reads_have_places(n, reads);
    for (unsigned which = 0;; which++) {
        pl_value response;
        enum pl_step step =
            pl_step(n->machine, n->state[k], n->behaviour->called[n->line[k]].invocation, which,
                    &response, &n->state[k + 1]);
        if (step == PL_STEP_END)
            return false;
        n->untried |= step == PL_STEP_UNTRIED;
        if (step == PL_STEP_ANSWERS && fits(n, n->line[k], response) && replay(n, k + 1, reads))
            return true;
    }
}

/* --- quasi linearizability: orders near one ------------------------------------------------- */

/* What was asked of a line: of operations, by what they did. */
static size_t line_key(const struct pl_enumerate *n, const uint8_t *line, bool permutations,
                       uint8_t *key)
{
    uint8_t *at = key;
    uint32_t last =
        n->last == PL_NONE_CALLED ? UINT32_MAX : n->behaviour->called[n->last].invocation;
    *at++ = permutations;
    memcpy(at, &last, sizeof last);
    at += sizeof last;
    for (unsigned k = 0; k < n->length; k++) {
        const struct pl_called *called = &n->behaviour->called[line[k]];
        bool pending = n->order.pending & bit(line[k]);
        pl_value response = pending ? PL_ANY : called->response;
        *at++ = permutations && n->quasi->reading != PL_QUASI_ALL_SUBSETS ? n->quasi->group[line[k]]
                                                                          : 0;
        memcpy(at, &called->invocation, sizeof called->invocation);
        memcpy(at + sizeof called->invocation, &response, sizeof response);
        at += sizeof called->invocation + sizeof response;
    }
    return (size_t)(at - key);
}

/* One permutation of the line. */
static bool try_permutation(void *context, const uint8_t *permutation)
{
    struct pl_enumerate *n = context;
    uint8_t key[KEY_BYTES], line[PL_MOST_CALLED];
    bool *added = NULL;
    if (out_of_budget(n))
        return false;
    if (n->options.skip) {
        const bool *known =
            pl_known_find(&n->lines, key, line_key(n, permutation, false, key), &added);
        n->near = n->near || (known && *known);
        if (known)
            return true;
    }
    n->stats.permutations++;
    memcpy(line, n->line, n->length);
    memcpy(n->line, permutation, n->length);
    bool good = replay(n, 0, 0);
    memcpy(n->line, line, n->length);
    if (added)
        *added = good;
    n->near = n->near || good;
    return true;
}

/* As Algorithm 1 does, all permutations are made, also after one was right. */
static bool is_near(struct pl_enumerate *n)
{
    uint8_t key[KEY_BYTES];
    bool *added = NULL;
    size_t length = line_key(n, n->line, true, key);
    if (n->options.skip) {
        const bool *known = pl_known_find(&n->lines, key, length, &added);
        if (known)
            return *known;
    }
    if (replay(n, 0, 0)) { /* linearizable */
        if (added)
            *added = true;
        return true;
    }
    n->near = false;
    (void)pl_quasi_permute(n->quasi, n->line, n->length, try_permutation, n);
    if (n->options.skip) { /* the table may have moved */
        bool *mark = pl_known_find(&n->lines, key, length, &added);
        mark = mark ? mark : added;
        if (mark)
            *mark = n->near;
    }
    return n->near && !n->over;
}

/* --- all orders ---------------------------------------------------------------------------- */

/* `done` are in the line already. */
static bool arrange(struct pl_enumerate *n, uint32_t writes, uint32_t reads, uint32_t done)
{
    if (done == writes) {
        n->stats.orders++;
        n->state[0] = n->machine->start;
        return !out_of_budget(n) && (n->quasi ? is_near(n) : replay(n, 0, reads));
    }
    for (uint32_t rest = writes & ~done; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        if (n->before[i] & writes & ~done)
            continue;
        n->line[n->length++] = (uint8_t)i;
        bool found = arrange(n, writes, reads, done | bit(i));
        n->length--;
        if (found || n->over)
            return found;
    }
    return false;
}

/*
 * Reads are left out of the order of the others, but what comes before a read comes before what
 * comes after it: `before` is transitive between operations of one history (intervals), so
 * nothing is lost.
 */
static bool explained(struct pl_enumerate *n, uint32_t operations, unsigned last)
{
    uint32_t reads = n->options.lazy_reads ? operations & n->reads : 0;
    n->length = 0;
    n->last = last;
    return arrange(n, operations & ~reads, reads, 0);
}

/* Some of the optional operations took effect, all the others did. */
static bool explained_with(struct pl_enumerate *n, uint32_t operations, uint32_t optional)
{
    for (uint32_t chosen = optional;; chosen = (chosen - 1) & optional) {
        if (explained(n, operations | chosen, PL_NONE_CALLED))
            return true;
        if (!chosen || n->over)
            return false;
    }
}

/* --- one history --------------------------------------------------------------------------- */

/* The first events: who returned, who is open; real time. */
static void look_at(struct pl_enumerate *n, unsigned events, uint32_t *returned, uint32_t *open)
{
    *returned = *open = 0;
    for (unsigned k = 0; k < events; k++) {
        unsigned i = n->event[k] / 2;
        if (n->event[k] % 2 == 0) {
            n->before[i] = *returned;
            *open |= bit(i);
        } else {
            *returned |= bit(i);
            *open &= ~bit(i);
        }
    }
    if (n->behaviour->stuck)
        *open &= ~n->order.pending;
}

/* The completed ones, with some of the open ones; or before each that is stuck. */
static bool explained_all(struct pl_enumerate *n, uint32_t returned, uint32_t open)
{
    if (!n->behaviour->stuck || !n->order.pending)
        return explained_with(n, returned, open);
    for (uint32_t rest = n->order.pending; rest; rest &= rest - 1) {
        n->unjustified = (unsigned)__builtin_ctz(rest);
        if (!explained(n, returned, n->unjustified))
            return false;
    }
    return true;
}

static bool check(struct pl_enumerate *n)
{
    uint32_t returned, open;
    look_at(n, n->events, &returned, &open);
    return explained_all(n, returned, open);
}

/* The history is bad: the first return that nothing explains. */
static void refute(struct pl_enumerate *n, struct pl_refuted *out)
{
    uint64_t orders = n->stats.orders;
    *out = (struct pl_refuted){.events = n->events, .unjustified = PL_NONE_CALLED};
    memcpy(out->event, n->event, n->events);
    if (n->quasi) { /* what comes later may explain what comes before */
        out->at = n->events;
        out->unjustified =
            n->behaviour->stuck && n->order.pending ? n->unjustified : PL_NONE_CALLED;
        out->untried = n->untried;
        return;
    }
    for (out->at = 0; out->at < n->events; out->at++) {
        uint32_t returned, open;
        look_at(n, out->at + 1, &returned, &open);
        if (n->event[out->at] % 2 && !explained_with(n, returned, open))
            break;
    }
    if (out->at == n->events)
        out->unjustified = n->unjustified;
    out->untried = n->untried;
    n->stats.orders = orders;
}

/* --- histories that were met --------------------------------------------------------------- */

static size_t key_of(const struct pl_enumerate *n, uint8_t *key)
{
    uint8_t *at = key;
    *at++ = n->behaviour->stuck;
    for (unsigned k = 0; k < n->events; k++) {
        const struct pl_called *called = &n->behaviour->called[n->event[k] / 2];
        bool returns = n->event[k] % 2;
        uint32_t who = 2 * called->thread + returns;
        if (n->quasi && n->quasi->reading != PL_QUASI_ALL_SUBSETS)
            who |= (uint32_t)n->quasi->group[n->event[k] / 2] << 16;
        pl_value what = returns ? called->response : (pl_value)called->invocation;
        memcpy(at, &who, sizeof who);
        memcpy(at + sizeof who, &what, sizeof what);
        at += sizeof who + sizeof what;
    }
    return (size_t)(at - key);
}

/* A whole history was generated: is it good? */
static bool judge(struct pl_enumerate *n)
{
    uint8_t key[KEY_BYTES];
    size_t length = key_of(n, key);
    bool *added = NULL, *met = pl_known_find(&n->met, key, length, &added);
    n->stats.distinct = n->met.count;
    n->stats.full = n->met.full || n->lines.full;
    n->stats.generated++;
    if (out_of_budget(n))
        return false;
    bool known = met && n->options.hash; /* a bad one is looked at again: for its report */
    if (known && *met)
        return true;
    n->stats.checked += !known;
    bool good = check(n);
    if (met || added)
        *(met ? met : added) = good;
    if (good || n->over || !n->options.all)
        return good;
    if (!n->has_bad)
        refute(n, &n->bad);
    n->has_bad = true;
    return true;
}

/* --- all histories ------------------------------------------------------------------------- */

static bool extend(struct pl_enumerate *n)
{
    uint64_t all = pl_order_events(&n->order);
    if (n->happened == all)
        return judge(n);
    for (uint64_t rest = all & ~n->happened; rest; rest &= rest - 1) {
        unsigned e = (unsigned)__builtin_ctzll(rest);
        if (n->order.before[e] & ~n->happened)
            continue;
        n->happened |= pl_event_bit(e);
        n->event[n->events++] = (uint8_t)e;
        if (!extend(n))
            return false; /* the history stays, for the report */
        n->events--;
        n->happened &= ~pl_event_bit(e);
    }
    return true;
}

static void begin(struct pl_enumerate *n, struct pl_machine *machine,
                  const struct pl_behaviour *behaviour, uint32_t reads,
                  const struct pl_budget *budget)
{
    bool is_order = pl_order_close(behaviour->order, &n->order);
    PL_ASSERT(is_order); /* B1 */
    n->machine = machine;
    n->behaviour = behaviour;
    n->budget = budget;
    n->reads = reads & ~n->order.pending;
    n->quasi = NULL;
    n->untried = n->over = n->has_bad = false;
    n->events = 0;
    n->happened = 0;
}

static enum pl_decision all_histories(struct pl_enumerate *n, struct pl_refuted *out)
{
    if (extend(n)) {
        if (out && n->has_bad)
            *out = n->bad;
        return !n->has_bad ? PL_GOOD : n->bad.untried ? PL_NEITHER : PL_BAD;
    }
    if (out)
        *out = (struct pl_refuted){.unjustified = PL_NONE_CALLED};
    if (out && !n->over)
        refute(n, out);
    return n->untried || n->over ? PL_NEITHER : PL_BAD;
}

enum pl_decision pl_enumerate(struct pl_enumerate *n, struct pl_machine *machine,
                              const struct pl_behaviour *behaviour, uint32_t reads,
                              const struct pl_budget *budget, struct pl_refuted *out)
{
    begin(n, machine, behaviour, reads, budget);
    return all_histories(n, out);
}

enum pl_decision pl_enumerate_quasi(struct pl_enumerate *n, const struct pl_quasi *quasi,
                                    struct pl_machine *machine,
                                    const struct pl_behaviour *behaviour,
                                    const struct pl_budget *budget, struct pl_refuted *out)
{
    begin(n, machine, behaviour, 0, budget);
    n->quasi = quasi;
    enum pl_decision decision = all_histories(n, out);
    if (n->over || n->untried) { /* what was not looked at to its end is not known */
        pl_known_release(&n->lines);
        pl_known_init(&n->lines, n->options.memory ? n->options.memory : MEMORY);
    }
    return decision;
}

enum pl_decision pl_enumerate_order(struct pl_enumerate *n, struct pl_machine *machine,
                                    const struct pl_behaviour *behaviour, uint32_t reads,
                                    const struct pl_budget *budget, struct pl_refuted *out)
{
    begin(n, machine, behaviour, reads, budget);
    pl_order_operations(&n->order, n->before);
    uint32_t returned = pl_operations_all(&n->order) & ~n->order.pending;
    n->stats.generated++;
    n->stats.distinct++;
    n->stats.checked++;
    n->unjustified = PL_NONE_CALLED;
    if (explained_all(n, returned, n->behaviour->stuck ? 0 : n->order.pending))
        return PL_GOOD;
    /* Of a stuck one: does the rest have an order? Then it is the pending one that has none. */
    bool rest =
        n->unjustified != PL_NONE_CALLED && !n->over && explained(n, returned, PL_NONE_CALLED);
    if (out)
        *out = (struct pl_refuted){.unjustified = rest ? n->unjustified : PL_NONE_CALLED,
                                   .untried = n->untried};
    return n->untried || n->over ? PL_NEITHER : PL_BAD;
}

struct pl_enumerate *pl_enumerate_new(const struct pl_enumerate_options *options)
{
    struct pl_enumerate *n = calloc(1, sizeof *n);
    PL_ASSERT(n);
    n->options = *options;
    pl_known_init(&n->met, options->memory ? options->memory : MEMORY);
    pl_known_init(&n->lines, options->memory ? options->memory : MEMORY);
    return n;
}

void pl_enumerate_free(struct pl_enumerate *n)
{
    if (!n)
        return;
    pl_known_release(&n->met);
    pl_known_release(&n->lines);
    free(n);
}

const struct pl_enumerate_stats *pl_enumerate_stats(const struct pl_enumerate *n)
{
    return &n->stats;
}
