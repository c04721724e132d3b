/*
 * Everything that depends on the processor: x86-64, System V ABI.
 *
 * A parked fiber's stack, from its saved sp upward:
 *     r15 r14 r13 r12 rbx rbp | return address
 */
#include <stddef.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime/rt.h"

enum { HWCAP2_FSGSBASE = 2 };
/* What a switch has to keep apart beyond registers, mostly nothing: */
enum {
    KEEPS_FLOAT = 1,   /* the control words of SSE and x87: somebody sets them */
    SETS_FS = 2,       /* the thread pointer: the program may use it */
    SETS_FS_SLOWLY = 4 /* likewise, on a kernel that lets only itself set it */
};
__attribute__((visibility("hidden"), used)) uint8_t pl_arch_extras;

_Static_assert(offsetof(struct pl_thread, sp) == 0 && offsetof(struct pl_thread, tp) == 8 &&
                   offsetof(struct pl_thread, float_control) == 16,
               "known to the assembly");

/* clang-format off */
__asm__(
    ".text\n"
    ".globl pl_arch_switch\n"
    ".hidden pl_arch_switch\n"
    ".type pl_arch_switch, @function\n"
    "pl_arch_switch:\n"
    ".cfi_startproc\n"
    "    pushq %rbp\n    pushq %rbx\n    pushq %r12\n"
    "    pushq %r13\n    pushq %r14\n    pushq %r15\n"
    "    movq %rsp, (%rdi)\n"
    "    movq (%rsi), %rsp\n"
    "    cmpb $0, pl_arch_extras(%rip)\n"
    "    jne 2f\n"
    "1:  popq %r15\n    popq %r14\n    popq %r13\n"
    "    popq %r12\n    popq %rbx\n    popq %rbp\n"
    "    ret\n"
    "2:  testb $1, pl_arch_extras(%rip)\n"
    "    je 3f\n"
    "    stmxcsr 16(%rdi)\n"
    "    fnstcw 20(%rdi)\n"
    "    ldmxcsr 16(%rsi)\n"
    "    fldcw 20(%rsi)\n"
    "3:  movq 8(%rsi), %rdx\n"
    "    testb $2, pl_arch_extras(%rip)\n"
    "    je 4f\n"
    "    wrfsbase %rdx\n"
    "    jmp 1b\n"
    "4:  testb $4, pl_arch_extras(%rip)\n"
    "    je 1b\n"
    "    movq %rdx, %rsi\n"               /* an old kernel: arch_prctl(ARCH_SET_FS) */
    "    movl $0x1002, %edi\n"
    "    movl $158, %eax\n"
    "    syscall\n"
    "    jmp 1b\n"
    ".cfi_endproc\n"
    ".size pl_arch_switch, .-pl_arch_switch\n"
    /* A fiber begins here, so that a stack ends here for every unwinder. */
    ".type pl_arch_begin, @function\n"
    "pl_arch_begin:\n"
    ".cfi_startproc\n"
    ".cfi_undefined rip\n"
    "    xorl %ebp, %ebp\n"
    "    callq *%rbx\n"
    "    ud2\n"
    ".cfi_endproc\n"
    ".size pl_arch_begin, .-pl_arch_begin\n"
    /* Where the trap that stands for a pause instruction continues: every register is kept,
     * flags included, and the red zone of the interrupted function is stepped over. */
    ".globl pl_arch_pause\n"
    ".hidden pl_arch_pause\n"
    ".type pl_arch_pause, @function\n"
    "pl_arch_pause:\n"
    ".cfi_startproc\n"
    ".cfi_undefined rip\n"
    "    pushfq\n"
    "    pushq %rax\n    pushq %rcx\n    pushq %rdx\n    pushq %rsi\n    pushq %rdi\n"
    "    pushq %r8\n    pushq %r9\n    pushq %r10\n    pushq %r11\n    pushq %rbp\n"
    "    movq %rsp, %rbp\n"
    "    subq $576, %rsp\n"
    "    andq $-64, %rsp\n"
    "    fxsave64 (%rsp)\n"
    "    movq 88(%rbp), %rdi\n"
    "    call pl_pause_from_trap\n"
    "    fxrstor64 (%rsp)\n"
    "    movq %rbp, %rsp\n"
    "    popq %rbp\n    popq %r11\n    popq %r10\n    popq %r9\n    popq %r8\n"
    "    popq %rdi\n    popq %rsi\n    popq %rdx\n    popq %rcx\n    popq %rax\n"
    "    popfq\n"
    "    ret $128\n"
    ".cfi_endproc\n"
    ".size pl_arch_pause, .-pl_arch_pause\n"
    /* The registers a callee keeps go on the stack, and the stack into the copy. */
    ".globl pl_arch_keep\n"
    ".hidden pl_arch_keep\n"
    ".type pl_arch_keep, @function\n"
    "pl_arch_keep:\n"
    ".cfi_startproc\n"
    "    pushq %rbp\n    pushq %rbx\n    pushq %r12\n"
    "    pushq %r13\n    pushq %r14\n    pushq %r15\n"
    "    movl $-1, %eax\n"
    "    movq 8(%rdi), %rcx\n"
    "    subq %rsp, %rcx\n"
    "    cmpq 16(%rdi), %rcx\n"
    "    ja 1f\n"
    "    movq %rsp, (%rdi)\n"
    "    movq %rsp, %rsi\n"
    "    addq $24, %rdi\n"
    "    rep movsb\n"
    "    xorl %eax, %eax\n"
    "1:  addq $48, %rsp\n" /* none of them has changed */
    "    ret\n"
    ".cfi_endproc\n"
    ".size pl_arch_keep, .-pl_arch_keep\n"
    ".globl pl_arch_back\n"
    ".hidden pl_arch_back\n"
    ".type pl_arch_back, @function\n"
    "pl_arch_back:\n"
    ".cfi_startproc\n"
    ".cfi_undefined rip\n"
    "    movq (%rdi), %rsp\n"
    "    leaq 24(%rdi), %rsi\n"
    "    movq 8(%rdi), %rcx\n"
    "    subq %rsp, %rcx\n"
    "    movq %rsp, %rdi\n"
    "    rep movsb\n"
    "    popq %r15\n    popq %r14\n    popq %r13\n"
    "    popq %r12\n    popq %rbx\n    popq %rbp\n"
    "    movl $1, %eax\n"
    "    ret\n"
    ".cfi_endproc\n"
    ".size pl_arch_back, .-pl_arch_back\n");
