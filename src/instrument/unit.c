/* See unit.h. */
#include "instrument/unit.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

static unsigned attribute_kind(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

void pl_unit_init(struct pl_unit *u, LLVMModuleRef module)
{
    *u = (struct pl_unit){.module = module, .context = LLVMGetModuleContext(module)};
    u->layout = LLVMGetModuleDataLayout(module);
    u->builder = LLVMCreateBuilderInContext(u->context);
    u->none = LLVMVoidTypeInContext(u->context);
    u->pointer = LLVMPointerTypeInContext(u->context, 0);
    u->int32 = LLVMInt32TypeInContext(u->context);
    u->word = LLVMInt64TypeInContext(u->context);
    u->no_merge = attribute_kind("nomerge");
    u->no_unwind = attribute_kind("nounwind");
    u->by_value = attribute_kind("byval");
    u->tbaa = LLVMGetMDKindIDInContext(u->context, "tbaa", 4);
    u->annotation = LLVMGetMDKindIDInContext(u->context, "annotation", 10);
}

void pl_unit_release(struct pl_unit *u)
{
    LLVMDisposeBuilder(u->builder);
}

LLVMTypeRef pl_int_type(const struct pl_unit *u, uint64_t bytes)
{
    return LLVMIntTypeInContext(u->context, (unsigned)bytes * 8);
}

LLVMValueRef pl_word(const struct pl_unit *u, uint64_t value)
{
    return LLVMConstInt(u->word, value, false);
}

LLVMValueRef pl_int32(const struct pl_unit *u, uint64_t value)
{
    return LLVMConstInt(u->int32, value, false);
}

static void add_attribute(const struct pl_unit *u, LLVMValueRef call, unsigned kind)
{
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(u->context, kind, 0));
}

LLVMValueRef pl_call(const struct pl_unit *u, const char *name, LLVMTypeRef result,
                     LLVMValueRef *arguments, unsigned count)
{
    enum { MOST = 8 };
    LLVMTypeRef types[MOST];
    LLVMValueRef function = LLVMGetNamedFunction(u->module, name);

    for (unsigned i = 0; i < count && i < MOST; i++)
        types[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
    if (!function)
        function = LLVMAddFunction(u->module, name, type);
    LLVMValueRef call = LLVMBuildCall2(u->builder, type, function, arguments, count, "");
    add_attribute(u, call, u->no_merge);
    add_attribute(u, call, u->no_unwind);
    return call;
}

static LLVMMetadataRef line_of(LLVMValueRef instruction)
{
    LLVMMetadataRef line = NULL;

    for (LLVMValueRef i = instruction; i && !line; i = LLVMGetNextInstruction(i))
        line = LLVMInstructionGetDebugLoc(i);
    for (LLVMValueRef i = instruction; i && !line; i = LLVMGetPreviousInstruction(i))
        line = LLVMInstructionGetDebugLoc(i);
    return line;
}

void pl_before(const struct pl_unit *u, LLVMValueRef instruction)
{
    LLVMPositionBuilderBefore(u->builder, instruction);
    LLVMSetCurrentDebugLocation2(u->builder, line_of(instruction));
}

void pl_line_from(const struct pl_unit *u, LLVMValueRef instruction)
{
    LLVMMetadataRef line = LLVMGetCurrentDebugLocation2(u->builder);
    LLVMSetCurrentDebugLocation2(u->builder, line ? line : line_of(instruction));
}

bool pl_is_scalar(const struct pl_unit *u, LLVMTypeRef type)
{
    switch ((int)LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: /* i1, i24: their bytes hold more than their bits */
        return LLVMSizeOfTypeInBits(u->layout, type) == LLVMStoreSizeOfType(u->layout, type) * 8;
    case LLVMPointerTypeKind:
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
        return true;
    case LLVMVectorTypeKind:
        return LLVMGetTypeKind(LLVMGetElementType(type)) != LLVMPointerTypeKind &&
               LLVMSizeOfTypeInBits(u->layout, type) == LLVMStoreSizeOfType(u->layout, type) * 8;
    default:
        return false;
    }
}

LLVMValueRef pl_to_int(const struct pl_unit *u, LLVMValueRef value, uint64_t bytes)
{
    LLVMTypeRef type = pl_int_type(u, bytes);

    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(u->builder, value, type, "");
    return LLVMBuildBitCast(u->builder, value, type, "");
}

LLVMValueRef pl_from_int(const struct pl_unit *u, LLVMValueRef value, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildIntToPtr(u->builder, value, type, "");
    return LLVMBuildBitCast(u->builder, value, type, "");
}

void pl_replace(LLVMValueRef old, LLVMValueRef new)
{
    LLVMReplaceAllUsesWith(old, new);
    LLVMInstructionEraseFromParent(old);
}

bool pl_starts(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool pl_is_call(LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    return opcode == LLVMCall || opcode == LLVMInvoke || opcode == LLVMCallBr;
}

LLVMValueRef pl_callee(LLVMValueRef call)
{
    return LLVMIsAFunction(LLVMGetCalledValue(call));
}

const char *pl_callee_name(LLVMValueRef call)
{
    size_t length;
    LLVMValueRef callee = pl_callee(call);
    return callee ? LLVMGetValueName2(callee, &length) : "";
}

bool pl_is_intrinsic(LLVMValueRef call, const char *prefix)
{
    LLVMValueRef callee = pl_callee(call);
    return callee && LLVMGetIntrinsicID(callee) != 0 && pl_starts(pl_callee_name(call), prefix);
}
