/*
 * Who runs next. A thread hands over only here, before a visible operation or when
 * it blocks, so between two calls of these functions it is alone.
 *
 *   LIVE ──pl_block──▶ BLOCKED ──pl_wake──▶ LIVE ──pl_thread_finish──▶ FINISHED
 *                         └── time-out or spurious wake-up, if in rt.timed ──▶ LIVE
 *
 * Invariants:
 * I1  rt.enabled has a bit exactly for the LIVE threads; rt.timed only for BLOCKED
 *     ones that may go on by themselves.
 * I2  rt.self is the thread whose fiber runs, also while it looks for a successor.
 */
#include "runtime/harness.h"
#include "runtime/loops.h"
#include "runtime/model.h"
#include "runtime/point.h"
#include "runtime/station.h"

static uint64_t bit(uint32_t thread)
{
    return (uint64_t)1 << thread;
}

PL_COLD void pl_time_out(struct pl_thread *t)
{
    rt.timed &= ~bit(t->id);
    rt.enabled |= bit(t->id);
    t->state = PL_THREAD_LIVE;
    bool spurious = t->may_spurious && (!t->deadline || pl_choose(2) == 1);
    t->wake = spurious ? PL_SPURIOUS : PL_TIMED_OUT;
    if (!spurious && rt.now < t->deadline)
        rt.now = t->deadline;
}

/* Every 1024 steps: a sign of life for the tool, and the limit of steps. If nothing
 * has changed for half of it, nothing will: every thread that can run has run many
 * times. Otherwise it may only be slow, and no verdict is claimed. */
PL_COLD void pl_check_limit(uint64_t pc)
{
    if (rt.exploring) {
        pl_loops_end_trial();
        pl_model_settle();
    }
    rt.wire->heartbeat++;
    rt.next_check = rt.steps + 1024;
    if (rt.next_check > rt.max_steps)
        rt.next_check = rt.max_steps;
    if (rt.steps < rt.max_steps)
        return;
    if (rt.steps - rt.last_change > rt.max_steps / 2)
        pl_find_simple(PL_FINDING_HANG, pc, 0, "no thread changes anything any more");
    rt.wire->cut++;
    pl_leave();
}

__attribute__((noinline, optimize("optimize-sibling-calls"))) void pl_point(uint64_t pc)
{
    if (pl_unlikely(++rt.steps >= rt.next_check))
        pl_check_limit(pc);
    uint64_t candidates = rt.enabled | rt.timed;
    if (candidates & (candidates - 1)) {
        rt.self->blocked_pc = pc;
        pl_hand_over(candidates);
        pl_station_point(pc);
    }
}

void pl_yield(uint64_t pc)
{
    if (!rt.active || pl_unlikely(rt.exploring && pl_loops_try_pause()))
        return;
    if (pl_unlikely(++rt.steps >= rt.next_check))
        pl_check_limit(pc);
    pl_trace(PL_EVENT_YIELD, NULL, 0, pc);
    if (rt.exploring)
        return; /* every order is tried anyway, and this one may be that of a known graph */
    uint64_t others = (rt.enabled | rt.timed) & ~bit(rt.self->id);
    if (others) {
        rt.self->blocked_pc = pc;
        pl_hand_over(others);
    }
}

/* Nobody can go on: a finding, told by the thread that blocked last. */
PL_COLD static void deadlock(uint64_t pc)
{
    if (rt.exploring && !pl_model_stuck())
        pl_leave();
    pl_harness_stuck();
    bool spins = rt.exploring && pl_model_spins();
    pl_find_simple(spins ? PL_FINDING_LIVELOCK : PL_FINDING_DEADLOCK, pc, 0, NULL);
}

/* The threads that can go on after this one stopped. None and no deadlock: main is waiting for
 * just that, or a thread stands at a false assumption. */
static uint64_t who_can_go(void)
{
    uint64_t candidates = rt.enabled | rt.timed;
    if (!candidates && rt.exploring)
        candidates = pl_model_stir();
    if (candidates)
        return candidates;
    if (rt.main_waits) {
        if (rt.exploring && !pl_model_stuck())
            pl_leave();
        rt.main_waits = false;
        rt.thread[0].state = PL_THREAD_LIVE;
        return rt.enabled = 1;
    }
    if (rt.stopped)
        pl_leave();
    return 0;
}

