/*
 * See cfg.h. Dominators as Cooper, Harvey and Kennedy compute them (A Simple, Fast Dominance
 * Algorithm, 2001): the LLVM-C interface gives neither them nor loops.
 */
#include "instrument/cfg.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

struct pl_block_number {
    LLVMBasicBlockRef at;
    uint32_t number;
};

static void *array(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    PL_ASSERT(memory != NULL);
    return memory;
}

static int by_address(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)((const struct pl_block_number *)a)->at;
    uintptr_t y = (uintptr_t)((const struct pl_block_number *)b)->at;
    return (x > y) - (x < y);
}

uint32_t pl_cfg_find(const struct pl_cfg *cfg, LLVMBasicBlockRef block)
{
    struct pl_block_number key = {block, 0};
    struct pl_block_number *found =
        bsearch(&key, cfg->numbers, cfg->block_count, sizeof key, by_address);
    return found ? found->number : PL_NO_BLOCK;
}

/* Depth first without recursion; `numbers` holds all blocks here, and marks those visited. */
static uint32_t postorder(struct pl_block_number *numbers, uint32_t count, LLVMBasicBlockRef entry,
                          LLVMBasicBlockRef *order)
{
    struct frame {
        LLVMBasicBlockRef at;
        unsigned next;
    } *stack = array(count, sizeof *stack);
    uint32_t depth = 0, done = 0;

    struct pl_block_number key = {entry, 0};
    struct pl_block_number *n = bsearch(&key, numbers, count, sizeof key, by_address);
    PL_ASSERT(n != NULL);
    n->number = 1;
    stack[depth++] = (struct frame){entry, 0};
    while (depth) {
        struct frame *top = &stack[depth - 1];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(top->at);
        if (top->next == LLVMGetNumSuccessors(end)) {
            order[done++] = top->at;
            depth--;
            continue;
        }
        key.at = LLVMGetSuccessor(end, top->next++);
        n = bsearch(&key, numbers, count, sizeof key, by_address);
        if (n && !n->number) {
            n->number = 1;
            stack[depth++] = (struct frame){key.at, 0};
        }
    }
    free(stack);
    return done;
}

static void number_blocks(struct pl_cfg *cfg, LLVMValueRef function)
{
    uint32_t count = LLVMCountBasicBlocks(function), i = 0;
    LLVMBasicBlockRef *order = array(count, sizeof(LLVMBasicBlockRef));

    cfg->numbers = array(count, sizeof *cfg->numbers);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        cfg->numbers[i++].at = b;
    qsort(cfg->numbers, count, sizeof *cfg->numbers, by_address);
    uint32_t reached = postorder(cfg->numbers, count, LLVMGetEntryBasicBlock(function), order);
    cfg->block = array(reached, sizeof *cfg->block);
    cfg->block_count = reached;
    for (i = 0; i < reached; i++) {
        cfg->block[i].at = order[reached - 1 - i];
        cfg->numbers[i] = (struct pl_block_number){cfg->block[i].at, i};
    }
    qsort(cfg->numbers, reached, sizeof *cfg->numbers, by_address);
    free(order);
}

static bool among(const uint32_t *list, uint32_t count, uint32_t one)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == one)
            return true;
    return false;
}

static void link_blocks(struct pl_cfg *cfg)
{
    for (uint32_t i = 0; i < cfg->block_count; i++) {
        struct pl_block *b = &cfg->block[i];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b->at);
        unsigned all = LLVMGetNumSuccessors(end);
        b->next = array(all, sizeof *b->next);
        for (unsigned s = 0; s < all; s++) {
            uint32_t to = pl_cfg_find(cfg, LLVMGetSuccessor(end, s));
            if (among(b->next, b->next_count, to))
                continue;
            b->next[b->next_count++] = to;
            cfg->block[to].previous_count++;
        }
    }
    for (uint32_t i = 0; i < cfg->block_count; i++) {
        struct pl_block *b = &cfg->block[i];
        b->previous = array(b->previous_count, sizeof *b->previous);
        b->previous_count = 0;
    }
    for (uint32_t i = 0; i < cfg->block_count; i++)
        for (uint32_t s = 0; s < cfg->block[i].next_count; s++) {
            struct pl_block *to = &cfg->block[cfg->block[i].next[s]];
            to->previous[to->previous_count++] = i;
        }
}

static uint32_t meet(const struct pl_cfg *cfg, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (a > b)
            a = cfg->block[a].dominator;
        while (b > a)
            b = cfg->block[b].dominator;
    }
    return a;
}

static void find_dominators(struct pl_cfg *cfg)
{
    for (uint32_t i = 1; i < cfg->block_count; i++)
        cfg->block[i].dominator = PL_NO_BLOCK;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < cfg->block_count; i++) {
            struct pl_block *b = &cfg->block[i];
            uint32_t best = PL_NO_BLOCK;
            for (uint32_t p = 0; p < b->previous_count; p++) {
                uint32_t from = b->previous[p];
                if (from != 0 && cfg->block[from].dominator == PL_NO_BLOCK)
                    continue;
                best = best == PL_NO_BLOCK ? from : meet(cfg, best, from);
            }
            changed |= best != b->dominator;
            b->dominator = best;
        }
    }
}

