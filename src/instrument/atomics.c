/*
 * Atomic accesses and fences become calls that do the work: the runtime decides which value a
 * load returns. Orders arrive there as C has them, and so does whether a compare-exchange may
 * fail for no reason.
 */
#include <stdio.h>
#include <string.h>

#include "instrument/function.h"

bool pl_is_atomic(LLVMValueRef instruction)
{
    switch ((int)LLVMGetInstructionOpcode(instruction)) {
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
        return true;
    case LLVMLoad:
    case LLVMStore:
        return LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic &&
               !LLVMIsAtomicSingleThread(instruction);
    default:
        return false;
    }
}

/* As memory_order_relaxed and so on are numbered; consume does not reach bitcode. */
static LLVMValueRef order_of(const struct pl_unit *u, LLVMAtomicOrdering order)
{
    switch (order) {
    case LLVMAtomicOrderingNotAtomic:
    case LLVMAtomicOrderingUnordered:
    case LLVMAtomicOrderingMonotonic:
        return pl_int32(u, 0);
    case LLVMAtomicOrderingAcquire:
        return pl_int32(u, 2);
    case LLVMAtomicOrderingRelease:
        return pl_int32(u, 3);
    case LLVMAtomicOrderingAcquireRelease:
        return pl_int32(u, 4);
    case LLVMAtomicOrderingSequentiallyConsistent:
        break;
    }
    return pl_int32(u, 5);
}

/* Every size that clang leaves to instructions; the others are calls of libatomic already. */
static bool usable(const struct pl_unit *u, LLVMTypeRef type, uint64_t *size)
{
    *size = LLVMStoreSizeOfType(u->layout, type);
    return *size <= 16 && (*size & (*size - 1)) == 0 && pl_is_scalar(u, type);
}

static const char *atomic_name(char name[64], uint64_t size, const char *verb)
{
    (void)snprintf(name, 64, "__tsan_atomic%u_%s", (unsigned)size * 8, verb);
    return name;
}

static void load(const struct pl_function *f, LLVMValueRef access)
{
    const struct pl_unit *u = f->unit;
    uint64_t size;
    char name[64];
    LLVMTypeRef type = LLVMTypeOf(access);

    if (!usable(u, type, &size))
        return;
    pl_announce_pair(f, access);
    LLVMValueRef arguments[] = {pl_address_of(access), order_of(u, LLVMGetOrdering(access))};
    LLVMValueRef value =
        pl_call(u, atomic_name(name, size, "load"), pl_int_type(u, size), arguments, 2);
    pl_replace(access, pl_from_int(u, value, type));
}

static void store(const struct pl_function *f, LLVMValueRef access)
{
    const struct pl_unit *u = f->unit;
    uint64_t size;
    char name[64];
    LLVMValueRef address = pl_address_of(access);

    if (!usable(u, LLVMTypeOf(LLVMGetOperand(access, 0)), &size))
        return;
    LLVMValueRef value = pl_to_int(u, LLVMGetOperand(access, 0), size);
    pl_announce_if_dead(f, access);
    LLVMValueRef arguments[] = {address, value, order_of(u, LLVMGetOrdering(access))};
    (void)pl_call(u, atomic_name(name, size, "store"), u->none, arguments, 3);
    LLVMInstructionEraseFromParent(access);
}

/* The updates that have a call of their own; NULL: the general one. */
static const char *verb_of(LLVMAtomicRMWBinOp operation)
{
    switch ((int)operation) {
    case LLVMAtomicRMWBinOpXchg:
        return "exchange";
    case LLVMAtomicRMWBinOpAdd:
        return "fetch_add";
    case LLVMAtomicRMWBinOpSub:
        return "fetch_sub";
    case LLVMAtomicRMWBinOpAnd:
        return "fetch_and";
    case LLVMAtomicRMWBinOpNand:
        return "fetch_nand";
    case LLVMAtomicRMWBinOpOr:
        return "fetch_or";
    case LLVMAtomicRMWBinOpXor:
        return "fetch_xor";
    default:
        return NULL;
    }
}

/* As the runtime numbers them (src/runtime/abi_atomic.c); -1: it has no such update. */
static int number_of(LLVMAtomicRMWBinOp operation)
{
    switch ((int)operation) {
    case LLVMAtomicRMWBinOpMax:
        return 0;
    case LLVMAtomicRMWBinOpMin:
        return 1;
    case LLVMAtomicRMWBinOpUMax:
        return 2;
    case LLVMAtomicRMWBinOpUMin:
        return 3;
    case LLVMAtomicRMWBinOpFAdd:
        return 4;
    case LLVMAtomicRMWBinOpFSub:
        return 5;
    default:
        return -1;
    }
}

/* The bits of an integer that the program looks at. */
static uint64_t bits_seen(LLVMValueRef value)
{
    uint64_t seen = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMValueRef mask = LLVMIsAInstruction(user) && LLVMGetInstructionOpcode(user) == LLVMAnd
                                ? LLVMGetOperand(user, LLVMGetOperand(user, 0) == value)
                                : NULL;
        if (!mask || !LLVMIsAConstantInt(mask))
            return ~(uint64_t)0;
        seen |= LLVMConstIntGetZExtValue(mask);
    }
    return seen;
}

/* What an addition returns may differ in bits that nobody looks at: docs/ARCHITECTURE.md, void
 * rounds. */
