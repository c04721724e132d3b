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

/* Is it memory that the function has just allocated? Nobody else knows it before it is published,
 * and the loop that does so often keeps the value it expects there, which is to be seen as a value.
 */
static bool is_own(LLVMValueRef i)
{
    LLVMValueRef p = LLVMGetOperand(i, LLVMIsALoadInst(i) ? 0 : 1);
    while (LLVMIsAGetElementPtrInst(p) || LLVMIsABitCastInst(p))
        p = LLVMGetOperand(p, 0);
    if (!LLVMIsACallInst(p) && !LLVMIsAInvokeInst(p))
        return false;
    LLVMValueRef f = LLVMGetCalledValue(p);
    unsigned kind = LLVMGetEnumAttributeKindForName("noalias", strlen("noalias"));
    return LLVMGetCallSiteEnumAttribute(p, LLVMAttributeReturnIndex, kind) ||
           (LLVMIsAFunction(f) && LLVMGetEnumAttributeAtIndex(f, LLVMAttributeReturnIndex, kind));
}

static void keep(LLVMModuleRef module, LLVMValueRef i)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMMetadataRef node = LLVMMDNodeInContext2(context, NULL, 0);
    if (!is_plain(i) || is_own(i))
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
