/*
 * Exploring with few preemptions (turns.c): threads that wait.
 *
 * One that has to wait at an object is left for nothing, and does not move until what it waits for
 * is there. One that is about to read, in a loop, where a loop was seen to be left after one step
 * is left for nothing as well, on credit: when it goes on, what it reads must have been written
 * since, and must end the loop; else it was preempted after all, and that is counted then.
 */
#include "explore/trust_internal.h"

/* ---- at an object ---- */

/* The newest write that has been made in this run, or NULL. */
static const struct pl_node *newest(const struct pl_trust *x, const struct pl_location *l)
{
    for (uint32_t i = l->writes; i > 0; i--)
        if (l->co[i - 1].index < x->made[l->co[i - 1].thread])
            return pl_at(x->g, l->co[i - 1]);
    return NULL;
}

void pl_trust_attempt(struct pl_trust *x, const struct pl_trust_access *a)
{
    if (!x->turning)
        return;
    uint32_t location = pl_graph_location(x->g, a->key, a->initial);
    const struct pl_location *l = location ? &x->g->location[location - 1] : NULL;
    const struct pl_node *write = l ? newest(x, l) : NULL;
    x->reason = (struct attempt){.location = location};
    x->wants = (struct wish){.op = (uint8_t)a->op,
                             .await = (uint8_t)a->await,
                             .size = (uint8_t)a->size,
                             .flags = a->flags,
                             .operand = a->operand,
                             .expected = a->expected,
                             .value = write ? write->value : a->initial};
}

void pl_trust_attempt_join(struct pl_trust *x, unsigned joined)
{
    if (x->turning)
        x->reason = (struct attempt){.joined = (uint16_t)(joined + 1)};
}

/* Is the attempt one of the part that the run repeats? They are in the order of `at`. */
static bool was_noted(const struct pl_trust *x, unsigned thread)
{
    for (uint32_t i = x->attempts; i > 0 && x->attempt[i - 1].at >= x->at; i--)
        if (x->attempt[i - 1].at == x->at && x->attempt[i - 1].thread == thread)
            return true;
    return x->at < x->cut;
}

void pl_trust_blocked(struct pl_trust *x, unsigned thread)
{
    struct attempt a = x->reason;
    x->reason = (struct attempt){0};
    if (!x->turning)
        return;
    x->turn[x->at].enabled &= ~((uint64_t)1 << thread);
    pl_turns_wake(x, &a);
    if (was_noted(x, thread))
        return;
    if (x->attempts == ATTEMPTS) {
        pl_trust_fail(x, "threads wait more often than there is room for");
        return;
    }
    a.at = x->at;
    a.thread = (uint16_t)thread;
    x->wish[x->attempts] = x->wants;
    x->attempt[x->attempts++] = a;
}

static bool is_held(const struct pl_trust *x, uint32_t location)
{
    const struct pl_node *lock = newest(x, &x->g->location[location - 1]);
    const struct pl_graph_thread *holder = lock ? &x->g->thread[lock->self.thread] : NULL;
    for (unsigned k = lock ? lock->self.index + 1u : 0; lock && k < x->made[lock->self.thread]; k++)
        if (holder->node[k].kind == PL_GRAPH_UNLOCK && holder->node[k].location == location)
            return false;
    return lock != NULL;
}

bool pl_trust_is_held(const struct pl_trust *x, uint64_t key)
{
    uint32_t location = x->turning ? pl_graph_location(x->g, key, 0) : 0;
    return location && is_held(x, location);
}

/* Does the reason of the attempt, the last of its thread, still hold? */
static bool still_waits(const struct pl_trust *x, const struct attempt *a)
{
    const struct pl_graph *g = x->g;
    if (a->joined)
        return a->joined > g->threads || !x->made[a->joined - 1] ||
               pl_trust_last(x, a->joined - 1u)->kind != PL_GRAPH_END;
    if (!a->location)
        return false;
    const struct pl_node *write = newest(x, &g->location[a->location - 1]);
    if (write && (write->flags & PL_GRAPH_F_LOCK))
        return is_held(x, a->location);
    return !write || write->stamp <= a->at;
}

/* Has its thread made no event since? */
static bool is_pending(const struct pl_trust *x, const struct attempt *a)
{
    unsigned made = x->made[a->thread];
    return !made || x->g->thread[a->thread].node[made - 1].stamp <= a->at;
}

uint64_t pl_trust_waiting(const struct pl_trust *x)
{
    uint64_t seen = 0, waiting = 0;
    for (uint32_t i = x->turning ? x->attempts : 0; i > 0; i--) {
        const struct attempt *a = &x->attempt[i - 1];
        uint64_t bit = (uint64_t)1 << a->thread;
        if (!(seen & bit) && is_pending(x, a) && still_waits(x, a))
            waiting |= bit;
        seen |= bit;
    }
    return waiting;
}

/* ---- loops that are left after one step ---- */

static bool is_waited_for(const struct pl_trust *x, uint64_t key)
{
    for (unsigned i = 0; i < x->waited_for; i++)
        if (x->waited[i] == key)
            return true;
    return x->waited_for > WAITED;
}

void pl_turns_left_loop(struct pl_trust *x, const struct pl_node *read)
{
    uint64_t key = x->g->location[read->location - 1].key;
    if (!x->turning || is_waited_for(x, key))
        return;
    if (x->waited_for < WAITED)
        x->waited[x->waited_for] = key;
    x->waited_for++;
    x->again = true;
}