/* clang-format on */

_Static_assert(offsetof(struct pl_kept, sp) == 0 && offsetof(struct pl_kept, top) == 8 &&
                   offsetof(struct pl_kept, room) == 16 && offsetof(struct pl_kept, copy) == 24,
               "known to the assembly");

void pl_arch_begin(void);
void pl_arch_pause(void);
__attribute__((visibility("hidden"), used)) void pl_pause_from_trap(uint64_t pc);

static bool has_fsgsbase(void)
{
    return (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE) != 0;
}

void pl_arch_init(void)
{
    if (rt.options->thread_pointer)
        pl_arch_extras = has_fsgsbase() ? SETS_FS : SETS_FS_SLOWLY;
    if (rt.options->float_control)
        pl_arch_extras |= KEEPS_FLOAT;
}

void pl_arch_fiber(struct pl_thread *t, void *stack_top, void (*entry)(void))
{
    /* 16-byte aligned before the call in pl_arch_begin, as the ABI asks. */
    uint64_t *sp = (uint64_t *)((uintptr_t)stack_top & ~(uintptr_t)63) - 9;
    sp[0] = sp[1] = sp[2] = sp[3] = sp[5] = 0;
    sp[4] = (uint64_t)entry; /* rbx */
    sp[6] = (uint64_t)pl_arch_begin;
    sp[7] = sp[8] = 0;
    t->sp = sp;
    t->float_control = 0x1f80 | (uint64_t)0x037f << 32; /* as a process starts with */
    /* What x87 has left is not a thread's own, but not of another execution either. */
    if (pl_unlikely(pl_arch_extras & KEEPS_FLOAT) && !rt.active)
        __asm__ volatile("fnclex");
    if (pl_unlikely(pl_arch_extras & KEEPS_FLOAT) && rt.active) /* or those of the creator */
        __asm__ volatile("stmxcsr %0\n\tfnstcw %1"
                         : "=m"(t->float_control), "=m"(*((uint16_t *)&t->float_control + 2)));
}

