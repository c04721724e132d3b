/*
 * Functions that run before and after main: the C interface of LLVM cannot ask for .init_array
 * sections, and the old .ctors ones that it would emit run in another order. So each entry of
 * the two lists becomes a pointer in the right section here.
 */
#include "instrument/constructors.h"

#include <llvm-c/Comdat.h>
#include <stdio.h>

static void place(const struct pl_unit *u, const char *section, LLVMValueRef entry)
{
    uint64_t priority = LLVMConstIntGetZExtValue(LLVMGetOperand(entry, 0));
    LLVMValueRef function = LLVMGetOperand(entry, 1), key = LLVMGetOperand(entry, 2);
    char name[64];

    if (LLVMIsAConstantPointerNull(function))
        return;
    (void)snprintf(name, sizeof name, priority == 65535 ? "%s" : "%s.%05u", section,
                   (unsigned)priority);
    LLVMValueRef pointer = LLVMAddGlobal(u->module, u->pointer, "plumb.run");
    LLVMSetInitializer(pointer, function);
    LLVMSetLinkage(pointer, LLVMInternalLinkage);
    LLVMSetSection(pointer, name);
    LLVMSetAlignment(pointer, 8);
    LLVMValueRef global = LLVMIsAGlobalVariable(key);
    if (global && LLVMGetComdat(global)) /* of an inline variable: kept or dropped with it */
        LLVMSetComdat(pointer, LLVMGetComdat(global));
}

static void move_list(const struct pl_unit *u, const char *list, const char *section)
{
    LLVMValueRef variable = LLVMGetNamedGlobal(u->module, list);
    LLVMValueRef entries = variable ? LLVMGetInitializer(variable) : NULL;

    if (!entries)
        return;
    for (int i = 0; LLVMIsAConstantArray(entries) && i < LLVMGetNumOperands(entries); i++)
        place(u, section, LLVMGetOperand(entries, (unsigned)i));
    LLVMDeleteGlobal(variable);
}

void pl_place_constructors(const struct pl_unit *u)
{
    move_list(u, "llvm.global_ctors", ".init_array");
    move_list(u, "llvm.global_dtors", ".fini_array");
}
