/*
 * Which loops are marked, with which values, and the mark at their head.
 *
 * A round of a loop is void, and need not be explored, if the values that reach its head are
 * those of an earlier round and nothing was stored in between (DESIGN "Void rounds"). The values
 * are the phi nodes of the head: whatever else is live there was computed before the loop.
 * Where a cycle has several entries that is not so, and everything computed inside that could be
 * live counts as well.
 *
 * The values go into an alloca of this frame, one for each loop: its address names both.
 */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "instrument/function.h"

/* ---- which ---- */

static bool is_shared_load(const struct pl_function *f, LLVMValueRef i)
{
    return LLVMIsALoadInst(i) && !pl_is_local(f->unit, &f->locals, pl_address_of(i)) &&
           !pl_is_constant(f->unit, pl_address_of(i));
}

/* A loop that reads nothing from outside only computes: it waits for nobody. */
static bool may_wait(const struct pl_function *f, LLVMValueRef i)
{
    if (pl_is_call(i))
        return !pl_is_harmless_call(i) || strcmp(pl_callee_name(i), "__plumb_pause") == 0;
    return pl_is_atomic(i) || is_shared_load(f, i);
}

static bool any_inside(const struct pl_function *f, const struct pl_loop *loop,
                       bool (*test)(const struct pl_function *, LLVMValueRef))
{
    for (uint32_t b = 0; b < f->cfg.block_count; b++)
        if (loop->has[b])
            for (LLVMValueRef i = LLVMGetFirstInstruction(f->cfg.block[b].at); i;
                 i = LLVMGetNextInstruction(i))
                if (test(f, i))
                    return true;
    return false;
}

/* ---- how ---- */

static bool spoils_purity(const struct pl_function *f, LLVMValueRef i)
{
    if (pl_is_call(i))
        return !pl_is_harmless_call(i);
    if (LLVMIsAFenceInst(i))
        return false;
    return !pl_is_atomic(i) && (LLVMIsAStoreInst(i) || is_shared_load(f, i));
}

static bool is_elsewhere(const struct pl_function *f, LLVMValueRef i)
{
    if (!pl_is_atomic(i) || LLVMIsAFenceInst(i))
        return false;
    LLVMValueRef base = pl_place_of(f->unit, pl_address_of(i)).base;
    return !LLVMIsAGlobalVariable(base) || LLVMIsThreadLocal(base);
}

/* Does the way out that starts here end the program? */
static bool aborts(LLVMBasicBlockRef block)
{
    for (int steps = 0; steps < 16; steps++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        if (LLVMIsAUnreachableInst(end)) /* alone, it is a way that the compiler knows not to be */
            return end != LLVMGetFirstInstruction(block);
        if (LLVMGetNumSuccessors(end) != 1)
            return false;
        block = LLVMGetSuccessor(end, 0);
    }
    return false;
}

/* Does a loop inside it only compute? With a value that is tried but never read it may have no end,
   and nothing in it would end the trial. */
static bool computes_in_a_loop(const struct pl_function *f, const struct pl_loop *loop)
{
    for (const struct pl_marks *m = f->marks; m->loop != loop; m++) /* by size */
        if (loop->has[m->loop->head] && !m->marked && !pl_is_delay_loop(f, m->loop))
            return true;
    return false;
}

static unsigned purity(const struct pl_function *f, const struct pl_loop *loop)
{
    for (uint32_t b = 0; b < f->cfg.block_count; b++)
        for (uint32_t s = 0; loop->has[b] && s < f->cfg.block[b].next_count; s++) {
            uint32_t to = f->cfg.block[b].next[s];
            if (!loop->has[to] && aborts(f->cfg.block[to].at))
                return 0;
        }
    if (computes_in_a_loop(f, loop) || any_inside(f, loop, spoils_purity))
        return 0;
    return any_inside(f, loop, is_elsewhere) ? PL_LOOP_POINTS : PL_LOOP_PURE;
}

static void add_value(struct pl_marks *m, LLVMValueRef value)
{
    LLVMValueRef *bigger = realloc(m->value, (m->value_count + 1) * sizeof(LLVMValueRef));
    PL_ASSERT(bigger != NULL);
    m->value = bigger;
    m->value[m->value_count++] = value;
}

static bool is_storable(LLVMValueRef value)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    return kind != LLVMVoidTypeKind && kind != LLVMTokenTypeKind && !LLVMIsAAllocaInst(value);
}

static void choose_values(const struct pl_function *f, struct pl_marks *m)
{
    const struct pl_loop *loop = m->loop;
    LLVMBasicBlockRef head = f->cfg.block[loop->head].at;

    for (LLVMValueRef i = LLVMGetFirstInstruction(head); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        if (loop->natural && (pl_value_is_retried(f, loop, i) || pl_value_only_delays(f, loop, i)))
            continue;
        add_value(m, i);
        if (loop->natural && pl_value_moves(f, loop, i))
            m->flags |= PL_LOOP_COUNTED;
    }
    for (uint32_t b = loop->head; !loop->natural && b != 0;) {
        b = f->cfg.block[b].dominator;
        if (loop->has[b])
            for (LLVMValueRef i = LLVMGetFirstInstruction(f->cfg.block[b].at); i;
                 i = LLVMGetNextInstruction(i))
                if (is_storable(i) && LLVMGetFirstUse(i) && !LLVMIsATerminatorInst(i))
                    add_value(m, i);
    }
    m->compared = m->value_count;
    for (LLVMValueRef i = LLVMGetFirstInstruction(head); loop->natural && i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i))
        if (pl_value_is_retried(f, loop, i))
            add_value(m, i);
}

