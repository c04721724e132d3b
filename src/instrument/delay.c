/*
 * Back-off: a value that grows from round to round and decides nothing but how long the thread
 * waits. How long is nothing that another thread can see, so such a value is not compared.
 *
 * From the value everything is followed that depends on it: arithmetic, other values carried
 * around, and the branches it decides. A branch is fine if both its ways, without doing
 * anything, come together in one block; what then differs there depends on the value too.
 * Doing nothing includes a loop that counts and pauses.
 */
#include <string.h>

#include "instrument/function.h"

enum { MOST = 64 }; /* a value that reaches more than that is no simple delay */

struct reach {
    const struct pl_function *f;
    const struct pl_loop *loop;
    LLVMValueRef value[MOST];
    size_t count;
};

static bool add(struct reach *r, LLVMValueRef value)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->value[i] == value)
            return true;
    if (r->count == MOST)
        return false;
    r->value[r->count++] = value;
    return true;
}

/* Arithmetic that cannot trap. */
static bool is_arithmetic(LLVMValueRef i)
{
    if (LLVMIsACastInst(i) || LLVMIsAICmpInst(i) || LLVMIsASelectInst(i) || LLVMIsAFreezeInst(i))
        return true;
    if (LLVMIsACallInst(i))
        return pl_is_intrinsic(i, "llvm.umin") || pl_is_intrinsic(i, "llvm.umax") ||
               pl_is_intrinsic(i, "llvm.smin") || pl_is_intrinsic(i, "llvm.smax");
    if (!LLVMIsABinaryOperator(i))
        return false;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    return opcode != LLVMUDiv && opcode != LLVMSDiv && opcode != LLVMURem && opcode != LLVMSRem;
}

/* Does the instruction leave everything as it is, but for locals and time? */
static bool is_quiet(const struct pl_function *f, LLVMValueRef i)
{
    if (pl_is_call(i))
        return LLVMIsACallInst(i) && (pl_is_harmless_call(i) || pl_is_pause(i));
    if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
        return pl_is_local(f->unit, &f->locals, pl_address_of(i));
    return is_arithmetic(i) || LLVMIsAPHINode(i) || LLVMIsABranchInst(i) ||
           LLVMIsAGetElementPtrInst(i);
}

static bool is_quiet_block(const struct pl_function *f, uint32_t block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(f->cfg.block[block].at); i;
         i = LLVMGetNextInstruction(i))
        if (!is_quiet(f, i))
            return false;
    return true;
}

/* The ways from a branch, up to the one block where something happens again. */
struct region {
    uint32_t inside[MOST], count;
    uint32_t join;
};

static bool in_region(const struct region *g, uint32_t block)
{
    for (uint32_t i = 0; i < g->count; i++)
        if (g->inside[i] == block)
            return true;
    return false;
}

static bool find_region(const struct reach *r, uint32_t branch, struct region *g)
{
    const struct pl_cfg *cfg = &r->f->cfg;

    *g = (struct region){.inside = {branch}, .count = 1, .join = PL_NO_BLOCK};
    for (uint32_t i = 0; i < g->count; i++)
        for (uint32_t s = 0; s < cfg->block[g->inside[i]].next_count; s++) {
            uint32_t to = cfg->block[g->inside[i]].next[s];
            if (to != r->loop->head && in_region(g, to)) /* a loop around the branch: be it quiet */
                continue;
            if (!r->loop->has[to])
                return false;
            if (to != r->loop->head && is_quiet_block(r->f, to)) {
                if (g->count == MOST)
                    return false;
                g->inside[g->count++] = to;
            } else if (g->join == PL_NO_BLOCK) {
                g->join = to;
            } else if (g->join != to) {
                return false;
            }
        }
    return g->join != PL_NO_BLOCK;
}

/* Is a way back to the branch itself quiet? Then the branch's own block must be. */
static bool comes_back(const struct reach *r, const struct region *g, uint32_t branch)
{
    const struct pl_block *b = &r->f->cfg.block[branch];

    for (uint32_t i = 0; i < b->previous_count; i++)
        if (in_region(g, b->previous[i]))
            return true;
    return false;
}

/* The phi nodes that take another value for another way through the region. */
static bool add_merged(struct reach *r, const struct region *g, uint32_t block)
{
    const struct pl_cfg *cfg = &r->f->cfg;

    for (LLVMValueRef phi = LLVMGetFirstInstruction(cfg->block[block].at); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef first = NULL;
        bool differs = false;
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            if (!in_region(g, pl_cfg_find(cfg, LLVMGetIncomingBlock(phi, i))))
                continue;
            differs |= first && first != LLVMGetIncomingValue(phi, i);
            first = LLVMGetIncomingValue(phi, i);
        }
        if (differs && !add(r, phi))
            return false;
    }
    return true;
}

