/* See function.h: the order of the parts. */
#include "instrument/function.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "instrument/cover.h"

static bool has_attribute(LLVMValueRef function, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       kind) != NULL;
}

/* What was there before anything was put in: only that is instrumented. */
static LLVMValueRef *instructions_of(const struct pl_cfg *cfg, size_t *count)
{
    size_t room = 0;
    LLVMValueRef *all = NULL;

    *count = 0;
    for (uint32_t b = 0; b < cfg->block_count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(cfg->block[b].at); i;
             i = LLVMGetNextInstruction(i)) {
            if (*count == room) {
                room = room ? room * 2 : 64;
                LLVMValueRef *bigger = realloc(all, room * sizeof(LLVMValueRef));
                PL_ASSERT(bigger != NULL);
                all = bigger;
            }
            all[(*count)++] = i;
        }
    return all;
}

static void instrument_one(const struct pl_function *f, LLVMValueRef i)
{
    if (pl_is_atomic(i))
        pl_atomic(f, i);
    else if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
        pl_access(f, i);
    else if (pl_is_call(i))
        pl_foreign_call(f, i);
}

/*
 * A value that is not defined on some way into a block is zero there. It may be anything, so that
 * is one of the things it may be; but what happens to be in a register would make the values at a
 * loop's head, which the runtime compares, differ from one execution to the next.
 */
static void define_values(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && LLVMIsAPHINode(i);
             i = LLVMGetNextInstruction(i))
            for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
                if (LLVMIsUndef(LLVMGetIncomingValue(i, k)))
                    LLVMSetOperand(i, k, LLVMConstNull(LLVMTypeOf(i)));
}

void pl_function_instrument(const struct pl_unit *u, LLVMValueRef function)
{
    struct pl_function f = {.unit = u, .value = function};
    size_t count;

    if (has_attribute(function, "naked") ||
        has_attribute(function, "disable_sanitizer_instrumentation"))
        return;
    f.checked = has_attribute(function, "sanitize_thread");
    define_values(function);
    pl_cfg_build(&f.cfg, function);
    pl_locals_find(&f.locals, function);
    pl_loops_plan(&f);
    pl_in_vain_find(&f);
    pl_help_find(&f);
    pl_dead_find(&f);
    pl_pairs_find(&f);
    pl_bits_find(&f);
    LLVMValueRef *all = instructions_of(&f.cfg, &count);
    pl_loops_mark_heads(&f);
    for (size_t i = 0; i < count; i++)
        instrument_one(&f, all[i]);
    pl_loops_mark_edges(&f);
    pl_cover_function(u->cover, &f);
    for (uint32_t i = 0; i < f.cfg.loop_count; i++)
        free(f.marks[i].value);
    free(f.marks);
    free(f.dead);
    free(f.retry);
    free(f.pair);
    free(f.help);
    free(f.bits);
    free(all);
    pl_locals_release(&f.locals);
    pl_cfg_release(&f.cfg);
}
