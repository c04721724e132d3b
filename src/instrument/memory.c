/* See memory.h. */
#include "instrument/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* One member or index access: its distance, if all its indices are constants. */
static bool step_of(const struct pl_unit *u, LLVMValueRef gep, int64_t *out)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    unsigned count = (unsigned)LLVMGetNumOperands(gep);
    int64_t offset = 0;

    for (unsigned i = 1; i < count; i++) {
        LLVMValueRef index = LLVMIsAConstantInt(LLVMGetOperand(gep, i));
        if (!index)
            return false;
        int64_t n = LLVMConstIntGetSExtValue(index);
        if (i == 1) {
            offset += n * (int64_t)LLVMABISizeOfType(u->layout, type);
        } else if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            offset += (int64_t)LLVMOffsetOfElement(u->layout, type, (unsigned)n);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)n);
        } else {
            type = LLVMGetElementType(type);
            offset += n * (int64_t)LLVMABISizeOfType(u->layout, type);
        }
    }
    *out = offset;
    return true;
}

/* What a member access, a cast or a marker intrinsic is made of; NULL: something else. */
static LLVMValueRef below(LLVMValueRef value)
{
    if (LLVMIsAGetElementPtrInst(value) || LLVMIsABitCastInst(value) ||
        LLVMIsAAddrSpaceCastInst(value))
        return LLVMGetOperand(value, 0);
    if (LLVMIsAConstantExpr(value)) {
        LLVMOpcode opcode = LLVMGetConstOpcode(value);
        return opcode == LLVMGetElementPtr || opcode == LLVMBitCast || opcode == LLVMAddrSpaceCast
                   ? LLVMGetOperand(value, 0)
                   : NULL;
    }
    if (LLVMIsACallInst(value) && (pl_is_intrinsic(value, "llvm.launder.invariant") ||
                                   pl_is_intrinsic(value, "llvm.strip.invariant")))
        return LLVMGetOperand(value, 0);
    return NULL;
}

static bool is_gep(LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(value) ||
           (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr);
}

struct pl_place pl_place_of(const struct pl_unit *u, LLVMValueRef address)
{
    struct pl_place place = {address, 0, true};

    for (LLVMValueRef next; (next = below(place.base)); place.base = next) {
        int64_t step = 0;
        if (is_gep(place.base) && !step_of(u, place.base, &step))
            place.known = false;
        place.offset += step;
    }
    return place;
}

LLVMValueRef pl_without_casts(LLVMValueRef value)
{
    while (LLVMIsABitCastInst(value) || LLVMIsAIntToPtrInst(value) || LLVMIsAPtrToIntInst(value) ||
           LLVMIsAFreezeInst(value))
        value = LLVMGetOperand(value, 0);
    return value;
}

bool pl_same_place(const struct pl_unit *u, LLVMValueRef a, LLVMValueRef b)
{
    if (a == b)
        return true;
    struct pl_place x = pl_place_of(u, a), y = pl_place_of(u, b);
    return x.base == y.base && x.known && y.known && x.offset == y.offset;
}

/* ---- locals ---- */

/* Does this use of a pointer to a local let the address out? *same: it makes another pointer
   to it, whose uses count too. */
static bool lets_out(LLVMValueRef user, LLVMValueRef pointer, bool *same)
{
    *same = false;
    switch ((int)LLVMGetInstructionOpcode(user)) {
    case LLVMLoad:
    case LLVMICmp:
        return false;
    case LLVMStore:
        return LLVMGetOperand(user, 0) == pointer;
    case LLVMAtomicRMW:
        return LLVMGetOperand(user, 1) == pointer;
    case LLVMAtomicCmpXchg:
        return LLVMGetOperand(user, 1) == pointer || LLVMGetOperand(user, 2) == pointer;
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMPHI:
    case LLVMSelect:
        *same = true;
        return false;
    case LLVMCall:
        return !(pl_is_intrinsic(user, "llvm.lifetime.") || pl_is_intrinsic(user, "llvm.mem") ||
                 pl_is_intrinsic(user, "llvm.va_") || pl_is_intrinsic(user, "llvm.objectsize"));
    default:
        return true;
    }
}

