/* A graph as a script: the order of its events, and what each reads or where it stands. */
#include <string.h>

#include "explore/trust_internal.h"
#include "graph/whole.h"

struct step pl_trust_script_at(const struct pl_trust *x, uint64_t i)
{
    const uint8_t *p = x->script + i * PL_SCRIPT_BYTES;
    return (struct step){(uint16_t)(p[0] | p[1] << 8), (uint16_t)(p[2] | p[3] << 8),
                         (uint16_t)(p[4] | p[5] << 8)};
}

/* The script's word on the event that has just been added. */
bool pl_trust_scripted(const struct pl_trust *x, struct step *out)
{
    if (!x->script || x->at == 0 || x->at > x->script_events)
        return false;
    *out = pl_trust_script_at(x, x->at - 1);
    return true;
}

/* Where each event stands in the order; one that is not in it, past its end. One exploration a
 * process: no two scripts are written at once. */
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

uint64_t pl_trust_write_script(const struct pl_trust *x, const struct pl_ref *order,
                               const bool *preempts, uint32_t count, uint8_t *out, uint64_t room)
{
    uint64_t used = 0;
    find_places(x->g, order, count);
    for (uint32_t i = 0; i < count && used + PL_SCRIPT_BYTES <= room; i++) {
        const struct pl_node *n = pl_at(x->g, order[i]);
        struct step s = {n->self.thread, 0, 0};
        if (preempts)
            s.thread = (uint16_t)(s.thread | IS_KNOWN | (preempts[i] ? PREEMPTS : 0));
        if (n->kind == PL_GRAPH_READ)
            s.a = n->rf.thread, s.b = n->rf.index;
        else if (n->kind == PL_GRAPH_WRITE)
            s.a = early_place(x->g, n);
        else if (n->kind == PL_GRAPH_CHOICE)
            s.a = (uint16_t)n->value;
        const uint16_t words[] = {s.thread, s.a, s.b};
        for (unsigned k = 0; k < 3; k++) {
            out[used++] = (uint8_t)words[k];
            out[used++] = (uint8_t)(words[k] >> 8);
        }
    }
    return used;
}

uint64_t pl_trust_save(const struct pl_trust *x, unsigned late, uint8_t *out, uint64_t room)
{
    static struct pl_ref
        order[PL_GRAPH_EVENTS]; /* one exploration a process: no two calls at once */
    if (x->script && x->at == x->script_events && room >= x->script_events * PL_SCRIPT_BYTES) {
        memcpy(out, x->script, x->script_events * PL_SCRIPT_BYTES);
        return x->script_events * PL_SCRIPT_BYTES;
    }
    if (pl_graph_sc_order(x->g, x->made, late, order) < x->at) /* weak: as it was found */
        memcpy(order, x->g->order, x->at * sizeof *order);
    return pl_trust_write_script(x, order, NULL, x->at, out, room);
}

void pl_trust_script(struct pl_trust *x, const uint8_t *bytes, uint64_t count)
{
    x->script = bytes;
    x->script_events = count / PL_SCRIPT_BYTES;
}

bool pl_trust_is_scripted(const struct pl_trust *x)
{
    return x->script != NULL;
}