bool pl_cfg_dominates(const struct pl_cfg *cfg, uint32_t a, uint32_t b)
{
    while (b > a) /* a dominator has a smaller number */
        b = cfg->block[b].dominator;
    return a == b;
}

/* Marks what reaches the blocks of `work` backwards, or what they reach forwards. */
static void spread(const struct pl_cfg *cfg, bool *marked, uint32_t *work, uint32_t count,
                   bool forwards)
{
    while (count) {
        const struct pl_block *b = &cfg->block[work[--count]];
        uint32_t steps = forwards ? b->next_count : b->previous_count;
        for (uint32_t i = 0; i < steps; i++) {
            uint32_t to = forwards ? b->next[i] : b->previous[i];
            if (!marked[to]) {
                marked[to] = true;
                work[count++] = to;
            }
        }
    }
}

/* The loop of `head`, whose retreating edges come from `work`; `natural` if it dominates them. */
static void find_loop(struct pl_cfg *cfg, uint32_t head, uint32_t *work, uint32_t count,
                      bool natural)
{
    struct pl_loop *loop = &cfg->loop[cfg->loop_count++];

    *loop = (struct pl_loop){.head = head, .natural = natural};
    loop->has = array(cfg->block_count, sizeof *loop->has);
    for (uint32_t i = 0; i < count; i++)
        loop->has[work[i]] = true;
    if (natural && !loop->has[head])
        loop->has[head] = true; /* where going backwards stops */
    else if (natural)
        for (uint32_t i = 0; i < count; i++)
            if (work[i] == head)
                work[i--] = work[--count]; /* a block that jumps to itself */
    spread(cfg, loop->has, work, count, false);
    if (!natural) {
        bool *reached = array(cfg->block_count, sizeof *reached);
        reached[head] = true;
        work[0] = head;
        spread(cfg, reached, work, 1, true);
        for (uint32_t i = 0; i < cfg->block_count; i++)
            loop->has[i] = loop->has[i] && reached[i];
        free(reached);
    }
    for (uint32_t i = 0; i < cfg->block_count; i++)
        loop->size += loop->has[i];
}

static int by_size(const void *a, const void *b)
{
    const struct pl_loop *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return (x->head > y->head) - (x->head < y->head);
}

static void find_loops(struct pl_cfg *cfg)
{
    uint32_t *work = array(cfg->block_count, sizeof *work);

    cfg->loop = array(cfg->block_count, sizeof *cfg->loop);
    for (uint32_t h = 0; h < cfg->block_count; h++) {
        const struct pl_block *b = &cfg->block[h];
        uint32_t count = 0;
        bool natural = true;
        for (uint32_t p = 0; p < b->previous_count; p++)
            if (b->previous[p] >= h) {
                natural &= pl_cfg_dominates(cfg, h, b->previous[p]);
                work[count++] = b->previous[p];
            }
        if (count)
            find_loop(cfg, h, work, count, natural);
    }
    qsort(cfg->loop, cfg->loop_count, sizeof *cfg->loop, by_size);
    free(work);
}

void pl_cfg_build(struct pl_cfg *cfg, LLVMValueRef function)
{
    *cfg = (struct pl_cfg){0};
    number_blocks(cfg, function);
    link_blocks(cfg);
    find_dominators(cfg);
    find_loops(cfg);
}

void pl_cfg_release(struct pl_cfg *cfg)
{
    for (uint32_t i = 0; i < cfg->block_count; i++) {
        free(cfg->block[i].next);
        free(cfg->block[i].previous);
    }
    for (uint32_t i = 0; i < cfg->loop_count; i++)
        free(cfg->loop[i].has);
    free(cfg->block);
    free(cfg->loop);
    free(cfg->numbers);
}

bool pl_cfg_precedes(const struct pl_cfg *cfg, LLVMValueRef a, LLVMValueRef b)
{
    LLVMBasicBlockRef in_a = LLVMGetInstructionParent(a), in_b = LLVMGetInstructionParent(b);

    if (in_a != in_b)
        return pl_cfg_dominates(cfg, pl_cfg_find(cfg, in_a), pl_cfg_find(cfg, in_b));
    for (LLVMValueRef i = LLVMGetNextInstruction(a); i; i = LLVMGetNextInstruction(i))
        if (i == b)
            return true;
    return false;
}

bool pl_cfg_inside(const struct pl_cfg *cfg, const struct pl_loop *loop, LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value))
        return false;
    uint32_t block = pl_cfg_find(cfg, LLVMGetInstructionParent(value));
    return block != PL_NO_BLOCK && loop->has[block];
}