static bool follow_branch(struct reach *r, LLVMValueRef branch)
{
    uint32_t block = pl_cfg_find(&r->f->cfg, LLVMGetInstructionParent(branch));
    struct region g;

    if (!find_region(r, block, &g) || (comes_back(r, &g, block) && !is_quiet_block(r->f, block)))
        return false;
    for (uint32_t i = 0; i < g.count; i++)
        if (!add_merged(r, &g, g.inside[i]))
            return false;
    return add_merged(r, &g, g.join);
}

/* Stored into a local: whatever is loaded from it depends on the value. */
static bool follow_local(struct reach *r, LLVMValueRef address)
{
    LLVMValueRef object = pl_place_of(r->f->unit, address).base;

    for (LLVMUseRef use = LLVMGetFirstUse(object); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user)) {
            if (!add(r, user))
                return false;
        } else if (!LLVMIsAStoreInst(user) &&
                   !(LLVMIsACallInst(user) && pl_is_intrinsic(user, "llvm.lifetime."))) {
            return false;
        }
    }
    return true;
}

static bool follow(struct reach *r, LLVMValueRef value, LLVMValueRef user)
{
    if (!pl_cfg_inside(&r->f->cfg, r->loop, user))
        return false;
    if (is_arithmetic(user) || LLVMIsAPHINode(user))
        return add(r, user);
    if (LLVMIsABranchInst(user))
        return follow_branch(r, user);
    if (LLVMIsACallInst(user))
        return pl_is_pause(user) || pl_is_intrinsic(user, "llvm.assume");
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value &&
        pl_is_local(r->f->unit, &r->f->locals, LLVMGetOperand(user, 1)))
        return follow_local(r, LLVMGetOperand(user, 1));
    return false;
}

bool pl_value_only_delays(const struct pl_function *f, const struct pl_loop *loop, LLVMValueRef phi)
{
    struct reach r = {.f = f, .loop = loop, .value = {phi}, .count = 1};

    for (size_t i = 0; i < r.count; i++)
        for (LLVMUseRef use = LLVMGetFirstUse(r.value[i]); use; use = LLVMGetNextUse(use))
            if (!follow(&r, r.value[i], LLVMGetUser(use)))
                return false;
    return true;
}

/* ---- the loop that pauses ---- */

/* A local that counts in memory, as in for (volatile int i = 0; i < n; i++). */
static bool counts_in_memory(const struct pl_function *f, LLVMValueRef store)
{
    LLVMValueRef sum = LLVMIsAStoreInst(store) ? LLVMGetOperand(store, 0) : NULL;

    if (!sum || !LLVMIsABinaryOperator(sum) || LLVMGetInstructionOpcode(sum) != LLVMAdd ||
        !LLVMIsAConstantInt(LLVMGetOperand(sum, 1)))
        return false;
    LLVMValueRef load = LLVMGetOperand(sum, 0);
    return LLVMIsALoadInst(load) &&
           pl_same_place(f->unit, pl_address_of(load), pl_address_of(store));
}

/* Nothing that is computed inside is used outside. */
static bool keeps_to_itself(const struct pl_function *f, const struct pl_loop *loop, LLVMValueRef i)
{
    for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use))
        if (!pl_cfg_inside(&f->cfg, loop, LLVMGetUser(use)))
            return false;
    if (!LLVMIsAStoreInst(i))
        return true;
    LLVMValueRef object = pl_place_of(f->unit, pl_address_of(i)).base;
    for (LLVMUseRef use = LLVMGetFirstUse(object); use; use = LLVMGetNextUse(use))
        if (!LLVMIsAStoreInst(LLVMGetUser(use)) && !LLVMIsACallInst(LLVMGetUser(use)) &&
            !pl_cfg_inside(&f->cfg, loop, LLVMGetUser(use)))
            return false;
    return true;
}

bool pl_is_delay_loop(const struct pl_function *f, const struct pl_loop *loop)
{
    bool counts = false;

    for (uint32_t b = 0; b < f->cfg.block_count; b++)
        for (LLVMValueRef i = loop->has[b] ? LLVMGetFirstInstruction(f->cfg.block[b].at) : NULL; i;
             i = LLVMGetNextInstruction(i)) {
            if (!is_quiet(f, i) || !keeps_to_itself(f, loop, i))
                return false;
            counts |= counts_in_memory(f, i) ||
                      (b == loop->head && LLVMIsAPHINode(i) && pl_value_moves(f, loop, i));
        }
    return counts && loop->natural;
}
