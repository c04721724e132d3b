/*
 * The tree of serial runs. Edges of a node are in a list, in the order they were added, so
 * that nothing depends on addresses.
 */
#include "check/derived.h"

#include <stdlib.h>

#include "base/prng.h"
#include "base/status.h"

static enum pl_step step(struct pl_machine *machine, uint32_t state, uint32_t invocation,
                         unsigned which, pl_value *response, uint32_t *next)
{
    const struct pl_derived *d = (const struct pl_derived *)machine;
    unsigned met = 0;
    for (uint32_t e = d->first[state]; e; e = d->edge[e - 1].next) {
        const struct pl_derived_edge *edge = &d->edge[e - 1];
        if (edge->invocation != invocation || met++ != which)
            continue;
        *response = edge->response;
        *next = edge->child;
        return edge->blocks ? PL_STEP_BLOCKS : PL_STEP_ANSWERS;
    }
    return met || which ? PL_STEP_END : PL_STEP_UNTRIED;
}

static uint32_t add_node(struct pl_derived *d)
{
    if (d->nodes == d->node_room) {
        d->node_room = d->node_room ? 2 * d->node_room : 64;
        d->first = realloc(d->first, d->node_room * sizeof *d->first);
        PL_ASSERT(d->first);
    }
    d->first[d->nodes] = 0;
    return d->nodes++;
}

void pl_derived_init(struct pl_derived *d)
{
    *d = (struct pl_derived){.machine = {.step = step}};
    d->machine.start = add_node(d);
}

void pl_derived_release(struct pl_derived *d)
{
    free(d->edge);
    free(d->first);
    *d = (struct pl_derived){0};
}

/* A new edge at the end of the node's list. */
static struct pl_derived_edge *add_edge(struct pl_derived *d, uint32_t node, uint32_t last)
{
    if (d->edges == d->edge_room) {
        d->edge_room = d->edge_room ? 2 * d->edge_room : 64;
        d->edge = realloc(d->edge, d->edge_room * sizeof *d->edge);
        PL_ASSERT(d->edge);
    }
    d->edge[d->edges] = (struct pl_derived_edge){0};
    *(last ? &d->edge[last - 1].next : &d->first[node]) = d->edges + 1;
    return &d->edge[d->edges++];
}

bool pl_derived_add(struct pl_derived *d, const struct pl_called *run, unsigned count, bool blocked,
                    struct pl_conflict *conflict)
{
    PL_ASSERT(!d->folded);
    PL_ASSERT(count || !blocked);
    uint32_t node = d->machine.start;
    bool agrees = true;
    for (unsigned k = 0; k < count; k++) {
        bool blocks = blocked && k == count - 1;
        uint32_t last = 0, found = 0, other = 0;
        for (uint32_t e = d->first[node]; e; last = e, e = d->edge[e - 1].next) {
            const struct pl_derived_edge *edge = &d->edge[e - 1];
            if (edge->invocation != run[k].invocation)
                continue;
            if (edge->blocks == blocks && (blocks || edge->response == run[k].response))
                found = e;
            else if (!other && !edge->failed && !run[k].failed)
                other = e;
        }
        if (other && agrees) {
            agrees = false;
            if (conflict)
                *conflict =
                    (struct pl_conflict){k, d->edge[other - 1].blocks, d->edge[other - 1].response};
        }
        if (!found) {
            uint32_t child = blocks ? 0 : add_node(d);
            struct pl_derived_edge *edge = add_edge(d, node, last);
            edge->invocation = run[k].invocation;
            edge->blocks = blocks;
            edge->failed = !blocks && run[k].failed;
            edge->response = blocks ? PL_NIL : run[k].response;
            edge->child = child;
            found = d->edges;
        }
        if (!run[k].failed)
            d->edge[found - 1].failed = false;
        node = d->edge[found - 1].child;
    }
    return agrees;
}

/* --- folding ----------------------------------------------------------------------------- */

static uint64_t hash_of(const struct pl_derived *d, uint32_t node)
{
    uint64_t sum = 0; /* the order of the edges does not matter */
    for (uint32_t e = d->first[node]; e; e = d->edge[e - 1].next) {
        const struct pl_derived_edge *edge = &d->edge[e - 1];
        uint64_t x = edge->invocation * 4u + edge->blocks;
        x = pl_mix64(&x) ^ (uint64_t)edge->response;
        x = pl_mix64(&x) ^ edge->child;
        sum += pl_mix64(&x);
    }
    return sum;
}

static bool has_edge(const struct pl_derived *d, uint32_t node, const struct pl_derived_edge *like)
{
    for (uint32_t e = d->first[node]; e; e = d->edge[e - 1].next) {
        const struct pl_derived_edge *edge = &d->edge[e - 1];
        if (edge->invocation == like->invocation && edge->blocks == like->blocks &&
            edge->response == like->response && edge->child == like->child)
            return true;
    }
    return false;
}

static bool includes(const struct pl_derived *d, uint32_t large, uint32_t small)
{
    for (uint32_t e = d->first[small]; e; e = d->edge[e - 1].next)
        if (!has_edge(d, large, &d->edge[e - 1]))
            return false;
    return true;
}

/*
 * From the last node to the first: a child has a higher number than its parent, so when a node
 * is looked at, its edges lead to the nodes that stand for its children already, and two nodes
 * are the same if their edges are.
 */
void pl_derived_fold(struct pl_derived *d)
{
    size_t mask = 63;
    while (mask < 2 * (size_t)d->nodes)
        mask = 2 * mask + 1;
    uint32_t *table = calloc(mask + 1, sizeof *table); /* node + 1 */
    uint32_t *stands = calloc(d->nodes, sizeof *stands);
    PL_ASSERT(table && stands);
    for (uint32_t node = d->nodes; node-- > 0;) {
        for (uint32_t e = d->first[node]; e; e = d->edge[e - 1].next)
            if (!d->edge[e - 1].blocks)
                d->edge[e - 1].child = stands[d->edge[e - 1].child];
        size_t i = hash_of(d, node) & mask;
        while (table[i] && !(includes(d, table[i] - 1, node) && includes(d, node, table[i] - 1)))
            i = (i + 1) & mask;
        if (!table[i])
            table[i] = node + 1;
        stands[node] = table[i] - 1;
    }
    d->machine.start = stands[d->machine.start];
    d->folded = true;
    free(table);
    free(stands);
}