void pl_loops_plan(struct pl_function *f)
{
    f->marks = calloc(f->cfg.loop_count + 1, sizeof *f->marks);
    PL_ASSERT(f->marks != NULL);
    for (uint32_t i = 0; i < f->cfg.loop_count; i++) {
        struct pl_marks *m = &f->marks[i];
        m->loop = &f->cfg.loop[i];
        m->marked = any_inside(f, m->loop, may_wait) && !pl_is_delay_loop(f, m->loop);
        if (!m->marked)
            continue;
        m->flags = purity(f, m->loop);
        choose_values(f, m);
    }
}

/* Does the object live for one round only? Then what a round leaves in it is nothing. Where the
   compiler did not say so, it is taken to live on. */
static bool is_of_one_round(const struct pl_function *f, const struct pl_loop *loop,
                            LLVMValueRef object)
{
    bool starts = false;

    if (pl_cfg_inside(&f->cfg, loop, object))
        return true;
    for (LLVMUseRef use = LLVMGetFirstUse(object); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user) || !pl_is_intrinsic(user, "llvm.lifetime.start"))
            continue;
        if (!pl_cfg_inside(&f->cfg, loop, user))
            return false;
        starts = true;
    }
    return starts;
}

bool pl_local_counts(const struct pl_function *f, LLVMValueRef writer, LLVMValueRef address)
{
    LLVMValueRef object = pl_place_of(f->unit, address).base;
    /* One that others can reach counts with whatever is written to it: so do its first values, or
       no round would leave it as it was. */
    bool reached = !pl_is_local(f->unit, &f->locals, address);

    for (uint32_t i = 0; i < f->cfg.loop_count; i++) {
        const struct pl_marks *m = &f->marks[i];
        if (m->marked && pl_cfg_inside(&f->cfg, m->loop, writer) &&
            (reached || !is_of_one_round(f, m->loop, object)))
            return true;
    }
    return false;
}

/* ---- the mark ---- */

static uint64_t words_of(const struct pl_unit *u, LLVMValueRef value)
{
    return (LLVMStoreSizeOfType(u->layout, LLVMTypeOf(value)) + 7) / 8;
}

static void store_word(const struct pl_unit *u, LLVMValueRef room, uint64_t at, LLVMValueRef value)
{
    LLVMValueRef index = pl_word(u, at);
    LLVMValueRef place = LLVMBuildGEP2(u->builder, u->word, room, &index, 1, "");
    LLVMSetAlignment(LLVMBuildStore(u->builder, value, place), 8);
}

/* Zero-extended; what fits no integer is stored as it is, over zeros. */
static void store_value(const struct pl_unit *u, LLVMValueRef room, uint64_t at, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    uint64_t size = LLVMStoreSizeOfType(u->layout, type);
    bool integer = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;

    if (integer && LLVMGetIntTypeWidth(type) < 64)
        value = LLVMBuildZExt(u->builder, value, u->word, "");
    else if (size < 8 && pl_is_scalar(u, type))
        value = LLVMBuildZExt(u->builder, pl_to_int(u, value, size), u->word, "");
    else if (size % 8 != 0 || LLVMSizeOfTypeInBits(u->layout, type) != size * 8 ||
             LLVMGetTypeKind(type) == LLVMStructTypeKind)
        for (uint64_t w = 0; w < words_of(u, value); w++)
            store_word(u, room, at + w, pl_word(u, 0));
    store_word(u, room, at, value);
}

LLVMValueRef pl_first_place(LLVMBasicBlockRef block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(i) || LLVMIsALandingPadInst(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

static void make_record(struct pl_function *f, struct pl_marks *m, uint64_t words,
                        uint64_t compared)
{
    const struct pl_unit *u = f->unit;
    LLVMValueRef fields[] = {pl_int32(u, words), pl_int32(u, compared), pl_int32(u, m->flags)};
    LLVMValueRef value = LLVMConstStructInContext(u->context, fields, 3, false);

    m->record = LLVMAddGlobal(u->module, LLVMTypeOf(value), "plumb.loop");
    LLVMSetInitializer(m->record, value);
    LLVMSetGlobalConstant(m->record, true);
    LLVMSetLinkage(m->record, LLVMInternalLinkage);
    LLVMPositionBuilderBefore(u->builder,
                              LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f->value)));
    LLVMSetCurrentDebugLocation2(u->builder, NULL);
    m->room =
        LLVMBuildAlloca(u->builder, LLVMArrayType2(u->word, words ? words : 1), "plumb.values");
    LLVMSetAlignment(m->room, 8);
}

void pl_loops_mark_heads(struct pl_function *f)
{
    const struct pl_unit *u = f->unit;

    for (uint32_t i = 0; i < f->cfg.loop_count; i++) {
        struct pl_marks *m = &f->marks[i];
        uint64_t words = 0, compared = 0;
        if (!m->marked)
            continue;
        for (size_t v = 0; v < m->value_count; v++) {
            words += words_of(u, m->value[v]);
            compared = v < m->compared ? words : compared;
        }
        make_record(f, m, words, compared);
        pl_before(u, pl_first_place(f->cfg.block[m->loop->head].at));
        words = 0;
        for (size_t v = 0; v < m->value_count; v++) {
            store_value(u, m->room, words, m->value[v]);
            words += words_of(u, m->value[v]);
        }
        LLVMValueRef arguments[] = {m->record, m->room};
        (void)pl_call(u, "__plumb_loop_head", u->none, arguments, 2);
    }
}