static void announce_unseen(const struct pl_unit *u, LLVMValueRef access, uint64_t size)
{
    LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(access);
    uint64_t unseen = size > 8 ? 0 : ~bits_seen(access);
    if (!unseen || (operation != LLVMAtomicRMWBinOpAdd && operation != LLVMAtomicRMWBinOpSub))
        return;
    LLVMValueRef arguments[] = {pl_address_of(access), pl_word(u, unseen)};
    (void)pl_call(u, "__plumb_unseen", u->none, arguments, 2);
}

static void update(const struct pl_unit *u, LLVMValueRef access)
{
    uint64_t size;
    char name[64];
    LLVMTypeRef type = LLVMTypeOf(access);
    LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(access);
    const char *verb = verb_of(operation);
    int number = number_of(operation);

    if (!usable(u, type, &size) || (!verb && (number < 0 || size > 8)))
        return; /* stays an instruction, which the scan of the object warns of */
    LLVMValueRef value = pl_to_int(u, LLVMGetOperand(access, 1), size), old;
    LLVMValueRef order = order_of(u, LLVMGetOrdering(access));
    announce_unseen(u, access, size);
    if (verb) {
        LLVMValueRef arguments[] = {pl_address_of(access), value, order};
        old = pl_call(u, atomic_name(name, size, verb), pl_int_type(u, size), arguments, 3);
    } else {
        LLVMValueRef arguments[] = {pl_address_of(access), pl_word(u, size),
                                    LLVMBuildZExt(u->builder, value, u->word, ""),
                                    pl_int32(u, (unsigned)number), order};
        old = pl_call(u, "__plumb_update", u->word, arguments, 5);
        old = LLVMBuildTrunc(u->builder, old, pl_int_type(u, size), "");
    }
    pl_replace(access, pl_from_int(u, old, type));
}

/* The result is what was there and whether it was what was expected. */
static void replace_pair(const struct pl_unit *u, LLVMValueRef access, LLVMValueRef old,
                         LLVMValueRef ok)
{
    LLVMTypeRef pair = LLVMTypeOf(access);
    LLVMValueRef value = pl_from_int(u, old, LLVMStructGetTypeAtIndex(pair, 0));
    LLVMValueRef result = LLVMBuildInsertValue(u->builder, LLVMGetPoison(pair), value, 0, "");
    pl_replace(access, LLVMBuildInsertValue(u->builder, result, ok, 1, ""));
}

static void compare_exchange(const struct pl_function *f, LLVMValueRef access)
{
    const struct pl_unit *u = f->unit;
    uint64_t size;
    char name[64];
    LLVMBuilderRef b = u->builder;

    if (!usable(u, LLVMTypeOf(LLVMGetOperand(access, 1)), &size))
        return;
    pl_announce_retry(f, access);
    pl_announce_help(f, access);
    LLVMTypeRef type = pl_int_type(u, size);
    LLVMValueRef expected = pl_to_int(u, LLVMGetOperand(access, 1), size);
    LLVMValueRef wanted = pl_to_int(u, LLVMGetOperand(access, 2), size);
    LLVMValueRef order = order_of(u, LLVMGetCmpXchgSuccessOrdering(access));
    LLVMValueRef failing = order_of(u, LLVMGetCmpXchgFailureOrdering(access));
    if (LLVMGetWeak(access) && size <= 8) {
        LLVMTypeRef words[] = {u->word, u->word};
        LLVMValueRef arguments[] = {pl_address_of(access),
                                    pl_word(u, size),
                                    LLVMBuildZExt(b, expected, u->word, ""),
                                    LLVMBuildZExt(b, wanted, u->word, ""),
                                    order,
                                    failing};
        LLVMValueRef answer =
            pl_call(u, "__plumb_cas_weak", LLVMStructTypeInContext(u->context, words, 2, false),
                    arguments, 6);
        LLVMValueRef old = LLVMBuildTrunc(b, LLVMBuildExtractValue(b, answer, 0, ""), type, "");
        LLVMValueRef ok =
            LLVMBuildICmp(b, LLVMIntNE, LLVMBuildExtractValue(b, answer, 1, ""), pl_word(u, 0), "");
        replace_pair(u, access, old, ok);
        return;
    }
    LLVMValueRef arguments[] = {pl_address_of(access), expected, wanted, order, failing};
    LLVMValueRef old =
        pl_call(u, atomic_name(name, size, "compare_exchange_val"), type, arguments, 5);
    replace_pair(u, access, old, LLVMBuildICmp(b, LLVMIntEQ, old, expected, ""));
}

static void fence(const struct pl_unit *u, LLVMValueRef access)
{
    LLVMValueRef order = order_of(u, LLVMGetOrdering(access));
    (void)pl_call(u,
                  LLVMIsAtomicSingleThread(access) ? "__tsan_atomic_signal_fence"
                                                   : "__tsan_atomic_thread_fence",
                  u->none, &order, 1);
    LLVMInstructionEraseFromParent(access);
}

void pl_atomic(const struct pl_function *f, LLVMValueRef access)
{
    pl_before(f->unit, access);
    switch ((int)LLVMGetInstructionOpcode(access)) {
    case LLVMLoad:
        load(f, access);
        break;
    case LLVMStore:
        store(f, access);
        break;
    case LLVMAtomicRMW:
        update(f->unit, access);
        break;
    case LLVMAtomicCmpXchg:
        compare_exchange(f, access);
        break;
    case LLVMFence:
        fence(f->unit, access);
        break;
    default:
        break;
    }
}
