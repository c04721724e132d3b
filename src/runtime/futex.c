/*
 * Futexes: wait, wake, requeue, with bit sets, and wake-op.
 *
 *   record: waiters     threads blocked on the word
 *   bits[t], word[t]    of a blocked thread t: its bit set, the word it is queued on
 *
 * The comparison of a wait and its blocking are one step. A wake takes any of the
 * waiters and orders nothing: the program's own atomics on the word do. A requeued
 * thread stays blocked where it is, and its new word is what counts.
 */
#include "runtime/futex.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>

#include "runtime/model.h"
#include "runtime/objects.h"
#include "runtime/station.h"

static uint32_t bits[PL_MAX_THREADS];
static uint32_t *word[PL_MAX_THREADS];
static bool used; /* since the process started */

void pl_futex_keep(void)
{
    if (pl_likely(!used))
        return;
    pl_keep(bits, rt.nthreads * sizeof *bits);
    pl_keep(word, rt.nthreads * sizeof *word);
}

/* Waiters of the word whose bits meet `set`. */
static uint64_t matching(const struct pl_sync *s, uint32_t set)
{
    uint64_t found = 0;
    for (uint64_t rest = s->waiters; rest; rest &= rest - 1) {
        unsigned thread = (unsigned)__builtin_ctzll(rest);
        if (bits[thread] & set)
            found |= UINT64_C(1) << thread;
    }
    return found;
}

static struct pl_sync *record(uint32_t *address, uint64_t pc)
{
    return pl_sync_object(PL_SYNC_FUTEX, address, pc, NULL);
}

/* ---- under the explorer ----
 * As the kernel has it: comparing and entering is one step under a lock of the word, and so is
 * each wake; the lock synchronises, so a wait that comes after a wake sees what was written
 * before it. And there is a full barrier in each (A and B of the kernel's futex core): in a wait
 * between what its caller did before and the look at the word, in a wake before the look for
 * waiters. So who counts himself as waiting first, and who changes the word and then asks for that
 * count, both seq_cst, do not miss each other. */

static long explored_wait(uint32_t *address, uint32_t expected, uint32_t set, bool timed,
                          uint64_t pc)
{
    unsigned self = rt.self->id;
    pl_model_enter(address, false, pc);
    pl_model_fence(PL_ORDER_SEQ_CST, pc);
    if (pl_model_load((uint64_t)address, 4, PL_ORDER_RELAXED, pc) != expected) {
        pl_model_exit(address, pc);
        return -EAGAIN;
    }
    used = true;
    bits[self] = set;
    word[self] = address;
    record(address, pc)->waiters |= pl_self_bit();
    pl_model_exit(address, pc);
    pl_trace(PL_EVENT_FUTEX_WAIT, address, expected, pc);
    if (!timed || pl_model_choose(2, pc) == 0) {
        pl_model_sleep(address, PL_EVENT_FUTEX_WAIT, timed, pc);
        return 0;
    }
    pl_model_enter(address, false, pc);
    struct pl_sync *s = record(address, pc);
    if (!(s->waiters & pl_self_bit()))
        pl_stop(); /* it was woken first: as if it had waited for that */
    s->waiters &= ~pl_self_bit();
    pl_model_exit(address, pc);
    return -pl_timed_out(address, pc);
}

static long explored_wake(uint32_t *address, uint32_t limit, uint32_t set, uint64_t pc)
{
    pl_model_fence(PL_ORDER_SEQ_CST, pc);
    pl_model_enter(address, false, pc);
    struct pl_sync *s = record(address, pc);
    long woken = 0;
    for (uint64_t found = matching(s, set); found && woken < (long)limit; woken++) {
        bool all = (long)limit - woken >= __builtin_popcountll(found);
        if (!all)
            pl_point(pc);
        unsigned thread = all ? (unsigned)__builtin_ctzll(found) : pl_choose_bit(found);
        found &= ~(UINT64_C(1) << thread);
        s->waiters &= ~(UINT64_C(1) << thread);
        pl_model_rouse(thread, pc);
    }
    pl_model_exit(address, pc);
    pl_trace(PL_EVENT_FUTEX_WAKE, address, (uint64_t)woken, pc);
    return woken;
}

