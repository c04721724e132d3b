/*
 * Rounds that come to nothing, and what tells: before a thread finds out by making them, or though
 * it never makes them at all.
 *
 * A loop that waits in vain: whatever it reads, the round of the loop around it is void.
 *
 *     for (;;) {                                   the loop around it
 *         int seen = load(&slot);
 *         if (is_near(load(&granted)))
 *             return;
 *         while (load(&slot) == seen)              waits in vain
 *             ;
 *     }
 *
 * It has one atomic load and goes on as long as that finds one value; once it finds another,
 * control comes to the head of the loop around it with nothing done on the way and every value
 * there as it was.
 *
 * A compare-exchange that retries: if it fails, control comes to the head of its loop in that way.
 *
 *     for (;;) {
 *         old = load(&top);
 *         if (compare_exchange(&top, &old, node))  retries
 *             return;
 *     }
 */
#include <stdlib.h>

#include "base/status.h"
#include "instrument/function.h"

static bool is_update(LLVMValueRef i)
{
    return LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAStoreInst(i);
}

/* From here to the end of the block, is there nothing but computing? */
static bool only_computes_from(LLVMValueRef i)
{
    for (; i; i = LLVMGetNextInstruction(i))
        if (LLVMIsALoadInst(i) || LLVMIsAFenceInst(i) || is_update(i) ||
            (pl_is_call(i) && !pl_is_harmless_call(i)))
            return false;
    return true;
}

static bool only_computes(LLVMBasicBlockRef block)
{
    return only_computes_from(LLVMGetFirstInstruction(block));
}

/* The value as it is when control has come through the last of these blocks, one after the other.
 */
static LLVMValueRef value_after(const struct pl_cfg *cfg, const uint32_t *path, unsigned length,
                                LLVMValueRef value)
{
    for (unsigned at = length - 1; at > 0; at--)
        if (LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == cfg->block[path[at]].at)
            for (unsigned i = 0, count = LLVMCountIncoming(value); i < count; i++)
                if (LLVMGetIncomingBlock(value, i) == cfg->block[path[at - 1]].at) {
                    value = LLVMGetIncomingValue(value, i);
                    break;
                }
    return value;
}

static bool is_success_of(LLVMValueRef value, LLVMValueRef compare)
{
    return LLVMIsAExtractValueInst(value) && LLVMGetOperand(value, 0) == compare &&
           LLVMGetIndices(value)[0] == 1;
}

/* The value if the compare-exchange has failed (NULL: none has). */
static LLVMValueRef if_failed(LLVMValueRef value, LLVMValueRef compare)
{
    if (!compare)
        return value;
    if (LLVMIsASelectInst(value) && is_success_of(LLVMGetOperand(value, 0), compare))
        return LLVMGetOperand(value, 2);
    return is_success_of(value, compare) ? LLVMConstNull(LLVMTypeOf(value)) : value;
}

/* Does every value at the head stay as it was, if control comes there through these blocks?
   failed: but for those that a compare-exchange has read, after this one has failed. */
static bool keeps_values(const struct pl_function *f, const struct pl_loop *loop,
                         const uint32_t *path, unsigned length, LLVMValueRef failed)
{
    LLVMBasicBlockRef from = f->cfg.block[path[length - 1]].at;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(f->cfg.block[loop->head].at);
         phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
            if (LLVMGetIncomingBlock(phi, i) == from &&
                if_failed(value_after(&f->cfg, path, length, LLVMGetIncomingValue(phi, i)),
                          failed) != phi &&
                !(failed && pl_value_is_retried(f, loop, phi)))
                return false;
    return true;
}

/* Is every way to `block` by the edge? */
static bool is_the_way_to(const struct pl_cfg *cfg, uint32_t from, uint32_t to, uint32_t block)
{
    if (!pl_cfg_dominates(cfg, to, block))
        return false;
    for (uint32_t i = 0; i < cfg->block[to].previous_count; i++) {
        uint32_t other = cfg->block[to].previous[i];
        if (other != from && !pl_cfg_dominates(cfg, to, other))
            return false;
    }
    return true;
}

/* The value that a branch or switch goes by; NULL: it goes one way. */
static LLVMValueRef condition_of(LLVMValueRef end)
{
    bool branch = LLVMIsABranchInst(end) && LLVMIsConditional(end);
    return branch || LLVMIsASwitchInst(end) ? LLVMGetOperand(end, 0) : NULL;
}

/* Where it goes if that is so. */
static LLVMBasicBlockRef where_to(LLVMValueRef end, uint64_t condition)
{
    if (LLVMIsABranchInst(end))
        return LLVMGetSuccessor(end, condition ? 0 : 1);
    for (unsigned i = 1; i < LLVMGetNumSuccessors(end); i++)
        if (LLVMConstIntGetZExtValue(LLVMGetOperand(end, 2 * i)) == condition)
            return LLVMGetSuccessor(end, i);
    return LLVMGetSwitchDefaultDest(end);
}

