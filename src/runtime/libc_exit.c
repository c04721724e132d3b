/*
 * The end of a program: exit and what it runs, abort, assert.
 *
 *   handlers:  [ registered before main | registered in this execution ]
 *              0                        mark                           count
 *
 * exit runs the whole list, last first, on the fiber that called it, while other
 * threads go on; then the execution is over. A reset cuts the list back to the mark.
 *
 * Invariants:
 * I1  libc's own list stays without the subject's handlers: it would run them at the
 *     end of the process, when there is no execution.
 * I2  A handler is taken off the list before it runs: exit called by a handler goes
 *     on with the rest.
 */
#include <assert.h>
#include <elf.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "runtime/libc.h"

enum { MAX_HANDLERS = 1 << 16 };

enum handler_kind { AT_EXIT, ON_EXIT, AT_QUICK_EXIT };
struct handler {
    union {
        void (*at_exit)(void *argument);
        void (*on_exit)(int status, void *argument);
        void (*at_quick_exit)(void *unused);
    } run;
    void *argument;
    void *dso;
    enum handler_kind kind;
    bool done;
};

static struct {
    struct handler handler[MAX_HANDLERS];
    uint32_t count, mark;
    bool started;          /* the snapshot was made */
    uint64_t done_in_base; /* this execution ran handlers below the mark */
    void (**fini)(void);   /* __attribute__((destructor)) of the program */
    size_t fini_count;
    void (*fini_last)(void);
} state;

#define REAL_TABLE(X)                                                                              \
    X(void, exit, (int))                                                                           \
    X(void, quick_exit, (int))                                                                     \
    X(void, abort, (void))                                                                         \
    X(void, __assert_fail, (const char *, const char *, unsigned, const char *))                   \
    X(void, __assert_perror_fail, (int, const char *, unsigned, const char *))                     \
    X(void, __chk_fail, (void))
REAL_TABLE(PL_REAL_POINTER)
#define REAL(name) (*(real_##name ? real_##name : (pl_exit_init(), real_##name)))

void pl_exit_init(void)
{
    REAL_TABLE(PL_REAL_FIND)
}

/* ---- registering ---- */

static struct handler *add(enum handler_kind kind, void *argument, void *dso)
{
    if (state.count == MAX_HANDLERS)
        return NULL;
    rt.unkept = true;
    struct handler *h = &state.handler[state.count++];
    *h = (struct handler){.kind = kind, .argument = argument, .dso = dso};
    return h;
}

PL_EXPORT int __cxa_atexit(void (*run)(void *), void *argument, void *dso);
PL_EXPORT int __cxa_at_quick_exit(void (*run)(void *), void *dso);
PL_EXPORT void __cxa_finalize(void *dso);

int __cxa_atexit(void (*run)(void *), void *argument, void *dso)
{
    struct handler *h = add(AT_EXIT, argument, dso);
    if (!h)
        return -1;
    h->run.at_exit = run;
    return 0;
}

int __cxa_at_quick_exit(void (*run)(void *), void *dso)
{
    struct handler *h = add(AT_QUICK_EXIT, NULL, dso);
    if (!h)
        return -1;
    h->run.at_quick_exit = run;
    return 0;
}

PL_EXPORT int on_exit(void (*run)(int, void *), void *argument)
{
    struct handler *h = add(ON_EXIT, argument, NULL);
    if (!h)
        return -1;
    h->run.on_exit = run;
    return 0;
}

/* ---- running ---- */

static void run_one(struct handler *h, int status)
{
    rt.unkept = true;
    h->done = true; /* I2 */
    state.done_in_base += h < state.handler + state.mark;
    switch (h->kind) {
    case AT_EXIT:
        h->run.at_exit(h->argument);
        break;
    case ON_EXIT:
        h->run.on_exit(status, h->argument);
        break;
    case AT_QUICK_EXIT:
        h->run.at_quick_exit(NULL);
        break;
    }
}

/* A handler may register others: they come next. */
static void run_handlers(bool quick, int status)
{
    for (uint32_t i = state.count; i > 0; i--) {
        struct handler *h = &state.handler[i - 1];
        if (h->done || (h->kind == AT_QUICK_EXIT) != quick)
            continue;
        uint32_t before = state.count;
        run_one(h, status);
        if (state.count > before)
            i = state.count + 1;
    }
}

static void run_destructors(void)
{
    for (size_t i = state.fini_count; i > 0; i--)
        state.fini[i - 1]();
    if (state.fini_last)
        state.fini_last();
}

/* A library is unloaded, or ends with the process before main ever ran. */
void __cxa_finalize(void *dso)
{
    if (state.started)
        return; /* I1: the process ends, or a library of the runtime does */
    for (uint32_t i = state.count; i > 0; i--) {
        struct handler *h = &state.handler[i - 1];
        if (!h->done && h->kind == AT_EXIT && (!dso || h->dso == dso))
            run_one(h, 0);
    }
}

/* What stdio holds back would be lost with the execution. Standard output goes nowhere
 * unless this run is the traced one: then there is nothing to save. */
static void flush(void)
{
    if (rt.tracing && stdout->_IO_write_ptr != stdout->_IO_write_base)
        (void)fflush(stdout);
    pl_files_flush();
}