static long wait_on(uint32_t *address, uint32_t expected, uint32_t set, uint64_t deadline,
                    uint64_t pc)
{
    struct pl_sync *s = record(address, pc);
    if (rt.exploring)
        return explored_wait(address, expected, set, deadline != 0, pc);
    if (__atomic_load_n(address, __ATOMIC_RELAXED) != expected)
        return -EAGAIN;
    unsigned self = rt.self->id;
    used = true;
    bits[self] = set;
    word[self] = address;
    s->waiters |= pl_self_bit();
    pl_trace(PL_EVENT_FUTEX_WAIT, address, expected, pc);
    if (pl_block(PL_EVENT_FUTEX_WAIT, address, deadline, pc) != PL_TIMED_OUT)
        return 0;
    s = pl_sync_find(PL_SYNC_FUTEX, word[self]); /* perhaps requeued */
    if (s)
        s->waiters &= ~pl_self_bit();
    return -pl_timed_out(address, pc);
}

/* The kernel looks at the limit after each: a negative one wakes one. */
static long wake(uint32_t *address, uint32_t limit, uint32_t set, uint64_t pc)
{
    if (limit > INT_MAX)
        limit = 1;
    struct pl_sync *s = record(address, pc);
    if (rt.exploring)
        return explored_wake(address, limit, set, pc);
    long woken = 0;
    for (uint64_t found = matching(s, set); found && woken < (long)limit; woken++) {
        unsigned thread = pl_choose_bit(found);
        found &= ~(UINT64_C(1) << thread);
        s->waiters &= ~(UINT64_C(1) << thread);
        pl_wake(thread);
        pl_changed();
    }
    pl_trace(PL_EVENT_FUTEX_WAKE, address, (uint64_t)woken, pc);
    return woken;
}

static long requeue(uint32_t *from, uint32_t *to, uint32_t limit, uint64_t pc)
{
    struct pl_sync *target = record(to, pc), *source = record(from, pc);
    long moved = 0;
    for (; from != to && source->waiters && moved < (long)limit; moved++) {
        unsigned thread = pl_choose_bit(source->waiters);
        source->waiters &= ~(UINT64_C(1) << thread);
        target->waiters |= UINT64_C(1) << thread;
        word[thread] = to;
        rt.thread[thread].blocked_on = (uint64_t)to;
        pl_changed();
    }
    return moved;
}

/* The operation and comparison packed in value3 of FUTEX_WAKE_OP. */
static bool apply(uint32_t *address, uint32_t packed)
{
    int argument = (int)(packed << 8) >> 20, against = (int)(packed << 20) >> 20;
    if (packed >> 28 & FUTEX_OP_OPARG_SHIFT)
        argument = 1 << (argument & 31);
    int old = (int)*address;
    switch (packed >> 28 & 7) {
    case FUTEX_OP_SET:
        *address = (uint32_t)argument;
        break;
    case FUTEX_OP_ADD:
        *address = (uint32_t)old + (uint32_t)argument;
        break;
    case FUTEX_OP_OR:
        *address |= (uint32_t)argument;
        break;
    case FUTEX_OP_ANDN:
        *address &= ~(uint32_t)argument;
        break;
    case FUTEX_OP_XOR:
        *address ^= (uint32_t)argument;
        break;
    default:
        break;
    }
    pl_changed();
    switch (packed >> 24 & 15) {
    case FUTEX_OP_CMP_EQ:
        return old == against;
    case FUTEX_OP_CMP_NE:
        return old != against;
    case FUTEX_OP_CMP_LT:
        return old < against;
    case FUTEX_OP_CMP_LE:
        return old <= against;
    case FUTEX_OP_CMP_GT:
        return old > against;
    case FUTEX_OP_CMP_GE:
        return old >= against;
    default:
        return false;
    }
}

