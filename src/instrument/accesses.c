/*
 * Plain and volatile loads and stores: a call before the access, which says where and how many
 * bytes; or in its place, where the runtime is to give or take the value.
 *
 * Left alone: what nobody else can reach, and what is never written. A store to a local that
 * stays in memory is still announced inside a loop: a round that changes one is not void.
 */
#include <stdio.h>

#include "instrument/function.h"

static bool is_power(uint64_t size, uint64_t most)
{
    return size && size <= most && (size & (size - 1)) == 0;
}

static void announce(const struct pl_unit *u, const char *hook, LLVMValueRef address, uint64_t size)
{
    LLVMValueRef arguments[] = {address, pl_word(u, size)};
    (void)pl_call(u, hook, u->none, arguments, 2);
}

/* Of a function that is not to be checked: no race is looked for, but a round that waits for what
   is read here, or changes what is written here, must not be taken for a void one. */
static void out_of_sight(const struct pl_unit *u, LLVMValueRef address, uint64_t written)
{
    LLVMValueRef nobody = LLVMConstPointerNull(u->pointer);

    if (written)
        announce(u, "__plumb_local_write", address, written);
    else
        (void)pl_call(u, "__plumb_call", u->none, &nobody, 1);
}

static void hook(const struct pl_unit *u, LLVMValueRef access, LLVMValueRef address, uint64_t size,
                 bool aligned)
{
    const char *verb = LLVMIsAStoreInst(access) ? "write" : "read";
    char name[64];

    if (!is_power(size, 16)) {
        (void)snprintf(name, sizeof name, "__tsan_%s_range", verb);
        announce(u, name, address, size);
        return;
    }
    (void)snprintf(name, sizeof name, "__tsan_%s%s%s%u", aligned ? "" : "unaligned_",
                   LLVMGetVolatile(access) ? "volatile_" : "", verb, (unsigned)size);
    (void)pl_call(u, name, u->none, &address, 1);
}

/* The runtime loads or stores in place of the program. */
static void pass_value(const struct pl_unit *u, LLVMValueRef access, LLVMValueRef address,
                       uint64_t size)
{
    bool is_volatile = LLVMGetVolatile(access);
    LLVMValueRef arguments[] = {address, pl_word(u, size), NULL};

    if (LLVMIsAStoreInst(access)) {
        LLVMValueRef value = pl_to_int(u, LLVMGetOperand(access, 0), size);
        arguments[2] = LLVMBuildZExt(u->builder, value, u->word, "");
        (void)pl_call(u, is_volatile ? "__plumb_volatile_store" : "__plumb_store", u->none,
                      arguments, 3);
        LLVMInstructionEraseFromParent(access);
        return;
    }
    LLVMValueRef value =
        pl_call(u, is_volatile ? "__plumb_volatile_load" : "__plumb_load", u->word, arguments, 2);
    value = LLVMBuildTrunc(u->builder, value, pl_int_type(u, size), "");
    pl_replace(access, pl_from_int(u, value, LLVMTypeOf(access)));
}

static void hook_vptr(const struct pl_unit *u, LLVMValueRef access, LLVMValueRef address)
{
    LLVMValueRef arguments[] = {address, NULL};

    if (LLVMIsAStoreInst(access))
        arguments[1] = LLVMGetOperand(access, 0);
    (void)pl_call(u, arguments[1] ? "__tsan_vptr_update" : "__tsan_vptr_read", u->none, arguments,
                  arguments[1] ? 2 : 1);
}

/* Behind the access, which may be gone: `next` was after it. */
static void announce_kept(const struct pl_function *f, LLVMValueRef store, LLVMValueRef address,
                          uint64_t size, LLVMValueRef next)
{
    const struct pl_unit *u = f->unit;
    LLVMMetadataRef line = LLVMGetCurrentDebugLocation2(u->builder);

    pl_before(u, next);
    LLVMSetCurrentDebugLocation2(u->builder, line);
    pl_announce_bits(f, store, address, size);
}

void pl_access(const struct pl_function *f, LLVMValueRef access)
{
    const struct pl_unit *u = f->unit;
    bool store = LLVMIsAStoreInst(access) != NULL;
    LLVMValueRef address = pl_address_of(access);
    LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(access, 0) : access);
    uint64_t size = LLVMStoreSizeOfType(u->layout, type);
    unsigned alignment = LLVMGetAlignment(access);
    bool aligned = alignment >= 8 || alignment % size == 0;

    if (size == 0 || LLVMGetPointerAddressSpace(LLVMTypeOf(address)) != 0)
        return; /* a segment of the processor: the thread's own */
    pl_before(u, access);
    if (pl_is_local(u, &f->locals, address) || (store && pl_is_first_value(u, access))) {
        if (store && pl_local_counts(f, access, address))
            announce(u, "__plumb_local_write", address, size);
        return;
    }
    if (!store && pl_is_constant(u, address))
        return;
    if (!f->checked) {
        out_of_sight(u, address, store ? size : 0);
        return;
    }
    LLVMValueRef next = LLVMGetNextInstruction(access);
    if (store)
        pl_announce_if_dead(f, access);
    else
        pl_announce_bits(f, access, address, size);
    if (pl_is_vptr(u, access) && size == 8 && aligned)
        hook_vptr(u, access, address);
    else if ((LLVMGetVolatile(access) ? u->volatile_values : u->plain_values) &&
             is_power(size, 8) && aligned && pl_is_scalar(u, type))
        pass_value(u, access, address, size);
    else
        hook(u, access, address, size, aligned);
    if (store)
        announce_kept(f, access, address, size, next);
}
