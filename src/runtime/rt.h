/*
 * The machine the subject runs on: what its parts share.
 *
 * One OS thread. Every thread of the subject is a fiber with its own stack and
 * its own thread-local storage; a switch happens only inside the functions
 * declared here. The engine (engine.c) runs on the stack of the process, starts
 * an execution from a reset, and gets control back when the execution ends or is
 * abandoned.
 *
 *   process stack: engine ──run──▶ fiber 0 (main) ⇄ fiber 1 ⇄ fiber 2 …
 *                         ◀─end───  (pl_end_execution, pl_found, crash)
 *
 * Invariants:
 * I1  Nothing here allocates from libc, formats text or makes a system call on
 *     the path of an ordinary step.
 * I2  All state of the runtime is in `rt` or in memory mapped by it, never in the
 *     subject's data, heap or thread-locals: a reset cannot touch it.
 * I3  Per-execution state is invalidated by incrementing rt.generation (cells) or
 *     by resetting a bump pointer; a reset is O(what was touched).
 * I4  rt.active is true exactly while fiber code of an execution may run; every
 *     entry point called while it is false does the plain native thing.
 */
#ifndef PL_RUNTIME_RT_H
#define PL_RUNTIME_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explore/target.h"
#include "result/layout.h"
#include "result/wire.h"

/* Never inlined: PL_CALLER must be the caller's own address, also when we call it. (For the
 * same reason the runtime is compiled without sibling calls.) */
#define PL_EXPORT __attribute__((visibility("default"), noinline))
#define PL_HOT    __attribute__((hot))
#define PL_INLINE __attribute__((always_inline)) static inline
#define PL_COLD   __attribute__((cold, noinline))
/* A variable of the runtime that changes in the course of an execution, and is kept by a station
 * (station.h). */
#define PL_STATE       __attribute__((section("pl_state")))
#define pl_likely(x)   __builtin_expect(!!(x), 1)
#define pl_unlikely(x) __builtin_expect(!!(x), 0)
/* The code address that called the exported function we are in. */
#define PL_CALLER ((uint64_t)__builtin_return_address(0))

/* ---- vector clocks (signed so that the loops vectorise on plain x86-64) ---- */
typedef int32_t pl_tick;
enum { PL_TICK_BITS = 26 };
#define PL_TICK_MASK ((1u << PL_TICK_BITS) - 1)

/* ---- threads ---- */
enum pl_thread_state { PL_THREAD_UNUSED, PL_THREAD_LIVE, PL_THREAD_BLOCKED, PL_THREAD_FINISHED };
enum pl_wake { PL_WOKEN, PL_TIMED_OUT, PL_SPURIOUS };

struct pl_thread {
    void *sp;               /* of the parked fiber */
    uint64_t tp;            /* thread pointer: its pthread_t, too */
    uint64_t float_control; /* of the parked fiber, if they are kept apart */
    uint32_t id;            /* 0 is main */
    uint32_t epoch;         /* id << PL_TICK_BITS | own tick: what cells record */
    uint8_t state;          /* enum pl_thread_state */
    uint8_t wake;           /* enum pl_wake: how the last pl_block ended */
    uint8_t blocked_in;     /* enum pl_event_kind, while blocked */
    uint8_t detached;
    uint8_t joined;
    uint8_t exiting;      /* pthread_exit under way */
    uint8_t has_woken;    /* under the explorer: for no reason, which a thread does once */
    uint8_t may_spurious; /* while blocked: the time-out of it is a spurious wake-up */
    uint8_t has_release_fence, has_acquire_pending;
    uint32_t risky;      /* the tick of its last access that others could race with: left_out.h */
    uint8_t loose;       /* under the explorer: it knows more than happens before, see left_out.h */
    uint64_t blocked_on; /* address of the object */
    uint64_t blocked_pc;
    uint64_t deadline; /* virtual ns, while in rt.timed */
    uint32_t creator;
    uint64_t joiners; /* bit per thread blocked in a join of this one */
    uint32_t joins;   /* 1 + the thread for whose end it is about to wait, 0 = none */
    void *(*start)(void *);
    void *argument;
    void *result;
    void *c_cleanup; /* chain of pthread_cleanup_push buffers */
    void *cxx_exit;  /* chain of thread_local destructors */
    uint32_t stack_kib;
    _Alignas(16) pl_tick clock[PL_MAX_THREADS]; /* what happens before its next event */
    _Alignas(16) pl_tick
        acquire_pending[PL_MAX_THREADS]; /* gathered by relaxed loads, for an acquire fence */
    _Alignas(16) pl_tick release_fence[PL_MAX_THREADS]; /* at its last release fence */
};