static bool escapes(LLVMValueRef object)
{
    enum { MOST = 256 }; /* more pointers to it than that: nobody knows */
    LLVMValueRef known[MOST] = {object};
    size_t count = 1;

    for (size_t i = 0; i < count; i++)
        for (LLVMUseRef use = LLVMGetFirstUse(known[i]); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            bool same, seen = false;
            if (!LLVMIsAInstruction(user) || lets_out(user, known[i], &same))
                return true;
            for (size_t k = 0; same && k < count && !seen; k++)
                seen = known[k] == user;
            if (!same || seen)
                continue;
            if (count == MOST)
                return true;
            known[count++] = user;
        }
    return false;
}

void pl_locals_find(struct pl_locals *locals, LLVMValueRef function)
{
    size_t room = 0;

    *locals = (struct pl_locals){0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsAAllocaInst(i) || escapes(i))
                continue;
            if (locals->count == room) {
                room = room ? room * 2 : 16;
                LLVMValueRef *kept = realloc(locals->kept, room * sizeof(LLVMValueRef));
                PL_ASSERT(kept != NULL);
                locals->kept = kept;
            }
            locals->kept[locals->count++] = i;
        }
}

void pl_locals_release(struct pl_locals *locals)
{
    free(locals->kept);
}

bool pl_is_local(const struct pl_unit *u, const struct pl_locals *locals, LLVMValueRef address)
{
    LLVMValueRef base = pl_place_of(u, address).base;

    for (size_t i = 0; i < locals->count; i++)
        if (locals->kept[i] == base)
            return true;
    return false;
}

bool pl_is_first_value(const struct pl_unit *u, LLVMValueRef writer)
{
    LLVMValueRef notes = LLVMGetMetadata(writer, u->annotation), note[8];
    unsigned count = notes ? LLVMGetMDNodeNumOperands(notes) : 0, length = 0;

    if (count > 8)
        return false;
    if (count)
        LLVMGetMDNodeOperands(notes, note);
    for (unsigned i = 0; i < count; i++) {
        const char *text = LLVMIsAMDString(note[i]) ? LLVMGetMDString(note[i], &length) : "";
        if (length == strlen("auto-init") && memcmp(text, "auto-init", length) == 0)
            return true;
    }
    return false;
}

/* ---- constants and virtual functions ---- */

/* The name of the type that the access has in the language's rules of aliasing. */
static bool is_of_type(const struct pl_unit *u, LLVMValueRef access, const char *name)
{
    LLVMValueRef tag = LLVMGetMetadata(access, u->tbaa), parts[4], fields[64];
    unsigned length = 0;

    if (!tag || LLVMGetMDNodeNumOperands(tag) < 3 || LLVMGetMDNodeNumOperands(tag) > 4)
        return false;
    LLVMGetMDNodeOperands(tag, parts); /* base type, access type, offset */
    unsigned count = LLVMGetMDNodeNumOperands(parts[1]);
    if (count == 0 || count > 64)
        return false;
    LLVMGetMDNodeOperands(parts[1], fields);
    if (!fields[0] || !LLVMIsAMDString(fields[0]))
        return false;
    const char *text = LLVMGetMDString(fields[0], &length);
    return length == strlen(name) && memcmp(text, name, length) == 0;
}

bool pl_is_vptr(const struct pl_unit *u, LLVMValueRef access)
{
    return is_of_type(u, access, "vtable pointer");
}

bool pl_is_constant(const struct pl_unit *u, LLVMValueRef address)
{
    LLVMValueRef base = pl_place_of(u, address).base;

    if (LLVMIsAGlobalVariable(base))
        return LLVMIsGlobalConstant(base);
    return LLVMIsALoadInst(base) && pl_is_vptr(u, base);
}

LLVMValueRef pl_address_of(LLVMValueRef access)
{
    return LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
}