static bool is_bit(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

/* A bit that was branched on before control came to `through`: which is it? False: it was not. */
static bool is_known_bit(const struct pl_cfg *cfg, LLVMValueRef bit, uint32_t through,
                         uint64_t *known)
{
    for (uint32_t at = through; at != 0;) {
        at = cfg->block[at].dominator;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg->block[at].at);
        for (*known = 0; condition_of(end) == bit && *known < 2; ++*known)
            if (is_the_way_to(cfg, at, pl_cfg_find(cfg, where_to(end, *known)), through))
                return true;
    }
    return false;
}

/* Where control goes from the block, if it has come through `through` and then from `from`. That it
   leaves a scope, and which way, is often computed once more: PL_NO_BLOCK if it is not known. */
static uint32_t next_after(const struct pl_cfg *cfg, uint32_t block, uint32_t from,
                           uint32_t through, LLVMValueRef failed)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg->block[block].at);
    LLVMValueRef condition = condition_of(end);
    uint64_t known;

    if (cfg->block[block].next_count == 1)
        return cfg->block[block].next[0];
    if (!condition)
        return PL_NO_BLOCK;
    LLVMValueRef phi = LLVMIsAPHINode(condition);
    if (phi && LLVMGetInstructionParent(phi) == cfg->block[block].at)
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
            if (LLVMGetIncomingBlock(phi, i) == cfg->block[from].at)
                condition = LLVMGetIncomingValue(phi, i);
    condition = if_failed(condition, failed);
    if (LLVMIsAConstantInt(condition))
        return pl_cfg_find(cfg, where_to(end, LLVMConstIntGetZExtValue(condition)));
    if (is_bit(condition) && is_known_bit(cfg, condition, through, &known))
        return pl_cfg_find(cfg, where_to(end, known));
    return PL_NO_BLOCK;
}

/* Does control that has come through `through` and takes this edge come straight to the head of the
   loop? failed: because that compare-exchange has. */
static bool leads_back(const struct pl_function *f, const struct pl_loop *loop, uint32_t through,
                       uint32_t from, uint32_t to, LLVMValueRef failed)
{
    enum { STEPS = 16 };
    uint32_t path[STEPS + 1] = {from};
    for (unsigned length = 1; length <= STEPS && to != PL_NO_BLOCK; length++) {
        if (to == loop->head)
            return keeps_values(f, loop, path, length, failed);
        if (!loop->has[to] || !only_computes(f->cfg.block[to].at))
            return false;
        path[length] = to;
        to = next_after(&f->cfg, to, path[length - 1], through, failed);
    }
    return false;
}

/* ---- loops that wait in vain ---- */

static const struct pl_marks *loop_around(const struct pl_function *f, const struct pl_marks *m)
{
    for (const struct pl_marks *o = m + 1; o < f->marks + f->cfg.loop_count; o++) /* by size */
        if (o->loop->has[m->loop->head] && o->loop->head != m->loop->head)
            return o;
    return NULL;
}

/* The only atomic access of the loop, if it is a load. */
static LLVMValueRef only_load(const struct pl_function *f, const struct pl_loop *loop)
{
    LLVMValueRef found = NULL;
    for (uint32_t b = 0; b < f->cfg.block_count; b++)
        for (LLVMValueRef i = loop->has[b] ? LLVMGetFirstInstruction(f->cfg.block[b].at) : NULL; i;
             i = LLVMGetNextInstruction(i)) {
            if (!pl_is_atomic(i))
                continue;
            if (found || !LLVMIsALoadInst(i))
                return NULL;
            found = i;
        }
    return found;
}

/* Is the value compared with another one for being equal or not, and used for nothing else? */
static bool is_only_compared(LLVMValueRef value, LLVMValueRef with)
{
    LLVMUseRef use = LLVMGetFirstUse(value);
    return use && LLVMGetUser(use) == with && !LLVMGetNextUse(use) && LLVMIsAICmpInst(with) &&
           (LLVMGetICmpPredicate(with) == LLVMIntEQ || LLVMGetICmpPredicate(with) == LLVMIntNE);
}

/* Does the loop go on as long as the load finds one value, which does not change, and end as soon
   as it does not? *out: where it ends. */
static bool goes_on_while_equal(const struct pl_function *f, struct pl_marks *m, LLVMValueRef load,
                                uint32_t *out)
{
    const struct pl_loop *loop = m->loop;
    uint32_t block = pl_cfg_find(&f->cfg, LLVMGetInstructionParent(load));
    LLVMValueRef end = LLVMGetBasicBlockTerminator(f->cfg.block[block].at);

    m->wait = LLVMIsABranchInst(end) ? condition_of(end) : NULL;
    if (!m->wait || !is_only_compared(load, m->wait))
        return false;
    m->operand = LLVMGetOperand(m->wait, 0) == load;
    m->place = pl_address_of(load);
    bool equal = LLVMGetICmpPredicate(m->wait) == LLVMIntEQ;
    *out = pl_cfg_find(&f->cfg, where_to(end, !equal));
    for (uint32_t b = 0; b < f->cfg.block_count; b++)
        if (b != block && loop->has[b] && f->cfg.block[b].next_count != 1)
            return false;
    return !pl_cfg_inside(&f->cfg, loop, LLVMGetOperand(m->wait, m->operand)) &&
           !pl_cfg_inside(&f->cfg, loop, m->place) &&
           loop->has[pl_cfg_find(&f->cfg, where_to(end, equal))] && !loop->has[*out];
}