/* ---- modelled objects and atomics: one record per address and execution ---- */
enum pl_sync_kind {
    PL_SYNC_ATOMIC,
    PL_SYNC_WIDE, /* half of an atomic of 16 bytes, while exploring: atomic.c */
    PL_SYNC_MUTEX,
    PL_SYNC_COND,
    PL_SYNC_RWLOCK,
    PL_SYNC_SPIN,
    PL_SYNC_BARRIER,
    PL_SYNC_SEM,
    PL_SYNC_FUTEX,
    PL_SYNC_ONCE,
    PL_SYNC_GUARD,
};

struct pl_sync {
    uint32_t next; /* chain of the cell: index into the pool, 0 ends it */
    uint8_t kind;  /* enum pl_sync_kind */
    uint8_t mask;  /* bytes of the granule (atomics) */
    uint8_t flags; /* of the object's own file */
    uint8_t type;  /* of the object's own file: mutex kind, clock, … */
    uint64_t address;
    uint64_t waiters;       /* bit per thread blocked here */
    int32_t owner;          /* 1 + thread, 0 = free */
    int32_t count;          /* recursion, semaphore value, arrived at the barrier, readers */
    int32_t extra[4];       /* of the object's own file */
    uint64_t mask64;        /* of the object's own file: set of readers, signalled threads, … */
    int32_t release_thread; /* 1 + thread whose release store heads `release`, 0 = none */
    uint32_t saved;         /* atomics: chain of release clocks of other threads' heads */
    /* rt.width ticks: what an acquirer synchronises with. Behind them, likewise: */
    _Alignas(16) pl_tick release[];
};
#define PL_SYNC_READ(s)       ((s)->release + rt.width) /* own tick of each thread's last read */
#define PL_SYNC_WRITTEN(s)    ((s)->release + 2 * rt.width) /* likewise write */
#define PL_SYNC_READ_PC(s)    ((uint32_t *)((s)->release + 3 * rt.width))
#define PL_SYNC_WRITTEN_PC(s) ((uint32_t *)((s)->release + 4 * rt.width))

/* ---- the whole ---- */
struct pl_rt {
    /* hot */
    union {
        struct {
            bool active;    /* I4 */
            bool tracing;   /* second run of an execution with a finding: record events */
            bool exploring; /* every execution, under a memory model: model.c */
            uint8_t races;  /* enum pl_races */
        };
        uint32_t mode; /* all of them, for one test: PL_MODE_… */
    };
    uint32_t generation; /* I3 */
    uint32_t width;      /* ticks in use per clock: 4, 8, 16, 32 or 64 */
    bool volatile_plain;
    bool learns_races;      /* --races=allow while exploring: model_plain.c */
    struct pl_thread *self; /* the running thread */
    uint64_t enabled;       /* bit per thread that can go on */
    uint64_t timed;         /* bit per blocked thread that may time out or wake spuriously */
    uint64_t steps, max_steps;
    uint64_t next_check;  /* step at which the limit is looked at again */
    uint64_t last_change; /* step of the last change to memory or to an object */
    struct pl_strategy *strategy;
    struct pl_random *random; /* the same, if it is this one: see target.h */
    struct pl_wire *wire;
    uint32_t nthreads; /* created in this execution */
    uint32_t cells;    /* touched in this execution: shadow.h */
    bool unkept;       /* something has changed that a station does not keep */
    uint64_t now;      /* virtual clock, ns since start */
    uint64_t pc;       /* caller of the runtime function under way (for faults inside it) */

