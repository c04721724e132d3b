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

static struct pl_fact_value *value_of(struct pl_trust *x, uint64_t key, uint64_t value)
{
    struct pl_facts *f = x->facts;
    uint64_t name = pl_fact_name(key, value);
    for (uint32_t n = 0, i = (uint32_t)(name >> 40); n < PL_FACTS_VALUES; n++, i++) {
        struct pl_fact_value *v = &f->value[i % PL_FACTS_VALUES];
        if (pl_fact_claim(&v->name, name))
            return v;
    }
    pl_fact_add(&f->assumes_not, 1); /* there is no room for what is seen */
    x->mistaken = x->mistaken || pl_fact(&f->relied);
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
    if (pl_fact(&x->facts->assumes_not) || (w->flags & PL_GRAPH_F_LOCK) ||
        !pl_trust_had_value(x->g, l, w))
        return;
    struct pl_fact_value *v = value_of(x, l->key, w->value);
    if (!v)
        return;
    pl_fact_add(&v->again, 1);
    x->mistaken = x->mistaken || pl_fact(&v->relied);
}

/* What is seen is noted from when it is first asked for, so from a new start. */
static bool may_assume(struct pl_trust *x)
{
    if (pl_fact(&x->facts->assumes_not) || x->mistaken || x->twins || x->bounded || x->sample ||
        x->probing || x->script)
        return false;
    x->mistaken = !x->facts->assumes;
    pl_fact_add(&x->facts->assumes, 1);
    return !x->mistaken;
}

bool pl_trust_assume_once(struct pl_trust *x, uint32_t location, uint64_t value)
{
    struct pl_fact_value *v =
        may_assume(x) ? value_of(x, x->g->location[location - 1].key, value) : NULL;
    if (!v)
        return false;
    pl_fact_add(&x->facts->relied, 1);
    if (pl_fact(&x->facts->assumes_not) || pl_fact(&v->again))
        return false;
    pl_fact_add(&v->relied, 1);
    return !pl_fact(&v->again); /* F2 */
}

void pl_trust_assume_nothing(struct pl_trust *x)
{
    pl_fact_add(&x->facts->assumes_not, 1);
}

void pl_trust_begin_again(struct pl_trust *x)
{
    x->mistaken = true;
}

bool pl_trust_is_mistaken(const struct pl_trust *x)
{
    return x->mistaken;
}
