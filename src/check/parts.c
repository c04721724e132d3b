/* Splitting histories: see parts.h. */
#include "check/parts.h"

#include <stdlib.h>

#include "base/memory.h"
#include "history/read.h"

static pl_value part_of(const struct pl_case *c, const struct pl_operation *o)
{
    return c->keyed ? o->argument[PL_KEY] : c->spec->part(o);
}

bool pl_parts_same(const struct pl_case *c, const struct pl_operation *a,
                   const struct pl_operation *b)
{
    if (!c->keyed && !c->spec->part)
        return true;
    pl_value x = part_of(c, a), y = part_of(c, b);
    return x == y || x == PL_ANY || y == PL_ANY;
}

/* Numbers the parts in order of first use. False: some operation concerns all. */
static bool number(const struct pl_case *c, uint32_t *part, uint32_t *count)
{
    const struct pl_history *h = c->history;
    uint32_t mask = 15;
    bool good = true;
    while (mask < h->count + h->count / 2)
        mask = 2 * mask + 1;
    uint32_t *slot = pl_zeroed(mask, sizeof *slot); /* an operation of the part, + 1 */
    for (uint32_t i = 0; i < h->count && good; i++) {
        pl_value v = part_of(c, &h->operation[i]);
        good = v != PL_ANY;
        uint32_t k = (uint32_t)(((uint64_t)v * 0x9e3779b97f4a7c15u) >> 36) & mask;
        while (slot[k] && part_of(c, &h->operation[slot[k] - 1]) != v)
            k = (k + 1) & mask;
        if (!slot[k])
            part[i] = (*count)++;
        else
            part[i] = part[slot[k] - 1];
        slot[k] = slot[k] ? slot[k] : i + 1;
    }
    free(slot);
    return good;
}

/* Fills the parts in the order of events. */
static void fill(struct pl_parts *p, const struct pl_history *h, const uint32_t *part)
{
    uint32_t *local = pl_zeroed(h->count, sizeof *local);
    uint32_t *event_start = pl_zeroed(p->count + 1, sizeof *event_start);
    for (uint32_t i = 0; i < h->count; i++) {
        p->start[part[i] + 1]++;
        event_start[part[i] + 1] += pl_pending(&h->operation[i]) ? 1 : 2;
    }
    for (uint32_t k = 0; k < p->count; k++) {
        p->start[k + 1] += p->start[k];
        event_start[k + 1] += event_start[k];
        struct pl_history *t = &p->part[k];
        *t = *h;
        t->operation = p->operations + p->start[k];
        t->event = p->events + event_start[k];
        t->count = t->events = 0;
    }
    for (uint32_t e = 0; e < h->events; e++) {
        uint32_t i = h->event[e] / 2;
        struct pl_history *t = &p->part[part[i]];
        if (h->event[e] % 2 == 0) {
            local[i] = t->count++;
            p->whole[p->start[part[i]] + local[i]] = i;
            t->operation[local[i]] = h->operation[i];
            t->operation[local[i]].call = t->events;
        } else {
            t->operation[local[i]].ret = t->events;
        }
        t->event[t->events++] = local[i] * 2 + h->event[e] % 2;
    }
    free(local);
    free(event_start);
}

bool pl_parts_split(struct pl_parts *out, const struct pl_case *c)
{
    const struct pl_history *h = c->history;
    *out = (struct pl_parts){0};
    if (!c->keyed && !c->spec->part)
        return false;
    uint32_t *part = pl_zeroed(h->count, sizeof *part);
    bool good = number(c, part, &out->count);
    if (good) {
        out->part = pl_zeroed(out->count, sizeof *out->part);
        out->operations = pl_zeroed(h->count, sizeof *out->operations);
        out->events = pl_zeroed(h->events, sizeof *out->events);
        out->whole = pl_zeroed(h->count, sizeof *out->whole);
        out->start = pl_zeroed(out->count + 1, sizeof *out->start);
        fill(out, h, part);
    }
    free(part);
    return good;
}

void pl_parts_release(struct pl_parts *p)
{
    free(p->part);
    free(p->operations);
    free(p->events);
    free(p->whole);
    free(p->start);
    *p = (struct pl_parts){0};
}

/* Each operation takes effect right after a call: its own or that of one before it in its
   part. Calls are at different times, so sorting by them mixes no two parts up. */
void pl_parts_join(const struct pl_parts *p, const struct pl_history *whole,
                   const struct pl_witness *part, struct pl_witness *out)
{
    uint32_t *start = pl_zeroed(whole->events + 1, sizeof *start);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t k = 0; k < p->count; k++) {
            uint32_t at = 0;
            for (uint32_t w = 0; w < part[k].count; w++) {
                uint32_t i = p->whole[p->start[k] + part[k].order[w]];
                uint32_t call = whole->operation[i].call;
                at = call > at ? call : at;
                if (pass == 0) {
                    start[at + 1]++;
                } else {
                    uint32_t place = start[at]++;
                    out->order[place] = i;
                    out->answer[place] = part[k].answer[w];
                }
            }
            out->count += pass ? part[k].count : 0;
        }
        for (uint32_t e = 0; e < whole->events && pass == 0; e++)
            start[e + 1] += start[e];
    }
    free(start);
}
