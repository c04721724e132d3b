/*
 * Stacks and thread-local storage of fibers.
 *
 * A fiber's thread-local block is a real one: that of a parked OS thread that never
 * runs again, so libc finds a proper control block behind the thread pointer. The
 * blocks lie at fixed addresses because we give the parked threads their stacks.
 *
 *   PL_TLS + i * stride:    [ … unused stack … | static TLS | control block ]
 *                                              ▲ tls_low    ▲ tp
 *   PL_STACKS + i * stride: [ no access … | guard | stack of fiber i ]
 *
 * Invariants:
 * I1  Block 0 takes over the process's own block before the constructors of the
 *     program run, so nothing of the subject ever points into the old one.
 * I2  A parked thread has every signal blocked and only waits.
 */
#include <errno.h>
#include <link.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/rt.h"
#include "runtime/station.h"

static struct {
    uint64_t tp;
    uint8_t *image;     /* content of the block at the start of a thread */
    size_t stack_bytes; /* accessible part of the stack */
    int parked;         /* the kernel's id of the parked thread */
} slot[PL_MAX_THREADS];
/* Made before the snapshot: a slot made later leaves its mark in libc's data for good. */
enum { READY_SLOTS = 4 };
static size_t tls_bytes;        /* of static TLS below tp, the same for every thread */
static size_t thread_id;        /* which word of the control block; 0: not yet known */
static struct pl_thread engine; /* only what a switch keeps */

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* ---- thread-local blocks ---- */

static int lowest_tls(struct dl_phdr_info *info, size_t size, void *low)
{
    (void)size;
    uint64_t data = (uint64_t)info->dlpi_tls_data, *lowest = low;
    if (data && data < *lowest && pl_arch_tp() - data < PL_TLS_STRIDE)
        *lowest = data;
    return 0;
}

struct parking {
    uint64_t tp, low;
    int tid;
    volatile int parked;
};

