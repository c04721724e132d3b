/* Whether a history is right, by the spec of each object in turn. See trial.h. */
#include <string.h>

#include "check/spurious.h"
#include "cli/asked.h"
#include "cli/inferred.h"
#include "cli/pointed.h"
#include "cli/trial.h"

static enum pl_decision by_enumerating(struct pl_trial *t, struct pl_judge *j,
                                       const struct pl_behaviour *behaviour, bool sc,
                                       struct pl_refuted *out)
{
    bool wrapped = j->machine == &j->wrapped.machine;
    uint32_t reads = wrapped ? pl_wrapped_reads(&j->wrapped, behaviour) : 0;
    return sc ? pl_enumerate(t->enumerate, j->machine, behaviour, reads, &t->deciding->budget, out)
              : pl_enumerate_order(t->enumerate, j->machine, behaviour, reads, &t->deciding->budget,
                                   out);
}

/* Is what the spec demands synchronised? If not, b->unpublished says what is not. */
static bool is_published(const struct pl_trial *t, const struct pl_judge *j, struct pl_bad *b)
{
    if (!j->against || t->deciding->no_publication || !pl_spec_publishes(j->against->spec))
        return true;
    struct pl_published p = {.spec = j->against->spec, .initial = j->against->initial};
    p.count = b->order.operations;
    for (unsigned i = 0; i < p.count; i++) {
        unsigned number = b->number[i];
        p.operation[i] = j->against->meant[t->test->operation[number]].operation;
        p.operation[i].thread = pl_test_thread(t->test, number);
        p.operation[i].result = b->called[i].response;
        p.returned |= (b->seen.head.returned >> number & 1) << i;
        for (unsigned k = 0; k < p.count; k++)
            p.passed[i] |= (b->seen.passed[number] >> b->number[k] & 1) << k;
    }
    return pl_is_published(&p, &b->unpublished);
}

/* Those that are left out whatever they answer. */
static uint32_t set_aside(const struct pl_trial *t)
{
    uint32_t aside = 0;
    for (unsigned i = 0; i < pl_test_count(t->test); i++)
        aside |= (uint32_t)t->calls[t->test->operation[i]].marks.aside << i;
    return aside;
}

/* Those that look as if they had failed, and may do so at any time. */
static uint32_t failures(const struct pl_trial *t, const struct pl_bad *b)
{
    uint32_t failures = 0;
    for (unsigned i = 0; i < b->seen.head.operations; i++)
        failures |= (uint32_t)b->seen.called[i].failed << i;
    return failures & ~set_aside(t);
}

static void free_late(const struct pl_trial *t, struct pl_bad *b)
{
    uint32_t late = 0;
    for (unsigned i = 0; i < b->order.operations; i++)
        late |= (uint32_t)t->calls[t->test->operation[b->number[i]]].marks.late << i;
    if (late)
        pl_order_late(&b->order, late);
}

/* Has a take found nothing? */
static bool is_empty(const struct pl_trial *t, const struct pl_bad *b, unsigned i, unsigned call)
{
    const struct pl_relaxed *r = t->deciding->relaxed;
    if (r->role[call] != PL_ROLE_TAKE || t->against)
        return r->role[call] == PL_ROLE_TAKE && b->called[i].response == PL_NIL;
    const struct pl_response_text *answer = &t->responses.at[b->seen.answer[b->number[i]]];
    const struct pl_relaxed_empty *e = &r->empty[call];
    return !e->waits && answer->length == e->length &&
           memcmp(answer->bytes, e->bytes, e->length) == 0;
}

void pl_trial_groups(const struct pl_trial *t, const struct pl_bad *b,
                     uint8_t group[PL_MOST_CALLED])
{
    const struct pl_relaxed *r = t->deciding->relaxed;
    for (unsigned i = 0; i < b->order.operations; i++) {
        unsigned call = t->test->operation[b->number[i]];
        bool empty = !(b->order.pending >> i & 1) && is_empty(t, b, i, call);
        group[i] = empty ? (uint8_t)r->groups : r->group[call];
    }
}

/* Sufficient, and faster than the walk where all is well. */
static bool by_few_witnesses(struct pl_trial *t, const struct pl_judge *j, const struct pl_bad *b,
                             const struct pl_behaviour *behaviour)
{
    uint8_t thread[PL_MOST_CALLED];
    if (behaviour->stuck || b->order.pending || t->only_walk)
        return false;
    for (unsigned i = 0; i < b->order.operations; i++) {
        thread[i] = (uint8_t)pl_test_thread(t->test, b->number[i]);
        if (t->calls[t->test->operation[b->number[i]]].marks.late)
            return false;
    }
    return pl_clients_are_good(j->machine, behaviour, thread, &t->stats.clients);
}

/* The structure is fine, the points are not: for this client. */
static void take_mismatch(struct pl_bad *b, bool sc)
{
    b->kind = PL_FINDING_POINT_MISMATCH;
    if (!sc)
        b->order = b->client.order;
}

/* What is decided: these invocations. */
static void consider(const struct pl_trial *t, struct pl_bad *b, uint32_t invocations,
                     struct pl_behaviour *out)
{
    pl_bad_select(b, invocations);
    free_late(t, b);
    *out = (struct pl_behaviour){.order = &b->order, .called = b->called};
    out->stuck = b->seen.head.kind == PL_HISTORY_STUCK && b->order.pending;
    b->refuted = (struct pl_refuted){0};
}