_Noreturn void pl_exit(int status, uint64_t pc)
{
    if (status & 0xff)
        pl_find_simple(PL_FINDING_EXIT, pc, (uint32_t)status & 0xff, NULL);
    if (rt.self->id != 0)
        pl_find_simple(PL_FINDING_EXIT, pc, 0, "exit is called by a thread other than main");
    if (rt.exploring)
        pl_let_others_finish();
    pl_keys_run_destructors(); /* thread_locals of this thread go before everything static */
    run_handlers(false, status);
    run_destructors();
    flush();
    pl_end_execution(status);
}

PL_EXPORT _Noreturn void exit(int status)
{
    uint64_t pc = PL_CALLER;
    if (rt.active)
        pl_exit(status, pc);
    REAL(exit)(status);
    __builtin_unreachable();
}

/* Without handlers, without flushing: the end at once. */
_Noreturn void pl_exit_at_once(int status, uint64_t pc)
{
    if (!rt.active)
        for (;;)
            PL_SYS(SYS_exit_group, status, 0, 0, 0, 0, 0);
    if (status & 0xff)
        pl_find_simple(PL_FINDING_EXIT, pc, (uint32_t)status & 0xff, NULL);
    if (rt.self->id != 0)
        pl_find_simple(PL_FINDING_EXIT, pc, 0, "exit is called by a thread other than main");
    pl_end_execution(status);
}

PL_EXPORT _Noreturn void _exit(int status)
{
    pl_exit_at_once(status, PL_CALLER);
}
PL_EXPORT _Noreturn void _Exit(int status)
{
    pl_exit_at_once(status, PL_CALLER);
}

PL_EXPORT _Noreturn void quick_exit(int status)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        REAL(quick_exit)(status);
    if (!(status & 0xff) && rt.self->id == 0)
        run_handlers(true, status);
    pl_exit_at_once(status, pc);
}

/* ---- failing ---- */

PL_EXPORT _Noreturn void abort(void)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active || pl_from_runtime(pc))
        REAL(abort)();
    pl_signal_raise(SIGABRT, pc); /* returns if the subject handles it: still the end */
    pl_find_simple(PL_FINDING_CRASH, pc, SIGABRT, NULL);
}

PL_EXPORT _Noreturn void __assert(const char *expression, const char *file, int line);

PL_EXPORT _Noreturn void __assert_fail(const char *expression, const char *file, unsigned line,
                                       const char *function)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active || pl_from_runtime(pc))
        REAL(__assert_fail)(expression, file, line, function);
    pl_find_simple(PL_FINDING_ASSERTION, pc, 0, expression);
}

_Noreturn void __assert(const char *expression, const char *file, int line)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        REAL(__assert_fail)(expression, file, (unsigned)line, "?");
    pl_find_simple(PL_FINDING_ASSERTION, pc, 0, expression);
}

PL_EXPORT _Noreturn void __assert_perror_fail(int error, const char *file, unsigned line,
                                              const char *function)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        REAL(__assert_perror_fail)(error, file, line, function);
    pl_find_simple(PL_FINDING_ASSERTION, pc, (uint32_t)error, "assert_perror");
}

_Noreturn void pl_fortify_overflow(const void *to, size_t size, uint64_t pc)
{
    if (rt.active) {
        struct pl_found found = {.kind = PL_FINDING_OUT_OF_BOUNDS,
                                 .flags = PL_FINDING_F_WRITE,
                                 .address = (uint64_t)to,
                                 .size = size,
                                 .pc = pc};
        pl_find(&found);
    }
    REAL(__chk_fail)();
    __builtin_unreachable();
}

/* ---- executions ---- */

/* The program's own destructors: libc would run them at the end of the process. */
static void find_destructors(void)
{
    const ElfW(Phdr) *header = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    const ElfW(Dyn) *dynamic = NULL;
    for (unsigned long i = 0; header && i < getauxval(AT_PHNUM); i++)
        if (header[i].p_type == PT_DYNAMIC)
            dynamic = (const ElfW(Dyn) *)header[i].p_vaddr; /* not relocated: linked non-PIE */
    for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
        if (dynamic->d_tag == DT_FINI_ARRAY)
            state.fini = (void (**)(void))dynamic->d_un.d_ptr;
        else if (dynamic->d_tag == DT_FINI_ARRAYSZ)
            state.fini_count = dynamic->d_un.d_val / sizeof *state.fini;
        else if (dynamic->d_tag == DT_FINI)
            state.fini_last = (void (*)(void))dynamic->d_un.d_ptr;
    }
}

void pl_exit_snapshot(void)
{
    uint32_t kept = 0; /* without those a dlclose before main has run */
    for (uint32_t i = 0; i < state.count; i++)
        if (!state.handler[i].done)
            state.handler[kept++] = state.handler[i];
    state.count = state.mark = kept;
    state.done_in_base = 0;
    state.started = true;
    find_destructors();
    pl_signal_snapshot();
}

void pl_exit_reset(void)
{
    state.count = state.mark;
    if (state.done_in_base) {
        for (uint32_t i = 0; i < state.mark; i++)
            state.handler[i].done = false;
        state.done_in_base = 0;
    }
    pl_signal_reset();
    pl_misc_reset();
}
