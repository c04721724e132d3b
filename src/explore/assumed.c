/*
 * What was never seen and is taken never to happen: that a location gets a value again which it has
 * had before. With that the explorer knows of a thread that it will not wait for good
 * (runtime/model_await.c). When it is seen after all, though something was left out because of it,
 * the search begins again and no longer takes it for so.
 *
 * Why nothing is lost. Let S be what was never seen when the search is over, and P' the program in
 * which a thread that is about to do something of S stops there for good. As long as nothing of S
 * is seen both programs are searched alike, and of P' nothing was left out but what comes to
 * nothing: in it S does not happen. So every execution of P' was seen up to its end; if a thread of
 * the program could come to do something of S, one of those that come there first would be such an
 * end, and it would have been seen to do it. Hence P' is the program.
 *
 * For that S must not depend on what was left out: it is about writes, and what is left out are
 * rounds that only read.
 */
#include <string.h>

#include "explore/trust_internal.h"

static struct assumed_value *value_of(struct pl_trust *x, uint64_t key, uint64_t value)
{
    uint64_t hash = (key ^ value * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    for (uint32_t n = 0, i = (uint32_t)(hash >> 40); n < ASSUMED_VALUES; n++, i++) {
        struct assumed_value *v = &x->assumed.value[i % ASSUMED_VALUES];
        if (!v->used)
            *v = (struct assumed_value){.key = key, .value = value, .used = true};
        if (v->key == key && v->value == value)
            return v;
    }
    x->assumed.off = true; /* there is no room for what is seen */
    x->mistaken = x->mistaken || x->assumed.relied;
    return NULL;
}

bool pl_trust_had_value(const struct pl_graph *g, const struct pl_location *l,
                        const struct pl_node *w)
{
    for (uint32_t i = 0; i < l->writes; i++) {
        const struct pl_node *other = pl_at(g, l->co[i]);
        if (other != w && other->value == w->value)
            return true;
    }
    return l->initial == w->value;
}

void pl_trust_note_again(struct pl_trust *x, const struct pl_node *w)
{
    const struct pl_location *l = &x->g->location[w->location - 1];
    if (x->assumed.off || (w->flags & PL_GRAPH_F_LOCK) || !pl_trust_had_value(x->g, l, w))
        return;
    struct assumed_value *v = value_of(x, l->key, w->value);
    if (!v)
        return;
    v->again = true;
    x->mistaken = x->mistaken || v->relied;
}

/* What is seen is noted from when it is first asked for, so from a new start. Each of several
 * processes would know only what it has seen itself. */
static bool may_assume(struct pl_trust *x)
{
    if (x->assumed.off || x->mistaken || x->twins || x->bounded || x->sample || x->probing ||
        x->script)
        return false;
    x->mistaken = !x->assumed.on;
    x->assumed.on = true;
    return !x->mistaken;
}

bool pl_trust_assume_once(struct pl_trust *x, uint32_t location, uint64_t value)
{
    struct assumed_value *v =
        may_assume(x) ? value_of(x, x->g->location[location - 1].key, value) : NULL;
    if (!v || v->again)
        return false;
    return x->assumed.relied = v->relied = true;
}

void pl_trust_assume_nothing(struct pl_trust *x)
{
    x->assumed.off = true;
}

void pl_trust_begin_again(struct pl_trust *x)
{
    x->mistaken = true;
}

bool pl_trust_is_mistaken(const struct pl_trust *x)
{
    return x->mistaken;
}

void pl_trust_forget_assumed(struct pl_trust *x)
{
    enum { OFTEN = 16 };
    x->assumed.relied = false;
    x->assumed.mistakes = x->mistaken ? x->assumed.mistakes + 1 : 0;
    x->assumed.off = x->assumed.off || x->assumed.mistakes > OFTEN;
    for (uint32_t i = 0; i < ASSUMED_VALUES && x->assumed.on; i++) {
        x->assumed.value[i].relied = false;
        x->assumed.value[i].used &= x->mistaken; /* else it is another program that runs */
    }
    x->mistaken = false;
}
