/* Parts of a bad history decided again: see cut.h. */
#include "check/cut.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void pl_cut_make(const struct pl_history *h, const bool *wanted, uint32_t events,
                 struct pl_history *out, pl_value *hint)
{
    uint32_t *number = pl_zeroed(h->count, sizeof *number);
    *out = *h;
    out->count = out->events = 0;
    out->operation = pl_zeroed(h->count, sizeof *out->operation);
    out->event = pl_zeroed(events, sizeof *out->event);
    for (uint32_t e = 0; e < events; e++) {
        uint32_t i = h->event[e] / 2;
        if (wanted && !wanted[i])
            continue;
        if (h->event[e] % 2 == 0) {
            struct pl_operation *o = &out->operation[number[i] = out->count++];
            *o = h->operation[i];
            o->call = out->events;
            o->ret = PL_NEVER;
            o->result = PL_ANY;
            if (hint)
                hint[number[i]] = h->operation[i].result;
        } else {
            out->operation[number[i]].ret = out->events;
            out->operation[number[i]].result = h->operation[i].result;
        }
        out->event[out->events++] = number[i] * 2 + h->event[e] % 2;
    }
    free(number);
}

void pl_cut_release(struct pl_history *cut)
{
    free(cut->operation);
    free(cut->event);
}

/*
 * The first events of the whole, without a copy of its operations: those that are open then are
 * made pending in place, and remembered.
 */
struct prefix {
    struct pl_history history;
    uint32_t *open; /* operations, and what they were */
    struct pl_operation *was;
    uint32_t opens;
};

static void prefix_init(struct prefix *p, const struct pl_history *whole, uint32_t events,
                        pl_value *hint)
{
    uint32_t room = 0;
    *p = (struct prefix){.history = *whole};
    p->history.events = events;
    for (uint32_t i = 0; i < whole->count; i++) {
        struct pl_operation *o = &whole->operation[i];
        if (o->call >= events) { /* they are sorted by call */
            p->history.count = i;
            break;
        }
        if (o->ret < events || pl_pending(o))
            continue;
        if (p->opens == room) {
            room = room ? 2 * room : 64;
            p->open = realloc(p->open, room * sizeof *p->open);
            p->was = realloc(p->was, room * sizeof *p->was);
            PL_ASSERT(p->open && p->was);
        }
        p->open[p->opens] = i;
        p->was[p->opens++] = *o;
        hint[i] = o->result;
        o->ret = PL_NEVER;
        o->result = PL_ANY;
    }
}

static void prefix_release(struct prefix *p)
{
    for (uint32_t k = 0; k < p->opens; k++)
        p->history.operation[p->open[k]] = p->was[k];
    free(p->open);
    free(p->was);
}

/* GOOD: which operations the order found has, with the answers of the whole. */
static void keep(const struct pl_history *whole, const struct pl_witness *w, bool *kept)
{
    memset(kept, 0, whole->count * sizeof *kept);
    for (uint32_t k = 0; k < w->count; k++)
        kept[w->order[k]] = pl_agrees(&whole->operation[w->order[k]], w->answer[k]);
}

enum pl_decision pl_cut_decide(struct pl_cuts *cuts, const bool *wanted, uint32_t events,
                               struct pl_check_how *how, bool *kept)
{
    const struct pl_history *whole = cuts->c->history;
    struct pl_budget budget = cuts->c->budget ? *cuts->c->budget : (struct pl_budget){0};
    struct pl_case c = *cuts->c;
    struct prefix prefix = {0};
    struct pl_history some = {0};
    struct pl_witness w;
    pl_value *hint = pl_zeroed(whole->count, sizeof *hint); /* touched for few: costs nothing */
    if (wanted)
        pl_cut_make(whole, wanted, events, &some, hint);
    else
        prefix_init(&prefix, whole, events, hint);
    budget.steps = cuts->steps ? cuts->steps : 1;
    c.history = wanted ? &some : &prefix.history;
    c.budget = &budget;
    c.hint = hint;
    pl_witness_init(&w, c.history->count);
    enum pl_decision decision = pl_check(&c, cuts->jobs, &w, how);
    cuts->steps -= how->steps < cuts->steps ? how->steps : cuts->steps;
    if (wanted)
        pl_cut_release(&some);
    else
        prefix_release(&prefix);
    if (kept && decision == PL_GOOD) /* after that: the answers are back */
        keep(whole, &w, kept);
    else if (kept)
        memset(kept, 0, whole->count * sizeof *kept);
    pl_witness_release(&w);
    free(hint);
    return decision;
}
