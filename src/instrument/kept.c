/* Plain accesses that stay as they are: kept.h. */
#include "instrument/kept.h"

#include <stdbool.h>
#include <string.h>

/* What tells them from those that are volatile in the program. */
static unsigned mark_of(LLVMModuleRef module)
{
    static const char name[] = "plumb.kept";
    return LLVMGetMDKindIDInContext(LLVMGetModuleContext(module), name, (unsigned)strlen(name));
}

static bool is_plain(LLVMValueRef i)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    return (opcode == LLVMLoad || opcode == LLVMStore) && !LLVMGetVolatile(i) &&
           LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
}

static void keep(LLVMModuleRef module, LLVMValueRef i)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMMetadataRef node = LLVMMDNodeInContext2(context, NULL, 0);
    if (!is_plain(i))
        return;
    LLVMSetVolatile(i, true);
    LLVMSetMetadata(i, mark_of(module), LLVMMetadataAsValue(context, node));
}

static void release(LLVMModuleRef module, LLVMValueRef i)
{
    if (!LLVMGetMetadata(i, mark_of(module)))
        return;
    LLVMSetVolatile(i, false);
    LLVMSetMetadata(i, mark_of(module), NULL);
}

static void for_each(LLVMModuleRef module, void (*act)(LLVMModuleRef, LLVMValueRef))
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                act(module, i);
}

void pl_kept_begin(LLVMModuleRef module)
{
    for_each(module, keep);
}

void pl_kept_end(LLVMModuleRef module)
{
    for_each(module, release);
}