static bool waits_in_vain(const struct pl_function *f, struct pl_marks *m)
{
    const struct pl_marks *around = loop_around(f, m);
    if (!m->marked || !(m->flags & PL_LOOP_PURE) || !m->loop->natural || !around ||
        !around->marked || !(around->flags & PL_LOOP_PURE) || (around->flags & PL_LOOP_COUNTED) ||
        !around->loop->natural)
        return false;
    LLVMValueRef load = only_load(f, m->loop);
    uint32_t out;
    return load && goes_on_while_equal(f, m, load, &out) &&
           leads_back(f, around->loop, m->loop->head,
                      pl_cfg_find(&f->cfg, LLVMGetInstructionParent(load)), out, NULL);
}

void pl_announce_in_vain(const struct pl_function *f, const struct pl_marks *m)
{
    const struct pl_unit *u = f->unit;
    if (!m->wait)
        return;
    LLVMValueRef value = LLVMGetOperand(m->wait, m->operand);
    uint64_t size = LLVMStoreSizeOfType(u->layout, LLVMTypeOf(value));
    if (size > 8 || !pl_is_scalar(u, LLVMTypeOf(value)))
        return;
    value = LLVMBuildZExt(u->builder, pl_to_int(u, value, size), u->word, "");
    LLVMValueRef arguments[] = {m->place, value};
    (void)pl_call(u, "__plumb_in_vain", u->none, arguments, 2);
}

/* ---- compare-exchanges that retry ---- */

/* Where the block's end leads if the compare-exchange in it has failed; that it has may decide only
   further on, as where a scope is left. */
static uint32_t where_if_failed(const struct pl_function *f, LLVMValueRef access)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(access));
    LLVMValueRef ok = LLVMIsABranchInst(end) ? condition_of(end) : NULL;

    if (!LLVMIsABranchInst(end) || (ok && !is_success_of(ok, access)))
        return PL_NO_BLOCK;
    for (LLVMValueRef i = LLVMGetNextInstruction(access); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsALoadInst(i) || LLVMIsAFenceInst(i) || is_update(i) || pl_is_call(i))
            return PL_NO_BLOCK;
    return pl_cfg_find(&f->cfg, ok ? where_to(end, false) : LLVMGetSuccessor(end, 0));
}

/* The innermost loop around the block, if its rounds can be void. */
static const struct pl_loop *round_of(const struct pl_function *f, uint32_t block)
{
    const struct pl_marks *m = f->marks, *end = f->marks + f->cfg.loop_count;

    while (m < end && !m->loop->has[block]) /* the innermost is the first */
        m++;
    bool may_be = m < end && m->marked && m->loop->natural && !(m->flags & PL_LOOP_COUNTED);
    return may_be ? m->loop : NULL;
}

/* Does a round of its loop end if it fails, with nothing changed? */
static bool retries(const struct pl_function *f, LLVMValueRef access)
{
    uint32_t block = pl_cfg_find(&f->cfg, LLVMGetInstructionParent(access));
    uint32_t to = where_if_failed(f, access);
    const struct pl_loop *loop = round_of(f, block);

    return loop && to != PL_NO_BLOCK && leads_back(f, loop, block, block, to, access);
}

bool pl_ends_round(const struct pl_function *f, LLVMValueRef access)
{
    uint32_t block = pl_cfg_find(&f->cfg, LLVMGetInstructionParent(access));
    const struct pl_loop *loop = round_of(f, block);

    return loop && only_computes_from(LLVMGetNextInstruction(access)) &&
           f->cfg.block[block].next_count == 1 &&
           leads_back(f, loop, block, block, f->cfg.block[block].next[0], NULL);
}

static void find_retries(struct pl_function *f)
{
    for (uint32_t b = 0; b < f->cfg.block_count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(f->cfg.block[b].at); i;
             i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsAAtomicCmpXchgInst(i) || !retries(f, i))
                continue;
            LLVMValueRef *bigger = realloc(f->retry, (f->retry_count + 1) * sizeof *bigger);
            PL_ASSERT(bigger != NULL);
            f->retry = bigger;
            f->retry[f->retry_count++] = i;
        }
}

void pl_in_vain_find(struct pl_function *f)
{
    for (uint32_t i = 0; i < f->cfg.loop_count; i++)
        if (!waits_in_vain(f, &f->marks[i]))
            f->marks[i].wait = NULL;
    find_retries(f);
}

void pl_announce_retry(const struct pl_function *f, LLVMValueRef access)
{
    LLVMValueRef arguments[] = {pl_address_of(access), pl_int32(f->unit, pl_is_paired(f, access))};
    for (size_t i = 0; i < f->retry_count; i++)
        if (f->retry[i] == access)
            (void)pl_call(f->unit, "__plumb_retry", f->unit->none, arguments, 2);
}
