/*
 * What an address points to, as far as one function tells.
 */
#ifndef PL_INSTRUMENT_MEMORY_H
#define PL_INSTRUMENT_MEMORY_H

#include "instrument/unit.h"

/* A place in memory: a base and, if `known`, the distance in bytes from it. */
struct pl_place {
    LLVMValueRef base; /* no cast, no member or index access any more */
    int64_t offset;
    bool known;
};
struct pl_place pl_place_of(const struct pl_unit *u, LLVMValueRef address);

/* The value without casts that keep its bits: pointer to integer and back, and the like. */
LLVMValueRef pl_without_casts(LLVMValueRef value);

/* The two are the same address whenever both are computed. */
bool pl_same_place(const struct pl_unit *u, LLVMValueRef a, LLVMValueRef b);

/* The stack objects of a function whose address does not leave it: nobody else can reach them. */
struct pl_locals {
    LLVMValueRef *kept;
    size_t count;
};
void pl_locals_find(struct pl_locals *locals, LLVMValueRef function);
void pl_locals_release(struct pl_locals *locals);
bool pl_is_local(const struct pl_unit *u, const struct pl_locals *locals, LLVMValueRef address);

/* Is what stands there never written: a constant, a table of virtual functions? */
bool pl_is_constant(const struct pl_unit *u, LLVMValueRef address);

/* Does the load or store belong to the pointer to an object's virtual functions? */
bool pl_is_vptr(const struct pl_unit *u, LLVMValueRef access);

/* Does the store or fill give a local what it has before the program writes it? It is clang's
 * (-ftrivial-auto-var-init, src/build/flags.c), no access of the program. */
bool pl_is_first_value(const struct pl_unit *u, LLVMValueRef writer);

/* What the load, or the atomic access, goes to. */
LLVMValueRef pl_address_of(LLVMValueRef access);

#endif