    /* cold */
    struct pl_wire_options *options;
    struct pl_thread thread[PL_MAX_THREADS];
    uint64_t execution, seed;
    int exit_status;
    uint8_t shows;    /* the run traced now is shown as this, at its end; enum pl_finding_kind */
    bool expect_hang; /* the run traced now ended in a hang of time */
    bool main_waits;  /* in pl_let_others_finish */
    bool stopped;     /* a thread stands at a false assumption: this execution does not count */
    bool restart;     /* the execution starts over, with wider clocks */
    bool looks;       /* for a finding that there is already, under sc */
    uint64_t main_tp;
    uint64_t text_start, text_end;       /* of libplumb_rt.so */
    uint64_t program_start, program_end; /* of the subject's executable, all segments */
    uint64_t libc_start, libc_end;       /* of the C library */
};
extern struct pl_rt rt;

/* The bytes of rt.mode that matter, and what they are on the ordinary way: active, not tracing,
 * not exploring, (plain accesses) races reported. */
enum { PL_MODE_ATOMIC = 0x00ffffff, PL_MODE_PLAIN = 0x7fffffff, PL_MODE_ORDINARY = 1 };
_Static_assert(PL_RACES_REPORT == 0, "as in the enum above");

/* ---- scheduling (sched.c) ----
 * pl_point(pc) comes before every visible operation: another thread may run first.
 * After it, until the next pl_point/pl_block/pl_yield, the thread is alone. */
PL_HOT void pl_point(uint64_t pc);
void pl_yield(uint64_t pc); /* as pl_point, but others first */
/* Blocks the running thread on `object` until pl_wake() or, if deadline != 0, a
 * time-out (a nondeterministic outcome: it may come at any moment). Returns how it
 * ended. The caller has entered itself in the object's waiters and takes itself
 * out after a time-out. Never returns when nobody can go on: a deadlock is found. */
enum pl_wake pl_block(enum pl_event_kind in, const void *object, uint64_t deadline, uint64_t pc);
/* As pl_block without deadline, but may also return PL_SPURIOUS if --spurious. */
enum pl_wake pl_block_spurious(enum pl_event_kind in, const void *object, uint64_t deadline,
                               uint64_t pc);
void pl_wake(uint32_t thread);
void pl_wake_all(uint64_t threads);
unsigned pl_choose(unsigned n);       /* a nondeterministic choice below n (n == 1 asks nobody) */
unsigned pl_choose_bit(uint64_t set); /* one of the set bits */
/* Main is about to end the program: what the others would still do could as well have come
 * before. Returns when none of them can go on. */
void pl_let_others_finish(void);
_Noreturn void
pl_stop(void); /* assume.c: the thread goes no further, and the execution counts not */
_Noreturn void pl_end_execution(int status); /* main returned or exit was called */

/* ---- happens-before (clock.c) ---- */
void pl_acquire(const pl_tick *from); /* running thread joins it */
void pl_release_to(pl_tick *to);      /* to := clock of the running thread; then its epoch ends */
void pl_release_join(pl_tick *to);    /* to := to ⊔ clock; then its epoch ends */
void pl_clock_copy(pl_tick *to, const pl_tick *from);
void pl_clock_join(pl_tick *to, const pl_tick *from);
pl_tick *pl_clock_new(void); /* zeroed, lives until the end of the execution */

/* ---- records of objects (sync.c) ----
 * The object at an address, made on first use (made: *fresh = true, counters zero).
 * An object of another kind at the same address is replaced. Checks that the
 * memory is valid (use after free of a mutex is found here). */
struct pl_sync *pl_sync_object(enum pl_sync_kind kind, const void *address, uint64_t pc,
                               bool *fresh);
struct pl_sync *pl_sync_find(enum pl_sync_kind kind, const void *address); /* or NULL */
void pl_sync_drop(struct pl_sync *object); /* destroyed: the next use makes a new one */

/* ---- memory accesses by code the compiler did not instrument (access.c) ----
 * Calls of libc functions made by the subject: checked for validity and races. */
