/*
 * Where a loop is entered and left: calls on edges of the control flow. The edges that several
 * loops share are gone through once, each with all its calls.
 *
 * A call stands at the end of the block that the edge leaves, if that has no other edge; at the
 * start of the block it reaches, if that has no other; else in a new block between the two. An
 * edge of an exception or of a computed goto cannot be divided: its entry is told before it
 * starts, its exit where it arrives. So the runtime may hear of an entry that does not happen
 * and of an exit from a loop that it is not in; neither means anything.
 *
 * A phi node cannot be given another block through the LLVM-C interface: it is made again.
 */
#include "instrument/function.h"

static void move_phis(const struct pl_unit *u, LLVMBasicBlockRef block, LLVMBasicBlockRef from,
                      LLVMBasicBlockRef between)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(block), next; LLVMIsAPHINode(phi); phi = next) {
        next = LLVMGetNextInstruction(phi);
        pl_before(u, phi);
        LLVMValueRef new = LLVMBuildPhi(u->builder, LLVMTypeOf(phi), "");
        bool moved = false;
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            LLVMValueRef value = LLVMGetIncomingValue(phi, i);
            LLVMBasicBlockRef origin = LLVMGetIncomingBlock(phi, i);
            if (origin == from && moved)
                continue; /* a switch may have come here several times */
            moved |= origin == from;
            origin = origin == from ? between : origin;
            LLVMAddIncoming(new, &value, &origin, 1);
        }
        pl_replace(phi, new);
    }
}

static bool can_divide(LLVMValueRef end, LLVMBasicBlockRef to)
{
    switch ((int)LLVMGetInstructionOpcode(end)) {
    case LLVMBr:
    case LLVMSwitch:
        return true;
    case LLVMInvoke:
        return LLVMGetNormalDest(end) == to;
    default:
        return false;
    }
}

/* A new block on the edge; the builder stands before its only instruction. */
static void divide(const struct pl_unit *u, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    LLVMBasicBlockRef between = LLVMInsertBasicBlockInContext(u->context, to, "plumb.edge");

    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        if (LLVMGetSuccessor(end, i) == to)
            LLVMSetSuccessor(end, i, between);
    move_phis(u, to, from, between);
    LLVMPositionBuilderAtEnd(u->builder, between);
    LLVMSetCurrentDebugLocation2(u->builder, NULL);
    pl_line_from(u, end);
    pl_before(u, LLVMBuildBr(u->builder, to));
}

static void call_of(const struct pl_unit *u, const struct pl_marks *m, const char *name)
{
    LLVMValueRef arguments[] = {m->record, m->room};
    (void)pl_call(u, name, u->none, arguments, 2);
}

/* Which loops does the edge leave (inner first), and which does it enter? */
static bool crosses(const struct pl_marks *m, uint32_t from, uint32_t to, bool leaving)
{
    return m->marked && m->loop->has[leaving ? from : to] && !m->loop->has[leaving ? to : from];
}

static void put_calls(const struct pl_function *f, uint32_t from, uint32_t to, bool leaving)
{
    for (uint32_t i = 0; i < f->cfg.loop_count; i++) {
        if (!crosses(&f->marks[i], from, to, leaving))
            continue;
        /* A branch of the compiler's own, to the end of a scope say, has no line. */
        pl_line_from(f->unit, pl_first_place(f->cfg.block[f->marks[i].loop->head].at));
        if (!leaving)
            pl_announce_in_vain(f, &f->marks[i]);
        call_of(f->unit, &f->marks[i], leaving ? "__plumb_loop_leave" : "__plumb_loop_enter");
    }
}

static void mark_edge(const struct pl_function *f, uint32_t from, uint32_t to)
{
    const struct pl_unit *u = f->unit;
    const struct pl_block *a = &f->cfg.block[from], *b = &f->cfg.block[to];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(a->at);

    if (a->next_count == 1 && !pl_is_call(end)) {
        pl_before(u, end);
    } else if (b->previous_count == 1) {
        pl_before(u, pl_first_place(b->at));
    } else if (can_divide(end, b->at)) {
        divide(u, a->at, b->at);
    } else {
        pl_before(u, pl_first_place(b->at));
        pl_line_from(u, end);
        put_calls(f, from, to, true);
        pl_before(u, end);
        put_calls(f, from, to, false);
        return;
    }
    pl_line_from(u, end);
    put_calls(f, from, to, true);
    put_calls(f, from, to, false);
}

void pl_loops_mark_edges(const struct pl_function *f)
{
    for (uint32_t b = 0; b < f->cfg.block_count; b++)
        for (uint32_t s = 0; s < f->cfg.block[b].next_count; s++) {
            uint32_t to = f->cfg.block[b].next[s];
            bool crossed = false;
            for (uint32_t i = 0; i < f->cfg.loop_count && !crossed; i++)
                crossed = crosses(&f->marks[i], b, to, true) || crosses(&f->marks[i], b, to, false);
            if (crossed)
                mark_edge(f, b, to);
        }
}
