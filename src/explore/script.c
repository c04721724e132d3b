/*
 * A graph as a script: the order of its events, and what each reads or where it stands.
 *
 * The run of a script may make events that are not in it: of an update at which a thread stands
 * still the search has the read alone (runtime/model_await.c), but who runs the script makes its
 * write, and perhaps the rest of its round. So what the script says of an event is found by its
 * thread and its place there, and places in co are counted without such events.
 */
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

bool pl_trust_script_next(const struct pl_trust *x, struct step *out)
{
    uint32_t before[PL_GRAPH_THREADS] = {0};
    for (uint64_t i = 0; i < x->script_events; i++) {
        *out = pl_trust_script_at(x, i);
        unsigned t = out->thread & THREAD;
        if (t >= PL_GRAPH_THREADS || before[t]++ >= x->made[t])
            return true;
    }
    return false;
}

bool pl_trust_scripted(const struct pl_trust *x, struct pl_ref event, struct step *out)
{
    if (!x->script || event.index >= x->scripted[event.thread])
        return false;
    for (uint64_t i = 0, before = 0; i < x->script_events; i++) {
        *out = pl_trust_script_at(x, i);
        if ((out->thread & THREAD) == event.thread && before++ == event.index)
            return true;
    }
    return false;
}

static bool is_extra(const struct pl_trust *x, struct pl_ref event)
{
    return event.index >= x->scripted[event.thread];
}

unsigned pl_trust_scripted_place(const struct pl_trust *x, uint32_t location, unsigned place)
{
    const struct pl_location *l = &x->g->location[location - 1];
    unsigned i = 0;
    for (unsigned count = 0; i < l->writes; i++) {
        bool extra = is_extra(x, l->co[i]);
        if (count == place && !extra)
            break;
        count += !extra;
    }
    return i;
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
    memset(x->scripted, 0, sizeof x->scripted);
    for (uint64_t i = 0; i < x->script_events; i++) {
        unsigned t = pl_trust_script_at(x, i).thread & THREAD;
        x->scripted[t < PL_GRAPH_THREADS ? t : 0] += t < PL_GRAPH_THREADS;
    }
}

bool pl_trust_is_scripted(const struct pl_trust *x)
{
    return x->script != NULL;
}