void pl_read_range(const void *address, size_t size, uint64_t pc);
void pl_write_range(const void *address, size_t size, uint64_t pc);
/* memcpy/memmove: as the two above, and undefined bytes stay undefined, silently. */
void pl_copy_range(void *to, const void *from, size_t size, uint64_t pc);
/* Is this call made by the subject's own (instrumented) code, inside an execution? */
static inline bool pl_from_subject(uint64_t pc)
{
    return rt.active && pc - rt.program_start < rt.program_end - rt.program_start;
}

/* ---- findings (finding.c) ---- */
struct pl_found {
    enum pl_finding_kind kind;
    uint32_t flags;
    uint64_t address, size, pc;
    uint64_t other_pc;
    uint32_t other_thread;
    uint64_t block; /* start of the heap block concerned */
    uint32_t code;
    const char *text;
};
/* Ends the execution with a finding. Does not return, except for a suppressed race. */
void pl_find(const struct pl_found *found);
_Noreturn void pl_find_simple(enum pl_finding_kind kind, uint64_t pc, uint32_t code,
                              const char *text);
/* The subject asks for something we cannot do: verdict error. `sentence` is constant text. */
_Noreturn void pl_unsupported(const char *sentence, uint64_t pc);

/* ---- the trace (trace.c): only while rt.tracing ---- */
void pl_trace_slow(enum pl_event_kind kind, const void *address, uint32_t size,
                   enum pl_memory_order order, uint64_t value, uint64_t value2, uint8_t flags,
                   uint64_t pc);
static inline void pl_trace(enum pl_event_kind kind, const void *address, uint64_t value,
                            uint64_t pc)
{
    if (pl_unlikely(rt.tracing))
        pl_trace_slow(kind, address, 0, PL_ORDER_NONE, value, 0, PL_EVENT_F_VALUE, pc);
}

/* ---- threads (thread.c, fiber.c) ---- */
struct pl_thread *pl_thread_of(uint64_t pthread_handle); /* NULL if there is none */
int pl_thread_create(uint64_t *handle, size_t stack_bytes, bool detached, void *(*start)(void *),
                     void *argument, uint64_t pc);
int pl_thread_join(uint64_t handle, void **result, uint64_t deadline, bool try_only, uint64_t pc);
_Noreturn void pl_thread_exit(void *result, uint64_t pc);
/* Runs when a thread's function has returned, on its fiber: key destructors and
 * thread_local destructors (keys.c). */
void pl_keys_run_destructors(void);
void pl_keys_reset(void); /* at the start of an execution */

/* ---- time (clock_virtual.c in libc files) ---- */
uint64_t pl_deadline(int clock, const void *timespec_absolute); /* to virtual ns; never 0 */

/* ---- the real functions behind the ones we replace ---- */
void *pl_real(const char *name); /* dlsym(RTLD_NEXT); looked up at start, never in a step */
#define PL_REAL(type, name) (__extension__(type *) pl_real(name))

/* ---- heap (heap.c) ---- */
void pl_heap_snapshot(void); /* what is allocated now is there at the start of every execution */
struct pl_block_info {
    uint64_t start, size;
    uint32_t epoch; /* of the thread that it was given to, then; 0: before main, or it is freed */
    bool freed;
};
bool pl_heap_block(uint64_t address, struct pl_block_info *out); /* slow: for findings */
/* Which allocation (pl_harness_allocates) the block is of that has the address, and where in it;
 * 0: none. Slow: for responses. */
uint16_t pl_heap_made(uint64_t address, uint64_t *offset);
/* Whose arena an address is in, and where there; false: in no thread's. */
uint64_t pl_heap_keep(void);        /* station.h; returns the arenas, */
void pl_heap_kept(uint64_t arenas); /* which are now those of this execution */
bool pl_heap_place(uint64_t address, uint32_t *thread, uint64_t *offset);
bool pl_pool_block(uint64_t address, struct pl_block_info *out); /* pool.c: of the subject's own */
void pl_pool_reset(void);
void pl_pool_keep(void); /* station.h */
void pl_pool_forget(uint64_t start, uint64_t size);
void pl_heap_mark_roots(uint64_t start, uint64_t end); /* what is pointed to from here is no leak */
void pl_heap_check_leaks(void);

