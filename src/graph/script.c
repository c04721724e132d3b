/* Events as a script: store.h. */
#include <string.h>

#include "graph/store.h"

/* Where each event stands in the order; one that is not in it, past its end. No two scripts are
 * written at once. */
static uint16_t stands[PL_GRAPH_THREADS][PL_GRAPH_LENGTH];

static void find_places(const struct pl_graph *g, const struct pl_ref *order, uint32_t count)
{
    for (unsigned t = 0; t < g->threads; t++)
        memset(stands[t], 0xff, g->thread[t].count * sizeof *stands[t]);
    for (uint32_t i = 0; i < count; i++)
        stands[order[i].thread][order[i].index] = (uint16_t)i;
}

/* Place in co among the writes that come before it in the order. */
static uint16_t early_place(const struct pl_graph *g, const struct pl_node *w)
{
    const struct pl_location *l = &g->location[w->location - 1];
    uint16_t place = 0, own = stands[w->self.thread][w->self.index];
    for (uint32_t i = 0; i < l->writes && !pl_same(l->co[i], w->self); i++)
        place = (uint16_t)(place + (stands[l->co[i].thread][l->co[i].index] < own));
    return place;
}

uint64_t pl_graph_script(const struct pl_graph *g, const struct pl_ref *order,
                         const uint16_t *marks, uint32_t count, uint8_t *out, uint64_t room)
{
    uint64_t used = 0;
    find_places(g, order, count);
    for (uint32_t i = 0; i < count && used + PL_SCRIPT_BYTES <= room; i++) {
        const struct pl_node *n = pl_at(g, order[i]);
        uint16_t words[] = {(uint16_t)(n->self.thread | (marks ? marks[i] : 0)), 0, 0};
        if (n->kind == PL_GRAPH_READ)
            words[1] = n->rf.thread, words[2] = n->rf.index;
        else if (n->kind == PL_GRAPH_WRITE)
            words[1] = early_place(g, n);
        else if (n->kind == PL_GRAPH_CHOICE)
            words[1] = (uint16_t)n->value;
        for (unsigned k = 0; k < 3; k++) {
            out[used++] = (uint8_t)words[k];
            out[used++] = (uint8_t)(words[k] >> 8);
        }
    }
    return used;
}
