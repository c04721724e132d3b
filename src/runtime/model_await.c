/*
 * Loops that wait: a thread at an atomic operation that would end its round at the loop's head,
 * with nothing changed, waits before it instead.
 *
 * Who moves next is free, as far as the explorer goes, as long as it depends on the graph alone. So
 * a thread whose operation would find a value (the newest) with which the round is void, which a
 * trial tells (loops.h), lets the others go first. If nobody is left it makes its event, and stands
 * still for good: it reads the newest, so it is stuck if the rest of the round is. Other values
 * with which the round is void are not read at all: choose_rf() in trust.c says why.
 *
 *   before the event ──newest no longer idle──▶ event ──▶ goes on
 *          └──────────nobody else can go──────▶ event ──▶ stands
 *
 * A thread also stands at an event that the graph already has, if a revisit gave it such a value.
 */
#include <stdlib.h>

#include "runtime/loops.h"
#include "runtime/model_internal.h"

static uint64_t waiting, forced; /* bit per thread: before its event, and that it is to make it */
static uint64_t waits_for[PL_GRAPH_THREADS]; /* the address */
static bool off;

void pl_await_init(void)
{
    off = getenv("PLUMB_NO_WAITING") != NULL; /* for our own tests: nothing may depend on it */
}

void pl_await_begin(void)
{
    waiting = forced = 0;
}

bool pl_await_applies(void)
{
    return !off && pl_loops_may_try() && pl_model_searches();
}

/* True: the caller returns *trial to the program. */
static bool find_idle(struct pl_awaiting *w, const struct pl_trust_access *a, uint64_t *trial)
{
    w->idle_count = 0;
    for (unsigned i = 0; i < w->values; i++) {
        if (pl_trust_changes(a, w->value[i]))
            continue;
        if (pl_loops_try(&w->round)) {
            *trial = w->value[i];
            return true;
        }
        if (!w->round.is_void)
            continue;
        w->idle_round[w->idle_count] = w->round;
        w->idle[w->idle_count++] = w->value[i];
    }
    return false;
}

static const struct pl_trial *round_with(const struct pl_awaiting *w, uint64_t value)
{
    for (unsigned i = 0; i < w->idle_count; i++)
        if (w->idle[i] == value)
            return &w->idle_round[i];
    return NULL;
}

bool pl_await(struct pl_awaiting *w, struct pl_trust_access *a, uint64_t *trial, uint64_t pc)
{
    struct pl_trust *x = pl_model_explorer();
    uint64_t self = (uint64_t)1 << a->thread;
    for (;;) {
        const struct pl_node *last = pl_trust_next_is_last(x, a->thread);
        bool fresh = pl_trust_is_fresh(x, a->thread);
        w->values = fresh ? pl_trust_values(x, a, w->value, PL_AWAIT_VALUES) : last != NULL;
        if (last)
            w->value[0] = last->value;
        if (find_idle(w, a, trial))
            return true;
        a->idle = w->idle;
        a->idle_count = w->idle_count;
        if (!fresh || (forced & self) || !round_with(w, w->value[0]))
            return false;
        waiting |= self;
        waits_for[a->thread] = a->key << 16 >> 16;
        (void)pl_block(PL_EVENT_SPIN, NULL, 0, pc);
    }
}

bool pl_await_is_idle(const struct pl_awaiting *w, uint64_t value)
{
    return round_with(w, value) != NULL;
}

bool pl_await_stands(const struct pl_awaiting *w, uint64_t value, uint64_t pc)
{
    const struct pl_trial *round = round_with(w, value);
    forced &= ~((uint64_t)1 << rt.self->id);
    if (round)
        pl_model_stand(round->since, round->same, pc);
    return round != NULL;
}

void pl_await_written(uint64_t address)
{
    for (uint64_t left = waiting; pl_unlikely(left != 0); left &= left - 1) {
        unsigned t = (unsigned)__builtin_ctzll(left);
        if (waits_for[t] != address)
            continue;
        waiting &= ~((uint64_t)1 << t);
        pl_wake(t);
    }
}

bool pl_model_waits(void)
{
    return waiting != 0;
}

uint64_t pl_await_stir(void)
{
    uint64_t lowest = waiting & -waiting;
    waiting &= ~lowest;
    forced |= lowest;
    pl_wake_all(lowest);
    return lowest;
}
