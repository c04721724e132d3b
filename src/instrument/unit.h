/*
 * One module of bitcode being instrumented, and how calls of the runtime are put into it.
 *
 * Whatever is inserted keeps the source line of what it stands before: the runtime knows an
 * access by the address that called its hook, and two calls must never become one.
 */
#ifndef PL_INSTRUMENT_UNIT_H
#define PL_INSTRUMENT_UNIT_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_cover;

struct pl_unit {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    LLVMTypeRef none, pointer, int32, word; /* void, ptr, i32, i64 */
    unsigned no_merge, no_unwind, by_value; /* attribute kinds */
    unsigned tbaa, annotation;              /* metadata kinds */
    bool plain_values;    /* plain accesses that may be shared pass their values */
    bool volatile_values; /* so do volatile ones */
    struct pl_cover *cover;
};

void pl_unit_init(struct pl_unit *u, LLVMModuleRef module);
void pl_unit_release(struct pl_unit *u);

LLVMTypeRef pl_int_type(const struct pl_unit *u, uint64_t bytes);
LLVMValueRef pl_word(const struct pl_unit *u, uint64_t value);  /* i64 */
LLVMValueRef pl_int32(const struct pl_unit *u, uint64_t value); /* i32 */

/* A call of the runtime's `name` where the builder stands. */
LLVMValueRef pl_call(const struct pl_unit *u, const char *name, LLVMTypeRef result,
                     LLVMValueRef *arguments, unsigned count);

/* The builder goes before `instruction` and takes over its line; the nearest one, if it has none.
 */
void pl_before(const struct pl_unit *u, LLVMValueRef instruction);
/* If that gave no line: the one of this instruction. */
void pl_line_from(const struct pl_unit *u, LLVMValueRef instruction);

/* `value` as an integer of `bytes` (at most 8), and back to `type`; of equal size. */
LLVMValueRef pl_to_int(const struct pl_unit *u, LLVMValueRef value, uint64_t bytes);
LLVMValueRef pl_from_int(const struct pl_unit *u, LLVMValueRef value, LLVMTypeRef type);

/* Is it a scalar that pl_to_int takes? */
bool pl_is_scalar(const struct pl_unit *u, LLVMTypeRef type);

/* Uses of `old` become uses of `new`, and `old` goes. */
void pl_replace(LLVMValueRef old, LLVMValueRef new);

/* The function called, if it is known; NULL: a pointer or assembly. */
LLVMValueRef pl_callee(LLVMValueRef call);
/* Its name; "" if unknown. */
const char *pl_callee_name(LLVMValueRef call);
bool pl_is_intrinsic(LLVMValueRef call, const char *prefix); /* prefix "": any */
bool pl_is_call(LLVMValueRef instruction);                   /* call, invoke or callbr */
bool pl_starts(const char *text, const char *prefix);

#endif
