/*
 * Signals: a crash of the subject is a finding; a write to a protected page is ours
 * (reset.c); SIGTRAP stands for a pause instruction; SIGALRM is the tool asking
 * whether an execution still makes steps.
 *
 * The handlers run on a stack of their own and leave for good by switching to the
 * engine, so nothing needs to return through the broken frame.
 */
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/finding.h"
#include "runtime/harness.h"
#include "runtime/loops.h"
#include "runtime/model.h"
#include "runtime/rt.h"

struct kernel_sigaction { /* rt_sigaction, past whatever replaces sigaction */
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};
enum { SA_RESTORER_ = 0x04000000 };

void __restore_rt(void); /* gdb knows a signal frame by this name */
__asm__(".text\n.globl __restore_rt\n.hidden __restore_rt\n"
        ".type __restore_rt, @function\n"
        /* The unwinder knows a signal frame by this code, where no frame description is. */
        "nop\n" /* so that the address before it belongs to no function */
        "__restore_rt:\n"
        "    movq $15, %rax\n"
        "    syscall\n");

static bool on_stack_guard(uint64_t address)
{
    return address - PL_STACKS < PL_STACKS_END - PL_STACKS;
}

static void fatal_to_the_tool(int signal_number)
{
    struct kernel_sigaction by_default = {0};
    syscall(SYS_rt_sigaction, signal_number, &by_default, NULL, 8);
    /* Returning runs the instruction again, with the default action. */
}

/* The place in the program: where it is, or where it called the runtime. */
static uint64_t place_of(uint64_t pc)
{
    return pc >= rt.text_start && pc < rt.text_end ? rt.pc : pc;
}

/* Nothing has moved for long. Where it is the same in every execution it is no finding of one. */
static void hang(void *context)
{
    rt.wire->poke = 0;
    pl_loops_end_trial(); /* as below */
    if (rt.exploring && !pl_checking() && !rt.options->replaying && pl_model_has_read_nothing())
        pl_unsupported("no step for a long time: the program does not come to an end by itself, "
                       "whatever other threads do (--hang-seconds waits longer)",
                       place_of(pl_arch_fault_pc(context, 1)));
    pl_find_simple(PL_FINDING_HANG, 0, 1, "no step for a long time");
}

static void handle(int number, siginfo_t *info, void *context)
{
    uint64_t address = (uint64_t)info->si_addr;
    if (number == SIGSEGV && info->si_code == SEGV_ACCERR && pl_track_fault(address))
        return;
    if (number == SIGTRAP && pl_arch_is_pause_trap(context))
        return;
    if (number == SIGALRM) {
        if (rt.active && rt.wire->poke && rt.wire->poke_at == rt.wire->heartbeat)
            hang(context);
        return;
    }
    if (!rt.active) {
        fatal_to_the_tool(number);
        return;
    }
    pl_loops_end_trial(); /* it will come again, if the value is really read */
    uint64_t pc = pl_arch_fault_pc(context, number == SIGSEGV ? address : 1);
    struct pl_found f = {.kind = PL_FINDING_CRASH,
                         .address = number == SIGSEGV || number == SIGBUS ? address : 0,
                         .pc = place_of(pc),
                         .code = (uint32_t)number};
    if (number == SIGSEGV && on_stack_guard(address))
        f.kind = PL_FINDING_STACK_OVERFLOW;
    if (rt.tracing)
        pl_trace_slow(PL_EVENT_FAULT, (const void *)f.address, 0, PL_ORDER_NONE, f.code, 0, 0, pc);
    pl_find(&f);
}

void pl_crash_init(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGALRM};
    size_t bytes = 256 << 10;
    stack_t stack = {.ss_sp = pl_map(bytes), .ss_size = bytes};
    syscall(SYS_sigaltstack, &stack, NULL);
    struct kernel_sigaction action = {
        .handler = handle,
        .flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTORER_,
        .restorer = __restore_rt,
    };
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        syscall(SYS_rt_sigaction, signals[i], &action, NULL, 8);
}
