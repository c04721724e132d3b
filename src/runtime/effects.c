/*
 * Where operations take effect, as the program says by PLUMB_POINT (plumb.h). A mark is no step: it
 * belongs to the last access the thread made, and nobody else has run since.
 *
 * A mark in a round that is void is passed in executions that are not looked at: without the round
 * there is the same execution, in which the last round passes its own mark.
 */
#include "runtime/harness.h"
#include "runtime/loops.h"
#include "runtime/model.h"
#include "runtime/symmetry.h"

#include <string.h>

PL_EXPORT void plumb_point(const void *object);
PL_EXPORT void plumb_point_for(int operation);
PL_EXPORT int plumb_operation(void);
PL_EXPORT void plumb_points_of(const void *object);

static const void *only PL_STATE; /* of points with an object those of this one count; NULL: all */

static bool watched(void)
{
    return rt.active && pl_checking() && rt.options->check.points && !pl_loops_trying();
}

/* The last access or lock of the operation under way, or of a thread that makes none. */
static uint16_t access_before(unsigned by, uint64_t pc)
{
    const struct pl_node *node = pl_model_graph()->thread[rt.self->id].node;
    unsigned event = pl_model_made();
    unsigned first = by == PL_BY_THREAD ? 0 : pl_harness.invocation[by].call;
    while (event > first && !pl_is_access(&node[event - 1]))
        event--;
    if (event <= first)
        pl_unsupported("PLUMB_POINT: the operation has made no atomic access yet, so there is no "
                       "step that the point could belong to: put it after that step",
                       pc);
    return (uint16_t)(event - 1);
}

static void pass(unsigned operation, unsigned by, uint64_t pc)
{
    struct pl_harness *h = &pl_harness;
    const struct pl_effect e = {.operation = (uint8_t)operation,
                                .by = (uint8_t)by,
                                .thread = (uint8_t)rt.self->id,
                                .event = access_before(by, pc),
                                .pc = pc};
    uint32_t k = 0;
    while (k < h->effects &&
           (h->effect[k].operation != operation || h->effect[k].thread != e.thread))
        k++;
    if (k < h->effects) /* those that were passed after it move up: they are in order */
        memmove(&h->effect[k], &h->effect[k + 1], (--h->effects - k) * sizeof e);
    if (h->effects == PL_CHECK_EFFECTS)
        pl_unsupported("more than 64 points in one execution: a smaller test", pc);
    h->effect[h->effects++] = e;
    pl_trace(PL_EVENT_EFFECT, NULL, operation, pc);
}

static unsigned under_way(uint64_t pc)
{
    unsigned by = pl_harness_under_way();
    if (!by)
        pl_unsupported("PLUMB_POINT outside any operation: no call of the test is under way on "
                       "this thread, so nothing can take effect here",
                       pc);
    return by - 1;
}

void plumb_point(const void *object)
{
    uint64_t pc = PL_CALLER;
    if (!watched() || (object && only && object != only))
        return;
    unsigned by = under_way(pc);
    pass(by, by, pc);
}

void plumb_point_for(int operation)
{
    uint64_t pc = PL_CALLER;
    if (!watched())
        return;
    bool own = !pl_harness_under_way() && rt.self->id; /* a thread of the subject's that serves */
    unsigned by = own ? PL_BY_THREAD : under_way(pc);
    if (operation < 1 || (uint32_t)operation > pl_harness.count)
        pl_unsupported("PLUMB_POINT_FOR: there is no such operation: the number must come from "
                       "PLUMB_OPERATION() in the operation that is helped",
                       pc);
    pass((unsigned)operation - 1, by, pc);
}

int plumb_operation(void)
{
    if (!rt.active || !pl_checking())
        return 0;
    if (rt.exploring)
        pl_symmetry_name(); /* it tells threads apart */
    return (int)pl_harness_under_way();
}

void plumb_points_of(const void *object)
{
    only = object;
}

/* ---- where operations could take effect ---- */

static uint64_t pc_of[PL_GRAPH_THREADS][PL_GRAPH_LENGTH];

void pl_effects_made(uint64_t pc)
{
    unsigned made = pl_model_made();
    if (made && rt.self->id < PL_GRAPH_THREADS)
        pc_of[rt.self->id][made - 1] = pc;
}

static enum pl_access_kind kind_of(const struct pl_node *n)
{
    if (n->kind == PL_GRAPH_READ)
        return n->op == PL_OP_CAS ? PL_ACCESS_CAS_FAILS : PL_ACCESS_LOAD;
    if (n->flags & PL_GRAPH_F_LOCK)
        return PL_ACCESS_LOCK;
    if (!(n->flags & PL_GRAPH_F_RMW))
        return PL_ACCESS_STORE;
    return n[-1].op == PL_OP_CAS ? PL_ACCESS_CAS : PL_ACCESS_UPDATE;
}

/* The accesses of one operation; those of one instruction that do the same count once, the last. */
static uint32_t add_candidates(struct pl_effect *out, uint32_t used, unsigned operation)
{
    const struct pl_invocation *v = &pl_harness.invocation[operation];
    const struct pl_node *node = pl_model_graph()->thread[v->thread].node;
    uint32_t first = used;
    for (unsigned k = v->ret; k-- > v->call;) {
        bool half = node[k].kind == PL_GRAPH_READ && (node[k].flags & PL_GRAPH_F_RMW);
        if (!pl_is_access(&node[k]) || half || !pc_of[v->thread][k])
            continue;
        const struct pl_effect e = {.operation = (uint8_t)operation,
                                    .by = (uint8_t)kind_of(&node[k]),
                                    .thread = v->thread,
                                    .event = (uint16_t)k,
                                    .pc = pc_of[v->thread][k]};
        uint32_t same = first;
        while (same < used && (out[same].pc != e.pc || out[same].by != e.by))
            same++;
        if (same < used)
            continue;
        if (used == PL_CHECK_CANDIDATES)
            pl_unsupported("--infer-points: the operations have more than 512 places of access: a "
                           "smaller test",
                           0);
        out[used++] = e;
    }
    return used;
}

uint32_t pl_effects_candidates(struct pl_effect *out)
{
    uint32_t used = 0;
    for (unsigned i = 0; i < pl_harness.count; i++)
        if (pl_harness.invocation[i].returned)
            used = add_candidates(out, used, i);
    return used;
}

void pl_effects_begin(void)
{
    only = NULL;
}