/* Would the read, made after so many events, change nothing? */
static bool finds_nothing(const struct pl_graph *g, const struct pl_node *read, uint32_t at)
{
    const struct pl_location *l = &g->location[read->location - 1];
    uint32_t i = l->writes;
    while (i > 0 && pl_at(g, l->co[i - 1])->stamp > at)
        i--;
    uint64_t value = i ? pl_at(g, l->co[i - 1])->value : l->initial, written;
    return !pl_graph_update(read, value, &written) || written == value;
}

/* Is the event of this run the first one since its thread came to the head of a loop? */
static bool begins_round(const struct pl_trust *x, struct pl_ref n)
{
    unsigned heads = x->heads[n.thread];
    for (unsigned i = 0; i < heads && i < HEADS; i++)
        if (x->head[n.thread][i] == n.index)
            return true;
    return heads > HEADS;
}

/* Of a round with several accesses it is not said: leaving it counts (preemptions.h). */
bool pl_turns_attempted(const struct pl_trust *x, unsigned thread, struct pl_node *out)
{
    uint32_t i = x->turning ? x->attempts : 0;
    while (i > 0 && x->attempt[i - 1].thread != thread)
        i--;
    const struct attempt *a = i > 0 ? &x->attempt[i - 1] : NULL;
    if (!a || !is_pending(x, a) || (!a->location && !a->joined))
        return false;
    const struct wish *wish = &x->wish[i - 1];
    *out = (struct pl_node){.kind = a->joined ? PL_GRAPH_JOIN : PL_GRAPH_READ,
                            .self = {(uint16_t)thread, (uint16_t)x->made[thread]},
                            .location = a->location};
    if (a->joined) {
        out->value = a->joined - 1u;
        return true;
    }
    out->op = wish->op;
    out->await = wish->await;
    out->size = wish->size;
    out->flags = wish->flags & PL_GRAPH_F_LOCK;
    out->operand = wish->operand;
    out->expected = wish->expected;
    out->value = wish->value;
    bool spins = !out->flags && out->await == PL_AWAIT_NONE;
    out->flags |= spins ? PL_GRAPH_F_SPIN : 0;
    return !spins || begins_round(x, out->self);
}

/* Is the step that the thread that moved last would make at such a place, in a loop that it may
 * leave after it, and would it find nothing? */
bool pl_turns_may_wait(const struct pl_trust *x, uint32_t at)
{
    const struct pl_graph *g = x->g;
    unsigned last = pl_turns_mover(g, at);
    const struct turn *n = &x->turn[at];
    if (!x->waited_for || last == NOBODY || !(n->enabled >> last & 1))
        return false;
    for (uint32_t i = at; i < g->events; i++)
        if (g->order[i].thread == last) {
            const struct pl_node *next = pl_at(g, g->order[i]);
            return next->kind == PL_GRAPH_READ && begins_round(x, next->self) &&
                   finds_nothing(g, next, at) &&
                   is_waited_for(x, g->location[next->location - 1].key);
        }
    return false;
}

/* ---- credit ---- */

/* Has the place been written to since the thread was left before this event, which is a read? */
static bool newer(const struct pl_trust *x, const struct pl_node *n)
{
    const struct pl_node *write = NULL;
    if (n->kind == PL_GRAPH_READ && n->stamp == x->at)
        write = newest(x, &x->g->location[n->location - 1]); /* it is what it will read */
    else if (n->kind == PL_GRAPH_READ && !pl_is_init(n->rf))
        write = pl_at(x->g, n->rf);
    return write && write->stamp > n[-1].stamp;
}

/* Was the thread left before this event of it for nothing, because it may have waited? */
static bool may_have_waited(const struct pl_trust *x, const struct pl_node *n)
{
    if (!n->self.index || n[-1].stamp + 1 == n->stamp)
        return false;
    const struct turn *turn = &x->turn[n[-1].stamp];
    return turn->waits && (turn->enabled >> n->self.thread & 1);
}

/* It was, but did not wait: the event, its next one, finds nothing new, or that one, the event
 * before, did not end its loop. */
bool pl_turns_must_pay(const struct pl_trust *x, const struct pl_node *n)
{
    const struct pl_node *before = n->self.index ? n - 1 : NULL;
    if (before && before->kind == PL_GRAPH_WRITE && (before->flags & PL_GRAPH_F_RMW))
        before--;
    bool is_half = n->kind == PL_GRAPH_WRITE && (n->flags & PL_GRAPH_F_RMW);
    if (before && !is_half && may_have_waited(x, before) && !(before->flags & PL_GRAPH_F_SPIN) &&
        newer(x, before))
        return true;
    return may_have_waited(x, n) && !newer(x, n);
}

/* The thread was left at a place where it may have waited, and has not gone on: whether that was
 * for nothing is not known yet. */
bool pl_turns_somebody_owes(const struct pl_trust *x, unsigned last)
{
    for (unsigned t = 0; t < x->g->threads; t++) {
        unsigned made = x->made[t];
        const struct pl_node *n = made ? &x->g->thread[t].node[made - 1] : NULL;
        const struct turn *left = &x->turn[n ? n->stamp : 0];
        if (t != last && left->waits && (left->enabled >> t & 1))
            return true;
        if (n && n->kind == PL_GRAPH_WRITE && (n->flags & PL_GRAPH_F_RMW))
            n--;
        if (n && may_have_waited(x, n) && !(n->flags & PL_GRAPH_F_SPIN))
            return true;
    }
    return false;
}