void pl_let_others_finish(void)
{
    struct pl_thread *t = rt.self;
    if (!(rt.enabled & ~bit(t->id)) && !rt.timed && !(rt.exploring && pl_model_waits()))
        return;
    rt.main_waits = true;
    t->state = PL_THREAD_BLOCKED;
    t->blocked_in = PL_EVENT_EXIT;
    rt.enabled &= ~bit(t->id);
    pl_hand_over(who_can_go());
}

static enum pl_wake block(enum pl_event_kind in, const void *object, uint64_t deadline,
                          bool spurious, uint64_t pc)
{
    struct pl_thread *t = rt.self;
    if (pl_unlikely(++rt.steps >= rt.next_check))
        pl_check_limit(pc);
    if (pl_unlikely(rt.tracing))
        pl_trace_slow(PL_EVENT_BLOCKED, object, 0, PL_ORDER_NONE, in, 0, 0, pc);
    t->state = PL_THREAD_BLOCKED;
    t->blocked_in = (uint8_t)in;
    t->blocked_on = (uint64_t)object;
    t->blocked_pc = pc;
    t->deadline = deadline;
    t->may_spurious = spurious;
    rt.enabled &= ~bit(t->id);
    if (rt.exploring)
        pl_model_blocked();
    if (deadline || spurious)
        rt.timed |= bit(t->id);
    uint64_t candidates = who_can_go();
    if (!candidates)
        deadlock(pc);
    /* Spurious wake-ups are allowed, not promised: with nobody else left it is a deadlock. */
    if (!rt.enabled) {
        uint64_t promised = 0;
        for (uint64_t left = rt.timed; left; left &= left - 1) {
            unsigned i = (unsigned)__builtin_ctzll(left);
            promised |= rt.thread[i].deadline ? bit(i) : 0;
        }
        if (!promised)
            deadlock(pc);
    }
    pl_hand_over(candidates);
    rt.pc = pc;
    return t->wake;
}

enum pl_wake pl_block(enum pl_event_kind in, const void *object, uint64_t deadline, uint64_t pc)
{
    return block(in, object, deadline, false, pc);
}

enum pl_wake pl_block_spurious(enum pl_event_kind in, const void *object, uint64_t deadline,
                               uint64_t pc)
{
    return block(in, object, deadline, rt.options->spurious, pc);
}

void pl_wake(uint32_t thread)
{
    struct pl_thread *t = &rt.thread[thread];
    if (t->state != PL_THREAD_BLOCKED)
        return;
    t->state = PL_THREAD_LIVE;
    t->wake = PL_WOKEN;
    rt.timed &= ~bit(thread);
    rt.enabled |= bit(thread);
}

void pl_wake_all(uint64_t threads)
{
    for (; threads; threads &= threads - 1)
        pl_wake((uint32_t)__builtin_ctzll(threads));
}

/* The running thread has finished: somebody else, if there is anybody. */
void pl_switch_away(void)
{
    uint64_t candidates = who_can_go();
    if (!candidates) {
        for (uint32_t i = 0; i < rt.nthreads; i++)
            if (rt.thread[i].state == PL_THREAD_BLOCKED)
                deadlock(rt.thread[i].blocked_pc);
        pl_end_execution(0); /* main left by pthread_exit and was not the last */
    }
    pl_hand_over(candidates);
    __builtin_unreachable();
}

unsigned pl_choose(unsigned n)
{
    if (n < 2)
        return 0;
    unsigned answer = rt.strategy->choose(rt.strategy, n);
    if (pl_unlikely(rt.tracing))
        pl_trace_choice(answer);
    return answer;
}

unsigned pl_choose_bit(uint64_t set)
{
    unsigned skip = pl_choose((unsigned)__builtin_popcountll(set));
    while (skip--)
        set &= set - 1;
    return (unsigned)__builtin_ctzll(set);
}
