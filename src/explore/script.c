/* A graph as a script: the order of its events, and what each reads or where it stands. */
#include <string.h>

#include "explore/trust_internal.h"
#include "graph/store.h"
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

uint64_t pl_trust_write_script(const struct pl_trust *x, const struct pl_ref *order,
                               const bool *preempts, uint32_t count, uint8_t *out, uint64_t room)
{
    static uint16_t marks[PL_GRAPH_EVENTS]; /* one exploration a process: no two calls at once */
    for (uint32_t i = 0; i < count && preempts; i++)
        marks[i] = (uint16_t)(IS_KNOWN | (preempts[i] ? PREEMPTS : 0));
    return pl_graph_script(x->g, order, preempts ? marks : NULL, count, out, room);
}

bool pl_trust_is_whole(const struct pl_trust *x)
{
    return !x->script && x->at == x->g->events;
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