static void *park(void *argument)
{
    struct parking *p = argument;
    p->tp = p->low = pl_arch_tp();
    dl_iterate_phdr(lowest_tls, &p->low);
    p->tid = (int)syscall(SYS_gettid);
    __atomic_store_n(&p->parked, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &p->parked, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    static int never;
    for (;;)
        syscall(SYS_futex, &never, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    return NULL;
}

static int32_t *word(uint64_t tp, size_t i)
{
    return &((int32_t *)tp)[i];
}

/*
 * libc keeps the kernel's thread id in the control block and sends signals (raise) to it:
 * every block must name the one thread that runs. The place is the one that holds the right
 * id in every block there is. One block alone would not do: half of a pointer can be any id.
 */
static void find_thread_id(int running)
{
    enum { WORDS = 2304 / 4 };
    for (thread_id = 1; thread_id < WORDS; thread_id++) {
        bool fits = *word(pl_arch_tp(), thread_id) == running;
        for (uint32_t i = 0; i < READY_SLOTS; i++)
            fits = fits && *word(slot[i].tp, thread_id) == slot[i].parked;
        if (fits)
            return;
    }
    pl_unsupported("this libc's place for a thread's id is not known", 0);
}

static void make_slot(uint32_t i)
{
    bool was_active = rt.active;
    rt.active = false; /* libc's own allocations for the thread outlive the execution */
    unsigned dirties = pl_reset_dirties();
    pl_track_concurrently(true);
    create_function *create = PL_REAL(create_function, "pthread_create");
    struct parking p = {0};
    pthread_attr_t attr;
    pthread_t thread;
    sigset_t all, old;
    void *stack = (void *)(PL_TLS + i * PL_TLS_STRIDE);
    if (mmap(stack, PL_TLS_STRIDE, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0) != stack)
        pl_unsupported("no room for thread-local storage at its fixed address", 0);
    pthread_attr_init(&attr);
    pthread_attr_setstack(&attr, stack, PL_TLS_STRIDE);
    sigfillset(&all);
    sigdelset(&all, SIGSEGV); /* writes to libc's data fault on purpose: reset.c */
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &old, 8);
    int failed = create(&thread, &attr, park, &p);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &old, NULL, 8);
    if (failed)
        pl_unsupported("the system gives no thread (thread-local storage over 4 MiB?)", 0);
    while (!__atomic_load_n(&p.parked, __ATOMIC_ACQUIRE))
        syscall(SYS_futex, &p.parked, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    pl_track_concurrently(false);
    if (thread_id)
        *word(p.tp, thread_id) = (int)syscall(SYS_gettid);
    tls_bytes = p.tp - p.low;
    slot[i].tp = p.tp;
    slot[i].parked = p.tid;
    slot[i].image = pl_map(tls_bytes + 1);
    memcpy(slot[i].image, (void *)p.low, tls_bytes);
    pl_reset_adopt(dirties);
    rt.active = was_active;
}

/* ---- stacks ---- */

static void make_stack(uint32_t i, size_t bytes)
{
    size_t page = 4096, most = PL_STACK_STRIDE - 16 * page;
    bytes = bytes > most ? most : (bytes + page - 1) & ~(page - 1);
    if (bytes <= slot[i].stack_bytes)
        return;
    uint64_t top = PL_STACKS + (i + 1) * (uint64_t)PL_STACK_STRIDE;
    if (mprotect((void *)(top - bytes), bytes, PROT_READ | PROT_WRITE) != 0)
        pl_unsupported("no memory for a stack", 0);
    slot[i].stack_bytes = bytes;
}

void pl_fiber_init(void)
{
    void *stacks = (void *)PL_STACKS;
    if (mmap(stacks, PL_STACKS_END - PL_STACKS, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0) != stacks)
        pl_unsupported("the stacks do not get their fixed address", 0);
    for (uint32_t i = 0; i < READY_SLOTS; i++)
        make_slot(i);
    int running = (int)syscall(SYS_gettid);
    find_thread_id(running);
    for (uint32_t i = 0; i < READY_SLOTS; i++)
        *word(slot[i].tp, thread_id) = running;
    uint64_t old = pl_arch_tp(); /* I1 */
    memcpy((void *)(slot[0].tp - tls_bytes), (void *)(old - tls_bytes), tls_bytes);
    pl_arch_set_tp(slot[0].tp);
    rt.main_tp = engine.tp = slot[0].tp;
}

void pl_fiber_snapshot(void)
{
    memcpy(slot[0].image, (void *)(slot[0].tp - tls_bytes), tls_bytes);
}

uint64_t pl_fiber_top(const struct pl_thread *t)
{
    return PL_STACKS + (t->id + 1) * (uint64_t)PL_STACK_STRIDE - t->id * 13 * 64; /* see heap.c */
}

/* A fresh fiber for the thread: stack, thread-locals as a new thread has them. */
void pl_fiber_reset(struct pl_thread *t, size_t stack_bytes, void (*entry)(void))
{
    uint32_t i = t->id;
    if (pl_unlikely(!slot[i].tp))
        make_slot(i);
    if (pl_unlikely(stack_bytes > slot[i].stack_bytes))
        make_stack(i, stack_bytes);
    if (i == 0 || rt.options->thread_pointer) /* or nobody ever looks at it */
        memcpy((void *)(slot[i].tp - tls_bytes), slot[i].image, tls_bytes);
    t->tp = slot[i].tp;
    t->stack_kib = (uint32_t)(slot[i].stack_bytes >> 10);
    pl_arch_fiber(t, (void *)pl_fiber_top(t), entry);
}

/* ---- between engine and fibers ---- */

static bool stops; /* the fiber comes here for a station */

void pl_fiber_run(void)
{
    pl_arch_switch(&engine, rt.self);
    while (stops) {
        stops = false;
        pl_station_make();
        pl_arch_switch(&engine, rt.self);
    }
}

void pl_fiber_stop(void)
{
    stops = true;
    pl_arch_switch(rt.self, &engine);
}

void pl_fiber_keep(void)
{
    for (uint32_t i = 0; i < rt.nthreads; i++) {
        struct pl_thread *t = &rt.thread[i];
        bool over = t->state == PL_THREAD_FINISHED;
        pl_keep(t, offsetof(struct pl_thread, clock) + rt.width * sizeof *t->clock);
        if (i == 0 || (rt.options->thread_pointer && !over))
            pl_keep((void *)(t->tp - tls_bytes), tls_bytes);
        if (!over)
            pl_keep(t->sp, pl_fiber_top(t) - (uint64_t)t->sp);
    }
}

_Noreturn void pl_leave(void)
{
    rt.active = false;
    pl_arch_switch(rt.self, &engine);
    __builtin_unreachable();
}