/* ---- reset (reset.c) ---- */
void pl_track_region(void *start, size_t bytes); /* content restored at every reset */
bool pl_track_fault(uint64_t address); /* a write fault we asked for? then the write may go on */
void pl_track_concurrently(bool is);   /* while a second OS thread starts */
void pl_reset_snapshot(void);
void pl_reset_mark_roots(void); /* the data of the program and its libraries */
void pl_reset(void);
/* What one puts back anew at a station, too: all that a station does not keep (rt.unkept). */
void pl_reset_rest(void);
void pl_reset_keep(void);              /* station.h: the data of the program and its libraries */
unsigned pl_reset_dirties(void);       /* how many pages that takes; */
void pl_reset_later(unsigned dirties); /* those that have come since are as they were */
void pl_reset_adopt(unsigned dirties); /* or stay as they are, from now on */

/* ---- the processor (arch_x86_64.c) ---- */
void pl_arch_init(void);
void pl_arch_switch(struct pl_thread *from, const struct pl_thread *to);
/* The thread's first switch begins with a call of entry on the empty stack. */
void pl_arch_fiber(struct pl_thread *t, void *stack_top, void (*entry)(void));
/* The running fiber as it is, to come back to: pl_arch_keep returns 0, and 1 once more for each
 * pl_arch_back, with the stack as it was; -1 if the stack is larger than `room`. */
enum { PL_KEPT_BYTES = 8192 };
struct pl_kept {
    void *sp;
    uint64_t top, room; /* the caller says: where the stack begins, PL_KEPT_BYTES */
    uint8_t copy[PL_KEPT_BYTES];
};
int pl_arch_keep(struct pl_kept *k) __attribute__((returns_twice));
_Noreturn void pl_arch_back(const struct pl_kept *k);
uint64_t pl_arch_tp(void);
void pl_arch_set_tp(uint64_t tp);
uint64_t pl_arch_fault_pc(void *ucontext, uint64_t fault_address); /* repairs a jump to nowhere */
void pl_arch_patch_pauses(void);
bool pl_arch_is_pause_trap(void *ucontext);

/* ---- fibers (fiber.c) ---- */
void pl_fiber_init(void);
void pl_fiber_snapshot(void);
void pl_fiber_run(void); /* from the engine into rt.self, until pl_leave() */
void pl_fiber_reset(struct pl_thread *t, size_t stack_bytes, void (*entry)(void));
uint64_t pl_fiber_top(const struct pl_thread *t); /* where its stack begins */
_Noreturn void pl_leave(void);                    /* from a fiber back to the engine, for good */

void pl_fiber_keep(void); /* station.h: stacks and thread-locals of those who are not over */
/* From a fiber to the engine and back: pl_station_make() is called there. */
void pl_fiber_stop(void);

/* ---- crashes of the subject (crash.c) ---- */
void pl_crash_init(void);

/* ---- threads at start and end of an execution (thread.c) ---- */
void pl_thread_start_main(void (*entry)(void));
void pl_thread_finish(void); /* of the running thread; does not return */
void pl_thread_init(struct pl_thread *t, uint32_t id);
void pl_switch_away(void); /* the running thread is blocked or finished: somebody else */

/* ---- traces (trace.c) ---- */
void pl_trace_prepare(void); /* before the state is kept that executions start from */
void pl_trace_begin(uint64_t from_step);
uint32_t pl_trace_stack(void);        /* of the running fiber: index into the wire's stacks */
uint32_t pl_trace_walk(uint64_t *pc); /* the same into pc[PL_MAX_DEPTH]; returns the depth */
void pl_trace_finish(struct pl_wire_finding *f); /* hands the events over */
uint32_t pl_trace_last(uint32_t thread, uint64_t address, uint64_t pc, uint64_t kinds);
const struct pl_wire_event *pl_trace_event(uint32_t number); /* 1-based */
void pl_trace_choice(unsigned answer);
uint32_t pl_trace_count(void); /* events so far: the number of the last one, from 1 */
void pl_trace_set_from(uint32_t number, bool stale); /* what the last event, a read, reads */

/* ---- memory of the runtime itself ---- */
void *pl_map(size_t bytes); /* anonymous, zeroed, never given back; start-up only */

#endif
