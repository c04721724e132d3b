/*
 * The guard of a C++ function-local static: __cxa_guard_acquire/release/abort.
 *
 *   byte 0 of the guard  1: initialised; read by compiled code with an acquire load
 *   record: owner        1 + thread that initialises
 *           release      what the initialisation did
 *
 * The compiled code calls us only when byte 0 is not 1 yet, so the clock goes to
 * the atomic of that byte, too: the inline load acquires it there. A thread that
 * comes back while it initialises blocks on itself, as it does with libstdc++.
 */
#include "runtime/atomic.h"
#include "runtime/model.h"
#include "runtime/objects.h"

PL_EXPORT int __cxa_guard_acquire(uint64_t *guard);
PL_EXPORT void __cxa_guard_release(uint64_t *guard);
PL_EXPORT void __cxa_guard_abort(uint64_t *guard);

enum { INITIALISED = 0, UNDER_WAY = 1 }; /* bytes of the guard */

static volatile uint8_t *bytes_of(uint64_t *guard)
{
    return (volatile uint8_t *)guard;
}

/* ---- under the explorer: the byte is an atomic as any, "under way" a word of its own ---- */

static void explored_let_go(uint64_t *guard, uint64_t pc)
{
    struct pl_model_step step = {.object = guard, .order = PL_ORDER_RELEASE};
    pl_model_object_write(&step, pc);
}

static int explored_acquire(uint64_t *guard, uint64_t pc)
{
    struct pl_model_step step = {.object = guard,
                                 .op = PL_OP_CAS,
                                 .operand = 1,
                                 .order = PL_ORDER_ACQUIRE,
                                 .await = PL_AWAIT_WRITE,
                                 .in = PL_EVENT_ONCE};
    (void)pl_model_object_update(&step, NULL, pc);
    if (pl_model_load((uint64_t)guard, 1, PL_ORDER_ACQUIRE, pc)) {
        explored_let_go(guard, pc);
        return 0;
    }
    pl_trace(PL_EVENT_ONCE, guard, 0, pc);
    return 1;
}

static void explored_release(uint64_t *guard, uint64_t pc)
{
    pl_model_store((uint64_t)guard, 1, PL_ORDER_RELEASE, 1, pc);
    explored_let_go(guard, pc);
    pl_trace(PL_EVENT_ONCE_DONE, guard, 0, pc);
}

PL_EXPORT int __cxa_guard_acquire(uint64_t *guard)
{
    uint64_t pc = PL_CALLER;
    if (rt.active && rt.exploring)
        return explored_acquire(guard, pc);
    if (!rt.active) {
        if (bytes_of(guard)[INITIALISED])
            return 0;
        bytes_of(guard)[UNDER_WAY] = 1;
        return 1;
    }
    pl_point(pc);
    for (;;) {
        struct pl_sync *s = pl_sync_object(PL_SYNC_GUARD, guard, pc, NULL);
        bool busy = s->owner && bytes_of(guard)[UNDER_WAY];
        if (!busy)
            pl_acquire(s->release);
        if (bytes_of(guard)[INITIALISED])
            return 0;
        if (!busy) {
            s->owner = pl_self_owner();
            break;
        }
        s->waiters |= pl_self_bit();
        pl_block(PL_EVENT_ONCE, guard, 0, pc);
    }
    bytes_of(guard)[UNDER_WAY] = 1;
    pl_changed();
    pl_trace(PL_EVENT_ONCE, guard, 0, pc);
    return 1;
}

/* No longer under way; the scheduling point was before. */
static struct pl_sync *let_go(uint64_t *guard, uint64_t pc)
{
    struct pl_sync *s = pl_sync_object(PL_SYNC_GUARD, guard, pc, NULL);
    s->owner = 0;
    bytes_of(guard)[UNDER_WAY] = 0;
    pl_changed();
    pl_release_waiters(&s->waiters);
    return s;
}

PL_EXPORT void __cxa_guard_release(uint64_t *guard)
{
    uint64_t pc = PL_CALLER;
    if (rt.active && rt.exploring) {
        explored_release(guard, pc);
        return;
    }
    if (rt.active) {
        struct pl_sync *byte = pl_atomic_begin((uint64_t)guard, 1, pc);
        struct pl_sync *s = let_go(guard, pc);
        pl_clock_copy(s->release, rt.self->clock);
        pl_atomic_write(byte, 1, PL_ORDER_RELEASE, pc);
        pl_trace(PL_EVENT_ONCE_DONE, guard, 0, pc);
    } else {
        bytes_of(guard)[UNDER_WAY] = 0;
    }
    bytes_of(guard)[INITIALISED] = 1;
}

PL_EXPORT void __cxa_guard_abort(uint64_t *guard)
{
    uint64_t pc = PL_CALLER;
    if (rt.active && rt.exploring) {
        explored_let_go(guard, pc);
        return;
    }
    if (rt.active) {
        pl_point(pc);
        pl_release_to(let_go(guard, pc)->release); /* for the next to try */
    } else {
        bytes_of(guard)[UNDER_WAY] = 0;
    }
}