/* By the judge's machine. */
static enum pl_decision by_machine(struct pl_trial *t, struct pl_judge *j, struct pl_bad *b,
                                   const struct pl_behaviour *behaviour)
{
    enum pl_decision decision = PL_GOOD;
    bool sc = b->seen.head.clients == PL_CLIENTS_NONE;
    b->refuted = (struct pl_refuted){0};
    if (t->deciding->relaxed)
        return pl_bad_decide_quasi(t, j, b, behaviour);
    if (t->enumerate)
        decision = by_enumerating(t, j, behaviour, sc, &b->refuted);
    else if (sc && !by_few_witnesses(t, j, b, behaviour))
        decision = pl_walk(t->walk, j->machine, behaviour, &t->deciding->budget, &b->refuted);
    if (!sc && decision == PL_GOOD) /* enumerated was the client that does nothing itself */
        decision = pl_bad_decide_clients(t, j, b, behaviour);
    return decision;
}

/* A call that may fail and looks as if it had: it may as well have been an ordinary one, a take
 * that found nothing. So first all are; then each may be either. */
static enum pl_decision with_failures(struct pl_trial *t, struct pl_judge *j, struct pl_bad *b,
                                      uint32_t invocations, struct pl_behaviour *behaviour)
{
    struct pl_machine *const base = j->machine;
    struct pl_spurious either;
    consider(t, b, invocations, behaviour);
    enum pl_decision decision = by_machine(t, j, b, behaviour);
    if (decision == PL_GOOD)
        return decision;
    consider(t, b, invocations, behaviour); /* without the client that was found wrong */
    pl_spurious_init(&either, base, behaviour);
    j->machine = &either.machine;
    decision = by_machine(t, j, b, behaviour);
    j->machine = base;
    return decision;
}

/* The invocations that were decided, of the operations of this set. */
static uint32_t invocations_of(const struct pl_bad *b, uint32_t operations)
{
    uint32_t invocations = 0;
    for (; operations; operations &= operations - 1)
        invocations |= (uint32_t)1 << b->number[__builtin_ctz(operations)];
    return invocations;
}

/* A history that ends stuck, whose answers nothing explains: do they follow if what has not
 * returned may have taken effect? Then it is that which is wrong: it has done its work and never
 * returns. */
static void blame_pending(struct pl_trial *t, struct pl_judge *j, struct pl_bad *b)
{
    struct pl_bad open = *b;
    struct pl_behaviour behaviour;
    const uint32_t all = pl_operations_all(&b->order), pending = b->order.pending;
    unsigned effective = PL_NONE_CALLED;
    consider(t, &open, invocations_of(b, all), &behaviour);
    if (!behaviour.stuck || b->refuted.unjustified != PL_NONE_CALLED || t->deciding->relaxed)
        return;
    behaviour.stuck = false;
    bool explained = by_machine(t, j, &open, &behaviour) == PL_GOOD;
    for (uint32_t rest = pending; explained && rest; rest &= rest - 1) { /* one that is enough */
        const uint32_t one = rest & -rest;
        consider(t, &open, invocations_of(b, (all & ~pending) | one), &behaviour);
        behaviour.stuck = false;
        if (effective == PL_NONE_CALLED || by_machine(t, j, &open, &behaviour) == PL_GOOD)
            effective = (unsigned)__builtin_ctz(one);
    }
    if (effective != PL_NONE_CALLED) {
        b->effective = true;
        b->refuted.unjustified = effective;
        b->refuted.at = b->refuted.events;
    }
}

/* By the spec of one object: under sc a history of several is explained if that of each is, and
 * without a global clock more is not asked. */
static void judge(struct pl_trial *t, struct pl_judge *j, struct pl_bad *b)
{
    struct pl_behaviour behaviour;
    const uint32_t failed = failures(t, b), all = j->invocations & ~set_aside(t);
    const bool points = t->deciding->points, sc = b->seen.head.clients == PL_CLIENTS_NONE;
    enum pl_decision decision = PL_BAD, pointed = PL_GOOD;
    if ((failed & all) && !points && !t->deciding->relaxed) {
        decision = with_failures(t, j, b, all, &behaviour);
        if (decision == PL_GOOD) /* what has failed publishes nothing, and needs nothing */
            consider(t, b, all & ~failed, &behaviour);
    }
    if (decision == PL_BAD) { /* what is shown is the rest, without failures */
        consider(t, b, all & ~failed, &behaviour);
        pointed = points ? pl_pointed_decide(t, j, b, &behaviour) : PL_GOOD;
        t->undecided = t->undecided || pointed == PL_NEITHER;
        /* If the points are right, they are a witness of every history. */
        decision = points && pointed == PL_GOOD ? PL_GOOD : by_machine(t, j, b, &behaviour);
    }
    if (decision == PL_GOOD && t->takes_any && !pl_trial_is_inside(t, &b->seen))
        decision = PL_BAD;
    t->undecided = t->undecided || decision == PL_NEITHER;
    if (decision == PL_BAD)
        blame_pending(t, j, b);
    if (decision == PL_GOOD && !is_published(t, j, b))
        b->kind = PL_FINDING_UNPUBLISHED;
    else if (decision == PL_GOOD && pointed == PL_BAD)
        take_mismatch(b, sc);
    if (decision == PL_BAD)
        b->kind = b->refuted.unjustified != PL_NONE_CALLED ? PL_FINDING_STUCK
                  : t->deciding->relaxed                   ? PL_FINDING_NOT_QUASI_LINEARIZABLE
                                                           : PL_FINDING_NOT_LINEARIZABLE;
    if (t->deciding->inferred && b->kind == PL_FINDING_NONE && decision == PL_GOOD)
        pl_inferred_add(t->deciding->inferred, t, j, b, &behaviour);
}

void pl_trial_decide(struct pl_trial *t, struct pl_bad *b)
{
    for (b->judge = 0;; b->judge++) {
        judge(t, &t->judge[b->judge], b);
        if (b->kind != PL_FINDING_NONE || b->judge + 1 == t->judges)
            return;
    }
}
