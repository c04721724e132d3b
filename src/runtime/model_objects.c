/* Threads, locks and other modelled objects under the explorer: their steps as events; see model.c.
 */
#include <string.h>

#include "runtime/finding.h"
#include "runtime/model_internal.h"
#include "runtime/objects.h"
#include "runtime/station.h"

static uint32_t sleeps[PL_MAX_THREADS]; /* of each thread so far */
static bool slept;                      /* somebody, since the process started */
/* Bit per thread: */
static uint64_t roused PL_STATE;   /* from a sleep */
static uint64_t entering PL_STATE; /* it waits in pl_model_enter */
static uint64_t not_ready
    PL_STATE; /* it is at a step that awaits something, which no revisit brings */

void pl_model_objects_begin(void)
{
    memset(sleeps, 0, sizeof sleeps);
    roused = entering = not_ready = 0;
}

void pl_model_objects_keep(void)
{
    if (slept)
        pl_keep(sleeps, sizeof sleeps);
}

/* ---- threads and locks ---- */

void pl_model_start(int creator)
{
    if (rt.self->id >= PL_GRAPH_THREADS)
        pl_unsupported("more than 32 threads are not explored", 0);
    pl_trust_start(pl_model.explorer, rt.self->id, creator);
    pl_model_after(0);
}

void pl_model_create(uint32_t created, uint64_t pc)
{
    pl_trust_create(pl_model.explorer, rt.self->id, created);
    pl_model_after(pc);
}

void pl_model_finish(void)
{
    pl_trust_finish(pl_model.explorer, rt.self->id);
    pl_model_after(0);
}

void pl_model_attempt_join(uint32_t joined)
{
    pl_trust_attempt_join(pl_model.explorer, joined);
}

void pl_model_join(uint32_t joined, uint64_t pc)
{
    pl_trust_join(pl_model.explorer, rt.self->id, joined);
    pl_model_after(pc);
}

static uint64_t lock_key(const void *lock)
{
    return (uint64_t)lock | (uint64_t)pl_cell_of((uint64_t)lock)->life << 48 | (uint64_t)1 << 63;
}

static void lock(const void *object, uint64_t key, uint64_t *waiters, bool quiet, uint64_t pc)
{
    while (pl_trust_is_held(pl_model.explorer, key)) {
        const struct pl_trust_access request = {
            .thread = rt.self->id, .key = key, .op = PL_OP_LOCK, .flags = PL_GRAPH_F_LOCK};
        *waiters |= (uint64_t)1 << rt.self->id;
        pl_trust_attempt(pl_model.explorer, &request);
        (void)pl_block(PL_EVENT_LOCK, object, 0, pc);
    }
    pl_trust_lock(pl_model.explorer, rt.self->id, key, quiet);
    pl_model_after(pc);
    while (!pl_trust_locked(pl_model.explorer, rt.self->id)) {
        *waiters |= (uint64_t)1 << rt.self->id;
        (void)pl_block(PL_EVENT_LOCK, object, 0, pc);
    }
    const struct pl_node *unlock = pl_trust_awaited(pl_model.explorer, rt.self->id);
    for (uint32_t i = 0; unlock && !quiet && i < rt.width && i < PL_GRAPH_THREADS; i++)
        if (i != rt.self->id && rt.self->clock[i] < unlock->hb[i])
            rt.self->clock[i] = unlock->hb[i];
}

void pl_model_lock(const void *mutex, uint64_t *waiters, uint64_t pc)
{
    lock(mutex, lock_key(mutex), waiters, false, pc);
}

void pl_model_unlock(const void *mutex, uint64_t pc)
{
    pl_trust_unlock(pl_model.explorer, rt.self->id, lock_key(mutex));
    pl_model_after(pc);
}

/* ---- modelled objects ---- */

/* Parts are the low bits, which no object's address has. */
static uint64_t object_key(const void *object, unsigned part)
{
    return lock_key(object) | part;
}

static struct pl_trust_access access_to(const struct pl_model_step *s)
{
    return (struct pl_trust_access){.thread = rt.self->id,
                                    .key = object_key(s->object, s->part),
                                    .initial = s->initial,
                                    .size = 8,
                                    .op = s->op,
                                    .await = s->await,
                                    .operand = s->operand,
                                    .expected = s->expected,
                                    .order = s->order,
                                    .order_fail = s->order_fail};
}

