/*
 * Calls: copies and fills become the runtime's, a struct that is passed by value is read where
 * it is passed, and a function that is not compiled here is named to the runtime, which knows
 * whether it can see what that function does.
 */
#include <string.h>

#include "instrument/function.h"

/* Assembly that is only a barrier for the compiler, or a hint to the processor. */
static bool is_quiet_assembly(LLVMValueRef assembly)
{
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(assembly, &length);

    if (!LLVMGetInlineAsmHasSideEffects(assembly))
        return true; /* it may compute, but the compiler may also drop it */
    text += strspn(text, " \t\n;");
    if (!*text)
        return true;
    static const char *const hints[] = {"pause", "rep; nop", "rep;nop", "rep nop"};
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (pl_starts(text, hints[i]) &&
            !text[strlen(hints[i]) + strspn(text + strlen(hints[i]), " \t\n;")])
            return true;
    return false;
}

/* An intrinsic that touches no memory of the program, by what LLVM says of it (two bits for each
   kind of memory: what arguments point to, what only the system sees, all other), or by name. */
static bool is_quiet_intrinsic(LLVMValueRef call)
{
    static const char *const names[] = {
        "llvm.dbg.",           "llvm.lifetime.",
        "llvm.assume",         "llvm.expect",
        "llvm.prefetch",       "llvm.eh.",
        "llvm.stacksave",      "llvm.stackrestore",
        "llvm.sideeffect",     "llvm.donothing",
        "llvm.invariant.",     "llvm.launder.",
        "llvm.strip.",         "llvm.va_",
        "llvm.var.annotation", "llvm.ptr.annotation",
        "llvm.x86.sse2.pause", "llvm.experimental.noalias.scope.decl"};
    enum { OF_PROGRAM = 3 | 3 << 4 };
    LLVMAttributeRef memory =
        LLVMGetEnumAttributeAtIndex(pl_callee(call), (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                    LLVMGetEnumAttributeKindForName("memory", 6));

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (pl_is_intrinsic(call, names[i]))
            return true;
    return memory && (LLVMGetEnumAttributeValue(memory) & OF_PROGRAM) == 0 &&
           !pl_is_intrinsic(call, "llvm.trap") && !pl_is_intrinsic(call, "llvm.ubsantrap") &&
           !pl_is_intrinsic(call, "llvm.debugtrap");
}

bool pl_is_harmless_call(LLVMValueRef call)
{
    LLVMValueRef called = LLVMGetCalledValue(call);

    if (LLVMIsAInlineAsm(called))
        return is_quiet_assembly(called);
    if (pl_is_intrinsic(call, ""))
        return is_quiet_intrinsic(call);
    return strcmp(pl_callee_name(call), "__plumb_pause") == 0;
}

bool pl_is_pause(LLVMValueRef call)
{
    static const char *const names[] = {"__plumb_pause", "sched_yield", "thrd_yield",
                                        "pthread_yield", "sleep",       "usleep",
                                        "thrd_sleep",    "nanosleep"};
    const char *name = pl_callee_name(call);

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return LLVMIsAInlineAsm(LLVMGetCalledValue(call)) &&
           is_quiet_assembly(LLVMGetCalledValue(call));
}

/* ---- copies and fills ---- */

static LLVMValueRef as_word(const struct pl_unit *u, LLVMValueRef size)
{
    return LLVMBuildIntCast2(u->builder, size, u->word, false, "");
}

static void announce(const struct pl_unit *u, const char *hook, LLVMValueRef address,
                     LLVMValueRef size)
{
    LLVMValueRef arguments[] = {address, as_word(u, size)};
    (void)pl_call(u, hook, u->none, arguments, 2);
}

static void move_bytes(const struct pl_function *f, LLVMValueRef call)
{
    const struct pl_unit *u = f->unit;
    LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1);
    LLVMValueRef size = LLVMGetOperand(call, 2);
    bool fill = pl_is_intrinsic(call, "llvm.memset");
    bool to_local = pl_is_local(u, &f->locals, to) || pl_is_first_value(u, call);
    bool from_local = fill || pl_is_local(u, &f->locals, from) || pl_is_constant(u, from);

    if (!f->checked || (to_local && from_local)) {
        LLVMValueRef nobody = LLVMConstPointerNull(u->pointer);
        if (!to_local || pl_local_counts(f, call, to))
            announce(u, "__plumb_local_write", to, size);
        if (!from_local)
            (void)pl_call(u, "__plumb_call", u->none, &nobody, 1);
        return;
    }
    if (pl_is_intrinsic(call, "llvm.memcpy.inline") ||
        pl_is_intrinsic(call, "llvm.memset.inline") ||
        strstr(pl_callee_name(call), "unordered.atomic")) {
        if (!fill)
            announce(u, "__tsan_read_range", from, size);
        announce(u, "__tsan_write_range", to, size);
        return;
    }
    LLVMValueRef arguments[] = {to, from, as_word(u, size)};
    if (fill)
        arguments[1] = LLVMBuildZExt(u->builder, from, u->int32, "");
    (void)pl_call(u,
                  fill                                    ? "__tsan_memset"
                  : pl_is_intrinsic(call, "llvm.memmove") ? "__tsan_memmove"
                                                          : "__tsan_memcpy",
                  u->pointer, arguments, 3);
    LLVMInstructionEraseFromParent(call);
}

/* ---- other calls ---- */

/* A struct passed by value is copied by the call itself. */
static void read_structs(const struct pl_function *f, LLVMValueRef call)
{
    const struct pl_unit *u = f->unit;
    unsigned count = LLVMGetNumArgOperands(call);

    for (unsigned i = 0; i < count && f->checked; i++) {
        LLVMAttributeRef by_value = LLVMGetCallSiteEnumAttribute(call, i + 1, u->by_value);
        LLVMValueRef argument = LLVMGetOperand(call, i);
        if (!by_value || pl_is_local(u, &f->locals, argument) || pl_is_constant(u, argument))
            continue;
        LLVMTypeRef type = LLVMGetTypeAttributeValue(by_value);
        announce(u, "__tsan_read_range", argument, pl_word(u, LLVMABISizeOfType(u->layout, type)));
    }
}

/* Is the function's code made here? If not, it may be code that is not instrumented. */
static bool is_seen(LLVMValueRef called)
{
    size_t length;
    const char *name = LLVMGetValueName2(called, &length);

    if (LLVMIsAGlobalAlias(called))
        return true;
    if (!LLVMIsAFunction(called))
        return false;
    return pl_starts(name, "__tsan_") || pl_starts(name, "__plumb_") ||
           (!LLVMIsDeclaration(called) && LLVMGetLinkage(called) != LLVMAvailableExternallyLinkage);
}

void pl_foreign_call(const struct pl_function *f, LLVMValueRef call)
{
    const struct pl_unit *u = f->unit;
    LLVMValueRef called = LLVMGetCalledValue(call);

    pl_before(u, call);
    if (pl_is_intrinsic(call, "llvm.memcpy") || pl_is_intrinsic(call, "llvm.memmove") ||
        pl_is_intrinsic(call, "llvm.memset")) {
        move_bytes(f, call);
        return;
    }
    if (pl_is_intrinsic(call, "") || LLVMIsAInlineAsm(called)) {
        if (pl_is_harmless_call(call))
            return;
        called = LLVMConstPointerNull(u->pointer);
    } else {
        read_structs(f, call);
        if (is_seen(called))
            return;
    }
    (void)pl_call(u, "__plumb_call", u->none, &called, 1);
}
