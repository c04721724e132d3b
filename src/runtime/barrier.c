/*
 * Barriers.
 *
 *   record: count     threads arrived in this round
 *           extra[0]  threads a round needs
 *           release   clocks of those arrived in this round
 *           mask64    under the explorer: rounds that are complete
 *
 * The last to arrive ends the round at once: it gives every thread of the round the
 * clocks of all, wakes them and starts the next round with nobody in it. A thread
 * that is slow to run on is no longer part of the barrier, so rounds cannot mix and
 * the barrier may be destroyed as soon as one thread has passed.
 */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "runtime/model.h"
#include "runtime/objects.h"

/* What the memory holds: as much of glibc's struct as a later record needs. */
struct memory {
    unsigned round;
    unsigned current;
    unsigned count;
    int shared;
    unsigned out;
};
_Static_assert(sizeof(struct memory) <= sizeof(pthread_barrier_t), "glibc's room");

static struct pl_sync *record(pthread_barrier_t *barrier, uint64_t pc)
{
    bool fresh;
    struct pl_sync *s = pl_sync_object(PL_SYNC_BARRIER, barrier, pc, &fresh);
    if (fresh) {
        struct memory memory;
        memcpy(&memory, barrier, sizeof memory);
        s->extra[0] = (int32_t)memory.count;
        pl_first_use((const char *)barrier + offsetof(struct memory, count), pc);
    }
    return s;
}

PL_EXPORT int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attr,
                                   unsigned count)
{
    uint64_t pc = PL_CALLER;
    int shared = PTHREAD_PROCESS_PRIVATE;
    if (count == 0 || count > INT32_MAX)
        return EINVAL;
    if (attr)
        pthread_barrierattr_getpshared(attr, &shared);
    if (rt.active) {
        pl_point(pc);
        pl_writes(barrier, sizeof *barrier, pc);
        struct pl_sync *old = pl_sync_find(PL_SYNC_BARRIER, barrier);
        if (old)
            pl_sync_drop(old);
    }
    struct memory memory = {.count = count, .shared = shared};
    memset(barrier, 0, sizeof *barrier);
    memcpy(barrier, &memory, sizeof memory);
    if (rt.active)
        record(barrier, pc);
    return 0;
}

PL_EXPORT int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        return 0;
    pl_point(pc);
    struct pl_sync *s = record(barrier, pc);
    if (s->count)
        return EBUSY;
    pl_changed();
    pl_sync_drop(s);
    return 0;
}

static void end_round(struct pl_sync *s)
{
    uint64_t others = s->waiters;
    for (uint64_t rest = others; rest; rest &= rest - 1)
        pl_clock_join(rt.thread[__builtin_ctzll(rest)].clock, s->release);
    pl_acquire(s->release);
    memset(s->release, 0, rt.width * sizeof *s->release);
    s->count = 0;
    pl_release_waiters(&s->waiters);
}

/* Under the explorer: arrivals are counted in part 0 and complete rounds in part 1, which the
 * threads of a round wait for. */
static int explored_wait(struct pl_sync *s, pthread_barrier_t *barrier, uint64_t pc)
{
    uint64_t needed = (uint64_t)s->extra[0];
    struct pl_model_step arrive = {
        .object = barrier, .op = PL_OP_ADD, .operand = 1, .order = PL_ORDER_ACQ_REL};
    uint64_t before = pl_model_object_update(&arrive, NULL, pc), round = before / needed;
    struct pl_model_step end = {.object = barrier,
                                .part = 1,
                                .operand = round + 1,
                                .expected = round + 1,
                                .order = PL_ORDER_RELEASE,
                                .await = PL_AWAIT_EQUAL,
                                .in = PL_EVENT_BARRIER};
    bool last = before % needed == needed - 1;
    if (last) {
        pl_model_object_write(&end, pc);
        s->mask64 = round + 1;
        pl_release_waiters(&s->waiters);
    } else {
        end.order = PL_ORDER_ACQUIRE;
        while (s->mask64 <= round) {
            s->waiters |= pl_self_bit();
            (void)pl_block(PL_EVENT_BARRIER, barrier, 0, pc);
        }
        (void)pl_model_object_read(&end, pc);
    }
    pl_trace(PL_EVENT_BARRIER_PASS, barrier, 0, pc);
    return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

PL_EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        return PTHREAD_BARRIER_SERIAL_THREAD;
    pl_point(pc);
    struct pl_sync *s = record(barrier, pc);
    if (s->extra[0] == 0) /* as glibc, which divides by it */
        pl_find_simple(PL_FINDING_CRASH, pc, SIGFPE, "the barrier was never initialised");
    pl_trace(PL_EVENT_BARRIER, barrier, 0, pc);
    pl_changed();
    if (rt.exploring)
        return explored_wait(s, barrier, pc);
    pl_release_join(s->release);
    if (++s->count >= s->extra[0]) {
        end_round(s);
        pl_trace(PL_EVENT_BARRIER_PASS, barrier, 0, pc);
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    s->waiters |= pl_self_bit();
    pl_block(PL_EVENT_BARRIER, barrier, 0, pc);
    pl_trace(PL_EVENT_BARRIER_PASS, barrier, 0, pc);
    return 0;
}
