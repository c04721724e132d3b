/*
 * Pairs: a load, and a compare-exchange of the same location that expects what the load has found
 * and ends a void round if it fails. The explorer takes the two for one read-modify-write
 * (explore/pairs.c).
 *
 *     for (;;) {                                        old = load(&top);
 *         old = load(&top);                             do
 *         next = load(&old->next);                          store(&node->next, old);
 *         if (compare_exchange(&top, &old, next))       while (!compare_exchange(&top, &old,
 * node)); return old;
 *     }
 *
 * The load is in the loop (the head comes no more before the compare-exchange), or it comes right
 * before it (the head comes once). Nothing else in the loop changes anything: plain accesses,
 * updates, stores that count, calls and loops inside it make no pair.
 */
#include <stdlib.h>

#include "base/status.h"
#include "instrument/function.h"

static bool is_dead(const struct pl_function *f, LLVMValueRef store)
{
    for (size_t i = 0; i < f->dead_count; i++)
        if (f->dead[i] == store)
            return true;
    return false;
}

static bool changes_something(const struct pl_function *f, LLVMValueRef i)
{
    return LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
           (LLVMIsAStoreInst(i) && pl_is_atomic(i) && !is_dead(f, i));
}

/* Does anything in the loop but this access change something? */
static bool is_alone(const struct pl_function *f, const struct pl_loop *loop, LLVMValueRef access)
{
    for (uint32_t b = 0; b < f->cfg.block_count; b++)
        for (LLVMValueRef i = loop->has[b] ? LLVMGetFirstInstruction(f->cfg.block[b].at) : NULL; i;
             i = LLVMGetNextInstruction(i))
            if (i != access && changes_something(f, i))
                return false;
    return true;
}

/* The innermost loop around the access, if it is one that can be tried and has none inside. */
static const struct pl_loop *loop_of(const struct pl_function *f, LLVMValueRef access)
{
    uint32_t block = pl_cfg_find(&f->cfg, LLVMGetInstructionParent(access));
    const struct pl_marks *m = f->marks, *end = f->marks + f->cfg.loop_count;

    while (m < end && !m->loop->has[block]) /* the innermost is the first */
        m++;
    if (m == end || !m->marked || !m->loop->natural || (m->flags & PL_LOOP_COUNTED) ||
        !(m->flags & (PL_LOOP_PURE | PL_LOOP_POINTS)))
        return NULL;
    for (const struct pl_marks *inner = f->marks; inner < m; inner++)
        if (m->loop->has[inner->loop->head])
            return NULL;
    return m->loop;
}

static bool is_load_of(const struct pl_function *f, LLVMValueRef load, LLVMValueRef access)
{
    return LLVMIsALoadInst(load) && pl_is_atomic(load) &&
           LLVMTypeOf(load) == LLVMTypeOf(LLVMGetOperand(access, 1)) &&
           pl_same_place(f->unit, pl_address_of(load), pl_address_of(access));
}

/* ---- does control that comes from the load come to the compare-exchange? ---- */

struct way {
    const struct pl_function *f;
    const struct pl_loop *loop;
    LLVMValueRef load, unless; /* it does, unless the load finds this (NULL: it always does) */
    uint32_t end;              /* the block of the compare-exchange */
    bool *seen;
};

/* The value that the load is compared with, if that is what decides there; *equal: the successor
   that is taken then. */
static LLVMValueRef constant_compared(const struct way *w, LLVMValueRef end, unsigned *equal)
{
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end))
        return NULL;
    LLVMValueRef compare = LLVMGetCondition(end);
    if (!LLVMIsAICmpInst(compare) ||
        (LLVMGetICmpPredicate(compare) != LLVMIntEQ && LLVMGetICmpPredicate(compare) != LLVMIntNE))
        return NULL;
    LLVMValueRef with = LLVMGetOperand(compare, 1);
    *equal = LLVMGetICmpPredicate(compare) == LLVMIntNE;
    bool known = LLVMIsAConstantInt(with) || LLVMIsAConstantPointerNull(with);
    return known && pl_without_casts(LLVMGetOperand(compare, 0)) == w->load ? with : NULL;
}

static uint64_t number_of(LLVMValueRef constant)
{
    return LLVMIsAConstantInt(constant) ? LLVMConstIntGetZExtValue(constant) : 0;
}

