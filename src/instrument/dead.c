/*
 * Stores that do not count in a round, as long as nobody else knows the memory: n->next = old in
 * a push that tries again. The next round, and the round that leaves the loop, store there again
 * before anything reads it, so that what a void round stored is never seen.
 *
 * That takes: an address that the loop does not change; and that the store comes before every
 * way out, every way back, and every read or call that might see the bytes. Whether the memory
 * is known to others is for the runtime to tell. It holds for every loop around the store whose
 * rounds can be void.
 */
#include <stdlib.h>

#include "base/status.h"
#include "instrument/function.h"

/* New memory, which no pointer that was there before points to. */
static bool is_fresh(const struct pl_unit *u, LLVMValueRef base)
{
    (void)u;
    if (LLVMIsAAllocaInst(base))
        return true;
    if (!LLVMIsACallInst(base) && !LLVMIsAInvokeInst(base))
        return false;
    static const char noalias[] = "noalias";
    unsigned kind = LLVMGetEnumAttributeKindForName(noalias, sizeof noalias - 1);
    LLVMValueRef callee = pl_callee(base);
    return LLVMGetCallSiteEnumAttribute(base, LLVMAttributeReturnIndex, kind) ||
           (callee && LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeReturnIndex, kind));
}

/* May an access to `address` touch the bytes of the store? If the store's object is not known by
   name, the runtime makes sure that it is none of the program's variables. */
static bool may_touch(const struct pl_function *f, LLVMValueRef store, LLVMValueRef address,
                      uint64_t size)
{
    const struct pl_unit *u = f->unit;
    struct pl_place a = pl_place_of(u, pl_address_of(store)), b = pl_place_of(u, address);
    int64_t stored = (int64_t)LLVMStoreSizeOfType(u->layout, LLVMTypeOf(LLVMGetOperand(store, 0)));

    if (a.base == b.base)
        return !a.known || !b.known ||
               (a.offset < b.offset + (int64_t)size && b.offset < a.offset + stored);
    if (LLVMIsAGlobalVariable(b.base) || pl_is_local(u, &f->locals, address))
        return false;
    bool fresh_a = is_fresh(u, a.base), fresh_b = is_fresh(u, b.base);
    bool given_a = LLVMIsAArgument(a.base) || LLVMIsAGlobalVariable(a.base);
    return !((fresh_a && (fresh_b || LLVMIsAArgument(b.base))) || (fresh_b && given_a));
}

/* Must the store come before this instruction? */
static bool may_see(const struct pl_function *f, LLVMValueRef store, LLVMValueRef i)
{
    const struct pl_unit *u = f->unit;

    if (pl_is_call(i))
        return !pl_is_harmless_call(i);
    if (LLVMIsALoadInst(i))
        return may_touch(f, store, pl_address_of(i), LLVMStoreSizeOfType(u->layout, LLVMTypeOf(i)));
    if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
        return may_touch(f, store, pl_address_of(i),
                         LLVMStoreSizeOfType(u->layout, LLVMTypeOf(LLVMGetOperand(i, 1))));
    return false;
}

/* The ways out and back start at blocks that the store's block dominates. */
static bool comes_first(const struct pl_function *f, const struct pl_loop *loop, LLVMValueRef store)
{
    const struct pl_cfg *cfg = &f->cfg;
    uint32_t at = pl_cfg_find(cfg, LLVMGetInstructionParent(store));

    for (uint32_t b = 0; b < cfg->block_count; b++) {
        if (!loop->has[b])
            continue;
        for (uint32_t s = 0; s < cfg->block[b].next_count; s++) {
            uint32_t to = cfg->block[b].next[s];
            if ((!loop->has[to] || to == loop->head) && !pl_cfg_dominates(cfg, at, b))
                return false;
        }
        for (LLVMValueRef i = LLVMGetFirstInstruction(cfg->block[b].at); i;
             i = LLVMGetNextInstruction(i))
            if (i != store && may_see(f, store, i) && !pl_cfg_precedes(cfg, store, i))
                return false;
    }
    return true;
}

static bool is_dead(const struct pl_function *f, LLVMValueRef store)
{
    bool any = false;

    for (uint32_t l = 0; l < f->cfg.loop_count; l++) {
        const struct pl_marks *m = &f->marks[l];
        if (!m->marked || (m->flags & PL_LOOP_COUNTED) || !pl_cfg_inside(&f->cfg, m->loop, store))
            continue;
        if (!m->loop->natural || !pl_is_invariant(f, m->loop, pl_address_of(store)) ||
            !comes_first(f, m->loop, store))
            return false;
        any = true;
    }
    return any;
}

void pl_dead_find(struct pl_function *f)
{
    for (uint32_t b = 0; b < f->cfg.block_count && f->cfg.loop_count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(f->cfg.block[b].at); i;
             i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsAStoreInst(i) || pl_is_local(f->unit, &f->locals, pl_address_of(i)) ||
                !is_dead(f, i))
                continue;
            LLVMValueRef *bigger = realloc(f->dead, (f->dead_count + 1) * sizeof(LLVMValueRef));
            PL_ASSERT(bigger != NULL);
            f->dead = bigger;
            f->dead[f->dead_count++] = i;
        }
}

void pl_announce_if_dead(const struct pl_function *f, LLVMValueRef store)
{
    const struct pl_unit *u = f->unit;
    LLVMValueRef address = pl_address_of(store);
    bool named = LLVMIsAGlobalVariable(pl_place_of(u, address).base) != NULL;
    LLVMValueRef arguments[] = {address, pl_int32(u, named)};

    for (size_t i = 0; i < f->dead_count; i++)
        if (f->dead[i] == store)
            (void)pl_call(u, "__plumb_dead_write", u->none, arguments, 2);
}
