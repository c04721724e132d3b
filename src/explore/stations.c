/*
 * Where a run can begin: not only at the start of the program, but at a station, a moment of an
 * earlier run of which the target has kept everything.
 *
 *   frame 0   ●────●──●───x          ● a station, made when so many events of `order` were made
 *   frame 1   ═════●─ r ─●──●──▶     ═ the order in common with the frame below
 *
 * What a thread does follows from the events made before; so the state after the first k events of
 * an order is the same in every run that makes those k in this order, whatever comes later.
 *
 * Invariants:
 * I1  A station (d, k) was made by a run whose graph was that of frame d, when it had made the
 *     first k events of its order and no more. They are still the first k of that frame, and in the
 *     same coherence order, which memory shows: what cuts the frame's graph below k + 1 events, or
 *     moves one of the k to another place in co, drops the station.
 * I2  The first shared[d] events of frame d are those of frame d - 1: same event, same value. So a
 *     station of a frame below serves if it was made before the orders part.
 * I3  Stations are a stack, by frame and then by k: ways are taken last first.
 *
 * With a bound of preemptions (turns.c) there is one frame, and the next order repeats the first
 * events of the last one. Whoever had to wait at a station may not have tried yet where the run is
 * repeated from the start; that he would have to is known all the same (pl_trust_waiting).
 */
#include <stddef.h>
#include <string.h>

#include "explore/trust_internal.h"

void pl_trust_share(struct pl_trust *x)
{
    const struct pl_graph *g = x->g, *below = x->frame[x->depth - 1];
    uint32_t i = 0;
    /* The last event is the victim, which reads something else. */
    while (i + 1 < g->events && i < below->events && pl_same(g->order[i], below->order[i]))
        i++;
    x->shared[x->depth] = i;
}

void pl_trust_drop_stations(struct pl_trust *x, uint32_t count)
{
    while (x->stations) {
        const struct station *s = &x->station[x->stations - 1];
        if (s->depth < x->depth || (s->depth == x->depth && s->at < count))
            return;
        x->stations--;
    }
}

bool pl_trust_may_stop(const struct pl_trust *x)
{
    return x->stations < PL_TRUST_STATIONS && !(x->sample || x->script || x->probing || x->failure);
}

uint32_t pl_trust_stop(struct pl_trust *x)
{
    x->station[x->stations] = (struct station){x->depth, x->at};
    return x->stations++;
}

void pl_trust_unstop(struct pl_trust *x)
{
    x->stations--;
}

uint32_t pl_trust_at(const struct pl_trust *x)
{
    return x->at;
}

uint32_t pl_trust_stations(const struct pl_trust *x)
{
    return x->stations;
}

unsigned pl_trust_spans(struct pl_trust *x, struct pl_trust_span *span)
{
    const size_t first = offsetof(struct pl_trust, at), end = offsetof(struct pl_trust, looped) + 1;
    unsigned count = 0;
    span[count++] = (struct pl_trust_span){&x->at, (uint32_t)(end - first)};
    for (unsigned t = 0; x->looped && t < x->g->threads; t++)
        if (x->heads[t]) {
            uint32_t heads = x->heads[t] < HEADS ? x->heads[t] : HEADS;
            span[count++] =
                (struct pl_trust_span){x->head[t], heads * (uint32_t)sizeof *x->head[t]};
        }
    for (uint64_t left = x->intends; left; left &= left - 1) {
        struct intent *i = &x->intent[__builtin_ctzll(left)];
        span[count++] = (struct pl_trust_span){i, sizeof *i};
    }
    return count;
}

int pl_trust_station(const struct pl_trust *x, uint32_t *after, uint32_t *most,
                     struct pl_ref *before)
{
    uint32_t depth = x->depth, limit = x->g->events - 1;
    if (!x->g->events || x->sample || x->script || x->probing)
        return -1;
    *most = limit;
    *before = x->g->order[limit];
    if (x->revisited && depth) { /* the run is the first of its frame */
        *most = x->shared[depth];
        *before = x->frame[depth - 1]->order[*most];
    }
    for (int i = (int)x->stations - 1; i >= 0; i--) {
        const struct station *s = &x->station[i];
        for (; depth > s->depth; depth--) /* I2 */
            limit = x->shared[depth] < limit ? x->shared[depth] : limit;
        if (s->at > limit)
            continue;
        *after = s->at;
        return i;
    }
    return -1;
}

void pl_trust_resume(struct pl_trust *x)
{
    x->asked = x->repeated = x->over = x->fruitful = false;
    x->decided = 0;
    x->counts.runs++;
}

void pl_trust_forget_stations(struct pl_trust *x)
{
    x->stations = 0;
}