/* Outside the loop only straight on: another round of a loop around it would be another load. */
static bool leads_on(struct way *w, uint32_t block)
{
    const struct pl_block *b = &w->f->cfg.block[block];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b->at);
    unsigned equal = 2, ways = 0;
    LLVMValueRef with = constant_compared(w, end, &equal);
    if (with && (!w->unless || number_of(w->unless) == number_of(with)))
        w->unless = with;
    else
        equal = 2;
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
        uint32_t to = pl_cfg_find(&w->f->cfg, LLVMGetSuccessor(end, s));
        if (s == equal || to == w->end)
            continue;
        if (!w->loop->has[block] && ways++)
            return false;
        if (w->loop->has[block] && (!w->loop->has[to] || to == w->loop->head))
            return false;
        if (w->seen[to] && !w->loop->has[to])
            return false;
        if (!w->seen[to]) {
            w->seen[to] = true;
            if (!leads_on(w, to))
                return false;
        }
    }
    return LLVMGetNumSuccessors(end) > 0;
}

static void add(struct pl_function *f, const struct pl_loop *loop, LLVMValueRef load,
                LLVMValueRef compare)
{
    struct pl_pair *bigger = realloc(f->pair, (f->pair_count + 1) * sizeof *bigger);
    struct way w = {f,
                    loop,
                    load,
                    NULL,
                    pl_cfg_find(&f->cfg, LLVMGetInstructionParent(compare)),
                    calloc(f->cfg.block_count + 1, sizeof(bool))};
    uint32_t from = pl_cfg_find(&f->cfg, LLVMGetInstructionParent(load));
    PL_ASSERT(bigger != NULL && w.seen != NULL);
    f->pair = bigger;
    unsigned how = loop->has[from] ? 0 : PL_PAIR_HEAD;
    w.seen[from] = true;
    if (from == w.end || leads_on(&w, from))
        how |= PL_PAIR_SURE | (w.unless ? PL_PAIR_UNLESS : 0u);
    f->pair[f->pair_count++] =
        (struct pl_pair){load, compare, how, w.unless ? number_of(w.unless) : 0};
    free(w.seen);
}

/* The loads right before the loop from which the value at its head comes (values.c says of them
   what there is to say). */
static void add_loads_before(struct pl_function *f, const struct pl_loop *loop, LLVMValueRef phi,
                             LLVMValueRef access)
{
    unsigned count = LLVMCountIncoming(phi);
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < count; i++) {
            LLVMValueRef load = pl_without_casts(LLVMGetIncomingValue(phi, i));
            if (loop->has[pl_cfg_find(&f->cfg, LLVMGetIncomingBlock(phi, i))])
                continue;
            if (k)
                add(f, loop, load, access);
            else if (!is_load_of(f, load, access))
                return;
        }
}

static void find_pair(struct pl_function *f, LLVMValueRef access)
{
    const struct pl_loop *loop = loop_of(f, access);
    LLVMValueRef expected = pl_without_casts(LLVMGetOperand(access, 1));

    if (!loop || LLVMStoreSizeOfType(f->unit->layout, LLVMTypeOf(expected)) > 8 ||
        !is_alone(f, loop, access))
        return;
    if (LLVMIsAPHINode(expected) &&
        LLVMGetInstructionParent(expected) == f->cfg.block[loop->head].at &&
        pl_value_is_retried(f, loop, expected))
        add_loads_before(f, loop, expected, access);
    else if (is_load_of(f, expected, access) && pl_cfg_inside(&f->cfg, loop, expected))
        add(f, loop, expected, access);
}

void pl_pairs_find(struct pl_function *f)
{
    for (size_t i = 0; i < f->retry_count; i++)
        find_pair(f, f->retry[i]);
}

bool pl_is_paired(const struct pl_function *f, LLVMValueRef access)
{
    for (size_t i = 0; i < f->pair_count; i++)
        if (f->pair[i].compare == access)
            return true;
    return false;
}

void pl_announce_pair(const struct pl_function *f, LLVMValueRef load)
{
    for (size_t i = 0; i < f->pair_count; i++) {
        if (f->pair[i].load != load)
            continue;
        LLVMValueRef arguments[] = {pl_address_of(load), pl_int32(f->unit, f->pair[i].how),
                                    pl_word(f->unit, f->pair[i].unless)};
        (void)pl_call(f->unit, "__plumb_pair", f->unit->none, arguments, 3);
        return;
    }
}