/* FUTEX_WAIT takes a relative time, FUTEX_WAIT_BITSET an absolute one. 0 is for ever. */
static uint64_t deadline_of(const struct timespec *time, int command, bool realtime)
{
    if (!time)
        return 0;
    if (command == FUTEX_WAIT_BITSET)
        return pl_deadline(realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC, time);
    uint64_t seconds = (uint64_t)time->tv_sec, latest = UINT64_MAX / 2;
    if (seconds > latest / 1000000000u)
        return latest;
    return rt.now + seconds * 1000000000u + (uint64_t)time->tv_nsec + 1;
}

static long wait_checked(uint32_t *address, int command, bool realtime, uint32_t value,
                         const struct timespec *time, uint32_t set, uint64_t pc)
{
    pl_reads(time, sizeof *time, pc);
    if (time && (!pl_nanoseconds_valid(time) || time->tv_sec < 0))
        return -EINVAL;
    if (set == 0)
        return -EINVAL;
    if (!rt.active) /* nobody else is there to change the word: as if woken for no reason */
        return *address != value ? -EAGAIN : time ? -ETIMEDOUT : -EINTR;
    return wait_on(address, value, set, deadline_of(time, command, realtime), pc);
}

/* Wake some, then move the rest or change another word. */
static long wake_two(uint32_t *address, int command, uint32_t value, uint32_t value2,
                     uint32_t *address2, uint32_t value3, uint64_t pc)
{
    if (value > INT_MAX || (value2 > INT_MAX && command != FUTEX_WAKE_OP))
        return -EINVAL;
    if (rt.exploring)
        pl_unsupported("futexes that requeue or wake with an operation are not explored; plumb run "
                       "takes them",
                       pc);
    if (command == FUTEX_WAKE_OP) {
        record(address2, pc);
        bool also = apply(address2, value3);
        long woken = wake(address, value, FUTEX_BITSET_MATCH_ANY, pc);
        return also ? woken + wake(address2, value2, FUTEX_BITSET_MATCH_ANY, pc) : woken;
    }
    if (command == FUTEX_CMP_REQUEUE && __atomic_load_n(address, __ATOMIC_RELAXED) != value3)
        return -EAGAIN;
    long woken = wake(address, value, FUTEX_BITSET_MATCH_ANY, pc);
    return woken + requeue(address, address2, value2, pc);
}

long pl_futex(uint32_t *address, int operation, uint32_t value, const void *timespec_or_value2,
              uint32_t *address2, uint32_t value3, uint64_t pc)
{
    int command = operation & FUTEX_CMD_MASK;
    bool realtime = operation & FUTEX_CLOCK_REALTIME;
    if ((uint64_t)address & 3)
        return -EINVAL;
    if (rt.active)
        pl_point(pc);
    switch (command) {
    case FUTEX_WAIT:
        value3 = FUTEX_BITSET_MATCH_ANY;
        /* fallthrough */
    case FUTEX_WAIT_BITSET:
        return wait_checked(address, command, realtime, value, timespec_or_value2, value3, pc);
    case FUTEX_WAKE:
        value3 = FUTEX_BITSET_MATCH_ANY;
        /* fallthrough */
    case FUTEX_WAKE_BITSET:
        if (value3 == 0)
            return -EINVAL;
        return rt.active ? wake(address, value, value3, pc) : 0;
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
    case FUTEX_WAKE_OP:
        if (!rt.active)
            return 0;
        return wake_two(address, command, value, (uint32_t)(uintptr_t)timespec_or_value2, address2,
                        value3, pc);
    case FUTEX_LOCK_PI:
    case FUTEX_LOCK_PI2:
    case FUTEX_TRYLOCK_PI:
    case FUTEX_UNLOCK_PI:
    case FUTEX_WAIT_REQUEUE_PI:
    case FUTEX_CMP_REQUEUE_PI:
        pl_unsupported("a futex operation with priority inheritance: not supported", pc);
    default:
        return -ENOSYS;
    }
}
