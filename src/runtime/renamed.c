/*
 * Is symmetry what it is taken for? That twins compute nothing from the addresses of their own
 * variables, that those of a check pass their values on and do not look into them: this cannot be
 * seen from outside. So executions are run again with other names: the same graph, but what one
 * twin did is done by another. It must then be the same execution but for names: the same events,
 * at locations that are the same or in the other twin's stack, with the same values, and no
 * finding. In a check locations and values may also be those of a block of the
 * other twin's heap, and values be exchanged one for one; likewise the answers. If one is not, the
 * search begins again without symmetry.
 */
#include "runtime/renamed.h"

#include <string.h>

#include "base/prng.h"
#include "runtime/harness.h"
#include "runtime/model.h"

enum { VALUES = 64 };

static uint8_t name[PL_MAX_THREADS]; /* what each thread is called in the second execution */
static struct pl_invocation before[PL_CHECK_OPERATIONS]; /* of the first */
static struct {
    uint64_t from, to;
} exchanged[VALUES];
static unsigned exchanges;
static struct pl_prng prng;
static bool begun;

/* ---- the second execution ---- */

static void swap(unsigned a, unsigned b)
{
    uint8_t kept = name[a];
    name[a] = name[b];
    name[b] = kept;
}

/* Any permutation of each class but the one there is; false: there is no other. */
static bool find_names(uint64_t twins, const uint32_t *class_of)
{
    bool other = false;
    unsigned last = 0;
    if (!begun)
        pl_prng_init(&prng, 1);
    begun = true;
    for (unsigned t = 0; t < PL_MAX_THREADS; t++)
        name[t] = (uint8_t)t;
    for (unsigned t = 0; t < rt.nthreads; t++) {
        if (!(twins >> t & 1))
            continue;
        unsigned first = class_of[t]; /* a class is a row of threads */
        swap(t, first + pl_prng_below(&prng, t - first + 1));
        last = t > first ? t : last;
    }
    for (unsigned t = 0; t < rt.nthreads; t++)
        other = other || name[t] != t;
    if (!other && last)
        swap(last, class_of[last]);
    return other || last;
}

bool pl_renamed_begin(uint64_t twins, const uint32_t *class_of)
{
    if (!find_names(twins, class_of) || !pl_model_begin_renamed(name))
        return false;
    memcpy(before, pl_harness.invocation, sizeof before);
    exchanges = 0;
    return true;
}

/* ---- comparing ---- */

static bool is_other_block(uint64_t from, uint64_t to)
{
    uint32_t thread;
    uint64_t offset, other;
    uint32_t owner;
    return pl_heap_place(from, &thread, &offset) && pl_heap_place(to, &owner, &other) &&
           owner == name[thread] && offset == other;
}

static bool is_exchanged(uint64_t from, uint64_t to)
{
    for (unsigned i = 0; i < exchanges; i++)
        if (exchanged[i].from == from || exchanged[i].to == to)
            return exchanged[i].from == from && exchanged[i].to == to;
    if (!from || !to || exchanges == VALUES)
        return false;
    exchanged[exchanges].from = from;
    exchanged[exchanges++].to = to;
    return true;
}

static bool is_same_value(uint64_t from, uint64_t to)
{
    return from == to || (pl_checking() && (is_other_block(from, to) || is_exchanged(from, to)));
}

/* Where in it does not count: the stacks do not begin alike. */
static bool is_other_stack(uint64_t from, uint64_t to)
{
    uint64_t thread = (from - PL_STACKS) / PL_STACK_STRIDE;
    return from >= PL_STACKS && thread < rt.nthreads && to >= PL_STACKS &&
           (to - PL_STACKS) / PL_STACK_STRIDE == name[thread];
}

static bool is_same_place(uint64_t from, uint64_t to)
{
    return from == to || is_other_stack(from, to) || is_other_block(from, to);
}

static bool is_same_event(const struct pl_graph *a, const struct pl_node *m,
                          const struct pl_graph *b, const struct pl_node *n)
{
    unsigned flags = (m->flags ^ n->flags) & ~(unsigned)PL_GRAPH_F_SPIN; /* that is of the run */
    if (m->kind != n->kind || m->order != n->order || flags || m->op != n->op ||
        m->size != n->size || !m->location != !n->location)
        return false;
    if (!pl_is_access(m)) /* of others the value is a thread's number */
        return true;
    uint64_t from = a->location[m->location - 1].key << 16 >> 16;
    uint64_t to = b->location[n->location - 1].key << 16 >> 16;
    return is_same_place(from, to) && is_same_value(m->value, n->value);
}

static bool is_same_graph(const struct pl_graph *a, const struct pl_graph *b)
{
    if (a->threads != b->threads || a->events != b->events)
        return false;
    for (unsigned t = 0; t < a->threads; t++) {
        const struct pl_graph_thread *x = &a->thread[t], *y = &b->thread[name[t]];
        if (x->count != y->count)
            return false;
        for (unsigned k = 0; k < x->count; k++)
            if (!is_same_event(a, &x->node[k], b, &y->node[k]))
                return false;
    }
    return true;
}

/* A response: kind, size and bytes of each value. */
static bool is_same_response(const struct pl_invocation *a, const struct pl_invocation *b)
{
    if (a->returned != b->returned || a->bytes != b->bytes || a->call != b->call ||
        a->ret != b->ret)
        return false;
    for (unsigned at = 0; a->returned && at + 1u < a->bytes;) {
        uint64_t from = 0, to = 0;
        uint8_t size = a->response[at + 1];
        if (memcmp(a->response + at, b->response + at, 2) != 0 || at + 2u + size > a->bytes)
            return false;
        at += 2;
        if (size <= sizeof from) {
            memcpy(&from, a->response + at, size);
            memcpy(&to, b->response + at, size);
        }
        if (size > sizeof from ? memcmp(a->response + at, b->response + at, size) != 0
                               : !is_same_value(from, to))
            return false;
        at += size;
    }
    return true;
}

static const struct pl_invocation *invocation_of(unsigned thread)
{
    for (unsigned i = 0; i < pl_harness.count; i++)
        if (pl_harness.invocation[i].thread == thread)
            return &pl_harness.invocation[i];
    return NULL;
}

bool pl_renamed_end(bool completed)
{
    const struct pl_graph *second = pl_model_graph();
    pl_model_end_beside();
    bool same = completed && is_same_graph(pl_model_graph(), second);
    for (unsigned i = 0; i < pl_harness.count && same; i++) {
        const struct pl_invocation *other = &pl_harness.invocation[i];
        if (name[before[i].thread] != before[i].thread) /* of a twin: its only one */
            other = invocation_of(name[before[i].thread]);
        same = other && is_same_response(&before[i], other);
    }
    return same;
}
