/*
 * Which loop-carried values are compared. Two kinds are not, and the argument for each is that
 * a round which changes only them can be cut out of an execution all the same (the first kind is
 * told to the runtime nevertheless: a thread is stuck only if that has not changed either):
 *
 *  - the value of a location L, loaded before the loop and then taken from a compare-exchange
 *    of L that failed: do n->next = old; while (!compare_exchange(&top, &old, n)). Without the
 *    round, the load before the loop reads what the compare-exchange read. That is so only if
 *    the load comes right before the loop: an event in between would see the difference.
 *  - a value that decides nothing but how long a pause is (delay.c).
 */
#include "instrument/function.h"

bool pl_is_invariant(const struct pl_function *f, const struct pl_loop *loop, LLVMValueRef value)
{
    if (!pl_cfg_inside(&f->cfg, loop, value))
        return true;
    if (!LLVMIsAGetElementPtrInst(value) && !LLVMIsACastInst(value))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        if (!pl_is_invariant(f, loop, LLVMGetOperand(value, (unsigned)i)))
            return false;
    return true;
}

/* The location whose content the value is, as a compare-exchange found it; NULL: another value. */
static LLVMValueRef compared_place(LLVMValueRef value)
{
    value = pl_without_casts(value);
    if (!LLVMIsAExtractValueInst(value) || LLVMGetIndices(value)[0] != 0 ||
        !LLVMIsAAtomicCmpXchgInst(LLVMGetOperand(value, 0)))
        return NULL;
    return pl_address_of(LLVMGetOperand(value, 0));
}

struct carried {
    const struct pl_function *f;
    const struct pl_loop *loop;
    LLVMValueRef phi, place; /* place: NULL as long as none is found */
    int strength;            /* of the weakest compare-exchange when it fails */
};

static bool take_place(struct carried *c, LLVMValueRef place)
{
    if (!c->place && pl_is_invariant(c->f, c->loop, place))
        c->place = place;
    return c->place && pl_same_place(c->f->unit, c->place, place);
}

/* Does control that comes from `from` into the block of `phi` leave the loop at its end? So it
   does where a condition is computed in two steps: while (a && b). */
static bool leads_out(const struct carried *c, LLVMValueRef phi, LLVMBasicBlockRef from)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(phi);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);

    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end))
        return false;
    LLVMValueRef condition = LLVMGetCondition(end);
    if (!LLVMIsAPHINode(condition) || LLVMGetInstructionParent(condition) != block)
        return false;
    for (unsigned i = 0; i < LLVMCountIncoming(condition); i++) {
        LLVMValueRef known = LLVMIsAConstantInt(LLVMGetIncomingValue(condition, i));
        if (LLVMGetIncomingBlock(condition, i) != from || !known)
            continue;
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, LLVMConstIntGetZExtValue(known) ? 0 : 1);
        return !c->loop->has[pl_cfg_find(&c->f->cfg, to)];
    }
    return false;
}

/* What a compare-exchange that failed gives must be no less than what the load before the loop
   would have given, or without the round there is more synchronisation than with it. */
static int strength(LLVMAtomicOrdering order)
{
    if (order == LLVMAtomicOrderingSequentiallyConsistent)
        return 2;
    return order == LLVMAtomicOrderingAcquire || order == LLVMAtomicOrderingAcquireRelease;
}

/* Is the value, on every way back to the head, what a compare-exchange read or what it was? */
static bool comes_from_compare(struct carried *c, LLVMValueRef value, int depth)
{
    value = pl_without_casts(value);
    if (value == c->phi)
        return true;
    if (depth == 0 || !pl_cfg_inside(&c->f->cfg, c->loop, value))
        return false;
    LLVMValueRef place = compared_place(value);
    if (place) {
        int given = strength(LLVMGetCmpXchgFailureOrdering(LLVMGetOperand(value, 0)));
        c->strength = given < c->strength ? given : c->strength;
        return take_place(c, place);
    }
    if (LLVMIsASelectInst(value))
        return comes_from_compare(c, LLVMGetOperand(value, 1), depth - 1) &&
               comes_from_compare(c, LLVMGetOperand(value, 2), depth - 1);
    if (!LLVMIsAPHINode(value))
        return false;
    for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
        if (!comes_from_compare(c, LLVMGetIncomingValue(value, i), depth - 1) &&
            !leads_out(c, value, LLVMGetIncomingBlock(value, i)))
            return false;
    return true;
}

/* May another thread tell whether this comes before or after a load of ours? A plain access
   that could is a race, unless races are allowed. */
static bool is_event(const struct pl_function *f, LLVMValueRef i)
{
    if (pl_is_call(i))
        return !pl_is_harmless_call(i) || pl_is_pause(i);
    if (pl_is_atomic(i))
        return true;
    if (!LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i))
        return false;
    return (f->unit->plain_values || LLVMGetVolatile(i)) &&
           !pl_is_local(f->unit, &f->locals, pl_address_of(i));
}

/* Is the load the last event on the way that ends at the end of `block`? */
static bool is_last_event(const struct pl_function *f, LLVMValueRef load, LLVMBasicBlockRef block)
{
    for (uint32_t at = pl_cfg_find(&f->cfg, block), steps = 0; at != PL_NO_BLOCK && steps < 16;
         at = f->cfg.block[at].previous[0], steps++) {
        for (LLVMValueRef i = LLVMGetLastInstruction(f->cfg.block[at].at); i;
             i = LLVMGetPreviousInstruction(i)) {
            if (i == load)
                return true;
            if (is_event(f, i))
                return false;
        }
        if (f->cfg.block[at].previous_count != 1)
            return false;
    }
    return false;
}

bool pl_value_is_retried(const struct pl_function *f, const struct pl_loop *loop, LLVMValueRef phi)
{
    struct carried c = {f, loop, phi, NULL, 2};
    unsigned count = LLVMCountIncoming(phi);

    for (unsigned i = 0; i < count; i++)
        if (loop->has[pl_cfg_find(&f->cfg, LLVMGetIncomingBlock(phi, i))] &&
            !comes_from_compare(&c, LLVMGetIncomingValue(phi, i), 8))
            return false;
    for (unsigned i = 0; i < count && c.place; i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef load = pl_without_casts(LLVMGetIncomingValue(phi, i));
        if (loop->has[pl_cfg_find(&f->cfg, from)])
            continue;
        if (!LLVMIsALoadInst(load) || !pl_is_atomic(load) ||
            !pl_same_place(f->unit, c.place, pl_address_of(load)) ||
            !is_last_event(f, load, from) || strength(LLVMGetOrdering(load)) > c.strength)
            return false;
    }
    return c.place != NULL;
}

bool pl_value_moves(const struct pl_function *f, const struct pl_loop *loop, LLVMValueRef phi)
{
    if (LLVMStoreSizeOfType(f->unit->layout, LLVMTypeOf(phi)) < 4)
        return false; /* it would come round again */
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        if (!loop->has[pl_cfg_find(&f->cfg, LLVMGetIncomingBlock(phi, i))])
            continue;
        bool adds = LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == LLVMAdd;
        if ((!adds && !LLVMIsAGetElementPtrInst(value)) || LLVMGetOperand(value, 0) != phi ||
            LLVMGetNumOperands(value) != 2)
            return false;
        LLVMValueRef step = LLVMIsAConstantInt(LLVMGetOperand(value, 1));
        if (!step || LLVMConstIntGetSExtValue(step) == 0)
            return false;
    }
    return true;
}
