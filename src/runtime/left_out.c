/* Races with rounds that are left out: left_out.h. */
#include "runtime/left_out.h"

#include "runtime/harness.h"
#include "runtime/model_internal.h"

static bool is_watched(void)
{
    return pl_model.explorer == pl_model.search && !pl_harness.serial &&
           rt.races == PL_RACES_REPORT;
}

bool pl_out_renames;

static uint32_t own_bit(void)
{
    return (uint32_t)1 << (rt.self->id & 31);
}

/* A round may be a risk that was not known to be one. */
static void learn(void)
{
    if (!pl_fact(&pl_facts.gave_up))
        return;
    pl_fact_add(&pl_facts.was_risk, 1);
    pl_trust_begin_again(pl_model.search);
}

PL_COLD void pl_out_read_slow(uint64_t name, struct pl_fact_half *g)
{
    if (!is_watched() || rt.nthreads == 1)
        return;
    pl_trust_does(pl_model.search, rt.self->id, 0, name, PL_TRUST_READS);
    bool is_new = !(g->reads & own_bit());
    pl_fact_add(&g->reads, own_bit());
    if (!pl_out_others(g->stores | g->updates))
        return;
    rt.self->risky = rt.self->epoch & PL_TICK_MASK;
    if (is_new)
        learn();
}

static bool is_own(uint64_t address);

PL_COLD void pl_out_store_slow(struct pl_fact_half *g, uint64_t address)
{
    if (!is_watched() || is_own(address))
        return;
    pl_fact_add(&g->stores, own_bit());
    if (pl_out_others(g->paired | g->updates))
        pl_trust_pair_not(pl_model.search);
    if (pl_out_others(g->reads | g->touches))
        learn();
}

PL_COLD void pl_out_update_slow(struct pl_fact_half *g)
{
    if (!is_watched())
        return;
    pl_fact_add(&g->updates, own_bit());
    if (pl_out_others(g->stores))
        pl_trust_pair_not(pl_model.search);
    if (pl_out_others(g->reads))
        learn();
}

static void does(unsigned since, uint64_t address, unsigned size, unsigned how)
{
    if (!is_watched() || !pl_shadowed(address))
        return;
    uint64_t name = pl_out_name_of(pl_cell_of(address));
    uint8_t mask = pl_out_mask(address, size);
    if (mask & 0xf)
        pl_trust_does(pl_model.search, rt.self->id, since, name, how);
    if (mask & 0xf0)
        pl_trust_does(pl_model.search, rt.self->id, since, name | PL_OUT_HALF, how);
    if (pl_unlikely(size > 8))
        does(since, address + 8, size - 8, how);
}

void pl_out_touches(unsigned since, uint64_t address, unsigned size, bool write)
{
    does(since, address, size, write ? PL_TRUST_TOUCHES | PL_TRUST_WRITES : PL_TRUST_TOUCHES);
}

void pl_out_stores(unsigned since, uint64_t address)
{
    does(since, address, 1, PL_TRUST_TOUCHES | PL_TRUST_WRITES | PL_TRUST_STORES);
    if (!pl_shadowed(address))
        return;
    const struct pl_fact_half *g = pl_out_halves(pl_out_name_of(pl_cell_of(address)));
    g += address >> 2 & 1;
    if (pl_out_others(g->reads | g->touches | g->stores | g->updates))
        rt.self->risky = rt.self->epoch & PL_TICK_MASK;
}

static uint64_t address_of(const struct pl_node *n)
{
    return pl_model_graph()->location[n->location - 1].key << 16 >> 16;
}

void pl_out_inner(unsigned place, unsigned since)
{
    const struct pl_node *node = pl_model_graph()->thread[rt.self->id].node;
    if (!is_watched())
        return;
    pl_trust_left_out(pl_model.search, rt.self->id, place);
    for (unsigned k = since; k < pl_model_made(); k++)
        if (pl_is_access(&node[k]))
            pl_out_touches(place, address_of(&node[k]), node[k].size,
                           node[k].kind == PL_GRAPH_WRITE);
}

void pl_out_round(unsigned since)
{
    pl_out_inner(since, since);
}

/* A round that may be given up accesses those bytes atomically: may others write them plainly? */
static bool may_race(uint64_t address, unsigned size, bool paired)
{
    struct pl_fact_half *g = pl_out_halves(pl_out_name_of(pl_cell_of(address)));
    uint8_t mask = pl_out_mask(address, size);
    bool may = size > 8 && may_race(address + 8, size - 8, paired);
    for (unsigned half = 0; half < 2; half++, g++) {
        if (!(mask >> 4 * half & 0xf))
            continue;
        pl_fact_add(paired ? &g->paired : &g->touches, own_bit());
        may = may || pl_out_others(g->stores);
    }
    return may;
}

/* Likewise, for those of the running thread since then. */
static bool round_may_race(unsigned since, bool paired)
{
    const struct pl_node *node = pl_model_graph()->thread[rt.self->id].node;
    bool may = false;
    for (unsigned k = since; is_watched() && k < pl_model_made(); k++) {
        uint64_t address = pl_is_access(&node[k]) ? address_of(&node[k]) : 0;
        may |= address && pl_shadowed(address) && may_race(address, node[k].size, paired);
    }
    return may;
}

bool pl_out_may_race(unsigned since)
{
    return round_may_race(since, true);
}

bool pl_out_is_risk(unsigned since)
{
    bool risk = round_may_race(since, false) || pl_facts.risky || rt.self->risky > since;
    if (risk || !is_watched() || pl_fact(&pl_facts.gave_up))
        return risk;
    pl_fact_add(&pl_facts.gave_up, 1);
    return round_may_race(since, false); /* F2 */
}

/* Is it memory that the thread has allocated itself, and that nobody else can know of? Who does
 * knows it by something that the thread wrote since, and if that was after this access, so is all
 * that he does. */
static bool is_own(uint64_t address)
{
    struct pl_block_info b;
    return pl_heap_block(address, &b) && b.epoch && b.epoch >> PL_TICK_BITS == rt.self->id &&
           !pl_trust_has_shown(pl_model.search, rt.self->id, (b.epoch & PL_TICK_MASK) - 1, b.start,
                               b.start + b.size);
}

static void note_later(const struct pl_cell *c, uint8_t mask, uint64_t address, unsigned how)
{
    if (!is_watched() || !pl_trust_is_later(pl_model.search, rt.self->id) || is_own(address))
        return;
    if (mask & 0xf)
        pl_trust_note_later(pl_model.search, rt.self->id, pl_out_name_of(c), how);
    if (mask & 0xf0)
        pl_trust_note_later(pl_model.search, rt.self->id, pl_out_name_of(c) | PL_OUT_HALF, how);
}

void pl_out_plain(const struct pl_cell *c, uint8_t mask, uint64_t address, bool write)
{
    note_later(c, mask, address, write ? PL_TRUST_READS | PL_TRUST_TOUCHES : PL_TRUST_WRITES);
}

void pl_out_atomic(const struct pl_node *n)
{
    uint64_t address = pl_is_access(n) ? address_of(n) : 0;
    unsigned how = n->kind == PL_GRAPH_WRITE ? PL_TRUST_READS | PL_TRUST_STORES : PL_TRUST_STORES;
    if (!address || !pl_shadowed(address))
        return;
    note_later(pl_cell_of(address), pl_out_mask(address, n->size), address, how);
    if (pl_unlikely(n->size > 8))
        note_later(pl_cell_of(address + 8), 0xff, address + 8, how);
}
