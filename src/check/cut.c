/* Parts of a bad history decided again: see cut.h. */
#include "check/cut.h"

#include <stdlib.h>
#include <string.h>

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    PL_ASSERT(memory);
    return memory;
}

void pl_cut_make(const struct pl_history *h, const bool *wanted, uint32_t events,
                 struct pl_history *out, pl_value *hint)
{
    uint32_t *number = zeroed(h->count, sizeof *number);
    *out = *h;
    out->count = out->events = 0;
    out->operation = zeroed(h->count, sizeof *out->operation);
    out->event = zeroed(events, sizeof *out->event);
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

enum pl_decision pl_cut_decide(struct pl_cuts *cuts, const bool *wanted, uint32_t events,
                               struct pl_check_how *how, bool *kept)
{
    const struct pl_history *whole = cuts->c->history;
    struct pl_budget budget = cuts->c->budget ? *cuts->c->budget : (struct pl_budget){0};
    struct pl_case c = *cuts->c;
    struct pl_history h;
    struct pl_witness w;
    pl_value *hint = zeroed(whole->count, sizeof *hint);
    pl_cut_make(whole, wanted, events, &h, hint);
    budget.steps = cuts->steps ? cuts->steps : 1;
    c.history = &h;
    c.budget = &budget;
    c.hint = hint;
    pl_witness_init(&w, h.count);
    enum pl_decision decision = pl_check(&c, cuts->jobs, &w, how);
    cuts->steps -= how->steps < cuts->steps ? how->steps : cuts->steps;
    if (kept) { /* operations are sorted by call: those of a prefix keep their numbers */
        memset(kept, 0, whole->count * sizeof *kept);
        for (uint32_t k = 0; k < w.count && decision == PL_GOOD; k++)
            kept[w.order[k]] = pl_agrees(&whole->operation[w.order[k]], w.answer[k]);
    }
    pl_witness_release(&w);
    pl_cut_release(&h);
    free(hint);
    return decision;
}