/* Sampling: the thread waits before the step, until it would find what it awaits. */
static void wait_until_ready(const struct pl_model_step *s, const struct pl_trust_access *a,
                             uint64_t pc)
{
    uint64_t self = (uint64_t)1 << rt.self->id;
    while (pl_unlikely(s->await != PL_AWAIT_NONE && !pl_trust_ready(pl_model.explorer, a))) {
        not_ready |= self;
        pl_trust_attempt(pl_model.explorer, a);
        pl_model.could_time_out |= s->timed ? self : 0;
        (void)pl_block(s->in, s->object, 0, pc);
    }
    pl_model.could_time_out &= ~self;
}

static void object_changed(void)
{
    uint64_t waiting = not_ready;
    not_ready = 0;
    pl_wake_all(waiting);
    pl_changed();
}

static void stand_still_if_waiting(const struct pl_model_step *s, uint64_t pc)
{
    bool for_ever;
    if (s->await == PL_AWAIT_NONE || !pl_trust_waits(pl_model.explorer, rt.self->id, &for_ever))
        return;
    if (s->timed)
        pl_model.could_time_out |= (uint64_t)1 << rt.self->id;
    for (;;) /* nobody wakes it */
        (void)pl_block(s->in, s->object, 0, pc);
}

uint64_t pl_model_object_read(const struct pl_model_step *s, uint64_t pc)
{
    pl_point(pc);
    struct pl_trust_access a = access_to(s);
    wait_until_ready(s, &a, pc);
    uint64_t value = pl_trust_read(pl_model.explorer, &a);
    pl_model_after(pc);
    stand_still_if_waiting(s, pc);
    return value;
}

void pl_model_object_write(const struct pl_model_step *s, uint64_t pc)
{
    pl_point(pc);
    struct pl_trust_access a = access_to(s);
    pl_trust_write(pl_model.explorer, &a, s->operand);
    pl_model_after(pc);
    object_changed();
}

uint64_t pl_model_object_update(const struct pl_model_step *s, bool *ok, uint64_t pc)
{
    pl_point(pc);
    struct pl_trust_access a = access_to(s);
    bool wrote;
    wait_until_ready(s, &a, pc);
    uint64_t old = pl_trust_update(pl_model.explorer, &a, &wrote);
    pl_model_after(pc);
    stand_still_if_waiting(s, pc);
    if (ok)
        *ok = wrote;
    object_changed();
    return old;
}

/* Each sleep of a thread has a word of its own, 0 until it is roused. */
static struct pl_trust_access sleep_word(unsigned thread)
{
    return (struct pl_trust_access){.thread = rt.self->id,
                                    .key = (uint64_t)1 << 63 | (uint64_t)1 << 47 |
                                           (uint64_t)thread << 32 | sleeps[thread],
                                    .size = 8,
                                    .order = PL_RLX};
}

static struct pl_trust_access awake_word(void)
{
    struct pl_trust_access a = sleep_word(rt.self->id);
    a.await = PL_AWAIT_EQUAL;
    a.expected = 1;
    return a;
}

bool pl_model_has_slept(void)
{
    for (uint32_t t = 0; slept && t < rt.nthreads; t++)
        if (sleeps[t])
            return true;
    return false;
}

/* The read is made when there is something to read, and there is only one thing. */
void pl_model_sleep(const void *object, enum pl_event_kind in, bool timed, uint64_t pc)
{
    uint64_t self = (uint64_t)1 << rt.self->id;
    pl_model.could_time_out |= timed ? self : 0;
    while (!(roused & self)) {
        const struct pl_trust_access word = awake_word();
        pl_trust_attempt(pl_model.explorer, &word);
        (void)pl_block(in, object, 0, pc);
    }
    roused &= ~self;
    pl_model.could_time_out &= ~self;
    pl_point(pc);
    const struct pl_trust_access a = awake_word();
    (void)pl_trust_read(pl_model.explorer, &a);
    pl_model_after(pc);
    slept = true;
    sleeps[rt.self->id]++;
}

void pl_model_rouse(unsigned thread, uint64_t pc)
{
    pl_point(pc);
    struct pl_trust_access a = sleep_word(thread);
    pl_trust_write(pl_model.explorer, &a, 1);
    pl_model_after(pc);
    pl_changed();
    roused |= (uint64_t)1 << thread;
    pl_wake(thread);
}

/* ---- an operation on an object as one step: a lock of its own around it ---- */

void pl_model_enter(const void *object, bool quiet, uint64_t pc)
{
    pl_point(pc);
    lock(object, object_key(object, 1), &entering, quiet, pc);
}

void pl_model_exit(const void *object, uint64_t pc)
{
    pl_point(pc);
    pl_trust_unlock(pl_model.explorer, rt.self->id, object_key(object, 1));
    pl_model_after(pc);
    pl_release_waiters(&entering);
}

unsigned pl_model_choose(unsigned n, uint64_t pc)
{
    pl_point(pc);
    return pl_choose(n);
}
