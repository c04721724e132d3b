/*
 * The blocks of a function, who dominates whom, and its loops.
 *
 * Invariants: (I1) only reachable blocks are there, in reverse postorder, the entry first;
 * (I2) a loop's blocks can all reach its head and be reached from it; (I3) loops are sorted by
 * size, so an inner one comes before the one around it; (I4) a natural loop is entered at its
 * head only and no two have the same head. A cycle that can be entered in several places has a
 * loop for each block that a retreating edge goes to; its blocks are the whole strongly
 * connected part.
 */
#ifndef PL_INSTRUMENT_CFG_H
#define PL_INSTRUMENT_CFG_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

enum { PL_NO_BLOCK = UINT32_MAX };

struct pl_block {
    LLVMBasicBlockRef at;
    uint32_t *next, *previous; /* successors and predecessors, each once */
    uint32_t next_count, previous_count;
    uint32_t dominator; /* immediate; the entry's is itself */
};

struct pl_loop {
    uint32_t head, size;
    bool natural;
    bool *has; /* of each block: is it inside? */
};

struct pl_cfg {
    struct pl_block *block;
    uint32_t block_count;
    struct pl_loop *loop;
    uint32_t loop_count;
    struct pl_block_number *numbers; /* sorted by address */
};

void pl_cfg_build(struct pl_cfg *cfg, LLVMValueRef function);
void pl_cfg_release(struct pl_cfg *cfg);

/* PL_NO_BLOCK: it cannot be reached. */
uint32_t pl_cfg_find(const struct pl_cfg *cfg, LLVMBasicBlockRef block);

bool pl_cfg_dominates(const struct pl_cfg *cfg, uint32_t a, uint32_t b);

/* Does `a` come before `b` on every path that reaches `b`? */
bool pl_cfg_precedes(const struct pl_cfg *cfg, LLVMValueRef a, LLVMValueRef b);

/* Is the value an instruction inside the loop? */
bool pl_cfg_inside(const struct pl_cfg *cfg, const struct pl_loop *loop, LLVMValueRef value);

#endif
