/* Random programs as objects: object.h. */
#include "object.h"

#include <string.h>

#include "random.h"

static void cut_into_calls(struct or_object *o, struct pl_prng *r);

void or_object_make(struct or_object *o, uint64_t seed, struct pl_prng *r)
{
    static const unsigned orders[] = {1u << OR_RLX | 1u << OR_ACQ | 1u << OR_REL | 1u << OR_AR,
                                      OR_ORDERS_ATOMIC, 1u << OR_SC, 1u << OR_RLX | 1u << OR_SC};
    struct or_random_options options = {
        .seed = seed,
        .max_threads = 3,
        .max_events = 4 + (int)pl_prng_below(r, 3),
        .kinds = OR_KINDS_PLAIN | OR_KINDS_RMW,
        .orders = orders[seed % 4],
    };
    if (seed % 3 == 0)
        options.kinds |= 1u << OR_FENCE;
    if (seed % 5 == 0) { /* so much of it that two threads have it, and a call ends with it */
        options.kinds = 1u << OR_LOCK | 1u << OR_STORE | (seed % 2 ? 1u << OR_LOAD : 0);
        options.max_events = 6;
        options.locks = 1;
    }
    memset(o, 0, sizeof *o);
    or_random_program(&o->p, &options);
    cut_into_calls(o, r);
}

void or_object_make_around(struct or_object *o, uint64_t seed, struct pl_prng *r)
{
    const struct or_random_options options = {.seed = seed,
                                              .min_threads = 4,
                                              .max_threads = 4,
                                              .max_events = 6,
                                              .locs = 3,
                                              .kinds = OR_KINDS_PLAIN | 1u << OR_XCHG,
                                              .orders = OR_ORDERS_ATOMIC};
    memset(o, 0, sizeof *o);
    or_random_program(&o->p, &options);
    for (int t = 0; t < o->p.threads; t++)
        for (int k = 0; k < o->p.thread[t].count; k++) {
            struct or_op *op = &o->p.thread[t].ops[k];
            bool last = op->loc == o->p.locs - 1;
            if (op->kind == OR_LOAD)
                op->order = last ? OR_ACQ : OR_SC;
            else if (op->kind == OR_STORE)
                op->order = last ? OR_REL : OR_SC;
            else if (op->kind == OR_XCHG)
                op->order = last ? OR_AR : OR_SC;
        }
    cut_into_calls(o, r);
}

static void cut_into_calls(struct or_object *o, struct pl_prng *r)
{
    for (int t = 0; t < o->p.threads; t++) {
        int count = o->p.thread[t].count, cut = (int)pl_prng_below(r, (uint32_t)count + 1);
        bool two = o->calls + 2 + (unsigned)(o->p.threads - t - 1) <= 5 && pl_prng_below(r, 3) == 0;
        o->call[o->calls].thread = t;
        o->call[o->calls].first = two ? 0 : pl_prng_below(r, 4) == 0 ? cut : 0;
        o->call[o->calls++].end = two ? cut : count;
        if (!two)
            continue;
        o->call[o->calls].thread = t;
        o->call[o->calls].first = cut;
        o->call[o->calls++].end = count;
    }
    for (unsigned i = 0; i < o->calls; i++)
        for (unsigned j = 0; j < o->calls; j++)
            if (o->call[i].thread != o->call[j].thread) {
                o->pair[o->pairs].from = i;
                o->pair[o->pairs++].to = j;
            }
    bool all = o->pairs <= 6;
    o->sets = all ? 1u << o->pairs : 32; /* each edge alone, and some together */
    for (unsigned s = 0; s < o->sets; s++)
        for (unsigned k = 0; k < o->pairs; k++)
            if (all ? s >> k & 1 : s < o->pairs ? s == k : pl_prng_below(r, o->pairs) < 2)
                o->set[s][o->pair[k].to] |= 1u << o->pair[k].from;
}

void or_object_calls(const struct or_object *o, const struct pl_graph *g,
                     struct pl_graph_call *call)
{
    for (unsigned i = 0; i < o->calls; i++) {
        unsigned made = 0;
        int t = o->call[i].thread;
        call[i] = (struct pl_graph_call){.thread = (uint8_t)t, .called = true, .returned = true};
        for (int k = 0; k <= o->p.thread[t].count; k++) {
            if (k == o->call[i].first)
                call[i].call = (uint16_t)made;
            if (k == o->call[i].end)
                call[i].ret = (uint16_t)made;
            if (k < o->p.thread[t].count)
                made += (g->thread[t].node[made].flags & PL_GRAPH_F_RMW) ? 2 : 1;
        }
    }
}
