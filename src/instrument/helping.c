/*
 * Compare-exchanges by which threads help each other: what the runtime must know to leave them to
 * the one they are done for (src/explore/helping.c). Nobody looks at what they return, and
 *   - own: nothing but computing is between an update or store and this one;
 *   - lent: after it, whether it succeeds or not, the round of its loop ends with nothing done.
 */
#include <stdlib.h>

#include "base/status.h"
#include "instrument/function.h"

enum { OWN = 1, LENT = 2 }; /* as the runtime has them: src/runtime/helping.h */

static bool is_write(LLVMValueRef i)
{
    return LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
           (LLVMIsAStoreInst(i) && pl_is_atomic(i));
}

static bool touches(LLVMValueRef i)
{
    return LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsAFenceInst(i) ||
           (pl_is_call(i) && (!pl_is_harmless_call(i) || pl_is_pause(i)));
}

/* Is an atomic write before it, on every way to it, with nothing but computing between? */
static bool comes_right_after_write(const struct pl_function *f, LLVMValueRef access)
{
    uint32_t block = pl_cfg_find(&f->cfg, LLVMGetInstructionParent(access));
    LLVMValueRef i = LLVMGetPreviousInstruction(access);
    for (int blocks = 0; blocks < 8; blocks++) {
        for (; i; i = LLVMGetPreviousInstruction(i))
            if (is_write(i) || touches(i))
                return is_write(i);
        if (f->cfg.block[block].previous_count != 1)
            return false;
        block = f->cfg.block[block].previous[0];
        i = LLVMGetLastInstruction(f->cfg.block[block].at);
    }
    return false;
}

static unsigned how_it_helps(const struct pl_function *f, LLVMValueRef access)
{
    if (!LLVMIsAAtomicCmpXchgInst(access) || LLVMGetFirstUse(access) || LLVMGetWeak(access))
        return 0;
    return (comes_right_after_write(f, access) ? OWN : 0u) | (pl_ends_round(f, access) ? LENT : 0u);
}

void pl_help_find(struct pl_function *f)
{
    for (uint32_t b = 0; b < f->cfg.block_count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(f->cfg.block[b].at); i;
             i = LLVMGetNextInstruction(i)) {
            unsigned how = how_it_helps(f, i);
            if (!how)
                continue;
            struct pl_help *bigger = realloc(f->help, (f->help_count + 1) * sizeof *bigger);
            PL_ASSERT(bigger != NULL);
            f->help = bigger;
            f->help[f->help_count++] = (struct pl_help){i, how};
        }
}

void pl_announce_help(const struct pl_function *f, LLVMValueRef access)
{
    for (size_t i = 0; i < f->help_count; i++)
        if (f->help[i].access == access) {
            LLVMValueRef arguments[] = {pl_address_of(access), pl_int32(f->unit, f->help[i].how)};
            (void)pl_call(f->unit, "__plumb_helps", f->unit->none, arguments, 2);
        }
}