/* libm's functions that set the control words: from the first call on they are kept. */
#define SETS_FLOAT(name, parameter, argument)                                                      \
    PL_EXPORT int name(parameter);                                                                 \
    int name(parameter)                                                                            \
    {                                                                                              \
        static int (*real)(parameter);                                                             \
        if (!real)                                                                                 \
            real = __extension__(int (*)(parameter)) pl_real(#name);                               \
        pl_arch_extras |= KEEPS_FLOAT;                                                             \
        return real(argument);                                                                     \
    }
SETS_FLOAT(fesetround, int mode, mode)
SETS_FLOAT(fesetenv, const void *environment, environment)
SETS_FLOAT(feupdateenv, const void *environment, environment)
SETS_FLOAT(feholdexcept, void *environment, environment)
SETS_FLOAT(fesetmode, const void *mode, mode)
SETS_FLOAT(feenableexcept, int exceptions, exceptions)
SETS_FLOAT(fedisableexcept, int exceptions, exceptions)

uint64_t pl_arch_tp(void)
{
    uint64_t tp;
    __asm__ volatile("movq %%fs:0x10, %0" : "=r"(tp)); /* the thread control block names itself */
    return tp;
}

void pl_arch_set_tp(uint64_t tp)
{
    if (has_fsgsbase())
        __asm__ volatile("wrfsbase %0" ::"r"(tp) : "memory");
    else
        syscall(SYS_arch_prctl, 0x1002, tp);
}

/*
 * The address of the faulting instruction. A call through a bad pointer faults at
 * an address that is no code: then the caller is what we want, so the return
 * address is taken off the stack and the context repaired for the unwinder.
 */
uint64_t pl_arch_fault_pc(void *context, uint64_t fault_address)
{
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    if ((uint64_t)r[REG_RIP] == fault_address) {
        r[REG_RIP] = (greg_t)(*(uint64_t *)r[REG_RSP] - 1);
        r[REG_RSP] += 8;
    }
    return (uint64_t)r[REG_RIP];
}

/*
 * pause (f3 90) in inline assembly is a yield, too. The instruction is too short
 * for a call, so it becomes a trap (int3; nop): the handler lets the thread go on
 * in pl_arch_pause. The tool finds them by disassembly. Code compiled by us has a
 * call instead (no signal).
 */
void pl_arch_patch_pauses(void)
{
    const struct pl_wire_options *o = rt.options;
    uintptr_t page = 4096;
    for (uint32_t i = 0; i < o->pauses; i++) {
        uint8_t *code = (uint8_t *)o->pause[i];
        void *start = (void *)((uintptr_t)code & ~(page - 1));
        if (mprotect(start, 2 * page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
            continue;
        if (code[0] == 0xf3 && code[1] == 0x90)
            code[0] = 0xcc;
        mprotect(start, 2 * page, PROT_READ | PROT_EXEC);
    }
}

/* After the int3 of a patched pause: sends the thread on to pl_arch_pause. */
bool pl_arch_is_pause_trap(void *context)
{
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    uint64_t pc = (uint64_t)r[REG_RIP];
    if (pc - rt.program_start >= rt.program_end - rt.program_start)
        return false;
    const uint8_t *code = (const uint8_t *)pc; /* past the cc, at the 90 */
    if (code[-1] != 0xcc || code[0] != 0x90)
        return false;
    if (!rt.active)
        return true;
    uint64_t sp = (uint64_t)r[REG_RSP] - 128 - 8;
    *(uint64_t *)sp = pc + 1;
    r[REG_RSP] = (greg_t)sp;
    r[REG_RIP] = (greg_t)(uint64_t)pl_arch_pause;
    return true;
}

void pl_pause_from_trap(uint64_t pc)
{
    pl_yield(pc);
}
