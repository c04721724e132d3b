/* Compare-exchanges by which threads help each other: helping.h. */
#include "runtime/helping.h"

#include <stdlib.h>

#include "runtime/harness.h"
#include "runtime/model_internal.h"
#include "runtime/shadow.h"

PL_EXPORT void __plumb_helps(const void *address, uint32_t how);

bool pl_helping_on;
/* Of the compare-exchange that comes next; nobody else runs before it. */
unsigned pl_helping_said;
static uint64_t said_of;

void pl_helping_init(void)
{
    const struct pl_wire_options *o = rt.options;
    pl_helping_on = o->helping && o->check.mode == PL_CHECK_ON && !o->check.points &&
                    !o->check.infer && !o->sharing && !o->strategy && !o->preemptions &&
                    !o->replaying && !o->robust && rt.races == PL_RACES_REPORT && !rt.learns_races;
    if (pl_helping_on)
        pl_trust_help(pl_model.search, PL_HEAP, PL_HEAP_END);
}

void __plumb_helps(const void *address, uint32_t how)
{
    said_of = (uint64_t)address;
    pl_helping_said = pl_helping_on ? how : 0;
}

unsigned pl_helping_take(uint64_t address)
{
    unsigned how = said_of == address ? pl_helping_said : 0;
    bool known =
        pl_in_heap(address) || address - rt.program_start < rt.program_end - rt.program_start;
    pl_helping_said = 0;
    if (pl_harness.serial || pl_model.explorer != pl_model.search)
        how &= PL_HELP_OWN; /* a run beside the search makes the same events */
    return known ? how : 0;
}

static uint64_t name_of(const struct pl_cell *c)
{
    uint64_t first = (uint64_t)pl_cell_of(PL_HEAP), bytes = (PL_HEAP_END - PL_HEAP) * sizeof *c / 8;
    return (uint64_t)c | ((uint64_t)c - first < bytes ? PL_TRUST_HEAP : 0);
}

static struct pl_round looked_into;

static void note_read(const struct pl_cell *c)
{
    pl_trust_left_out(pl_model.search, looked_into, name_of(c));
}

/* What the round of the running thread has read (explore/left_out.c). */
static void look_into(struct pl_round r)
{
    const struct pl_graph *g = pl_model_graph();
    looked_into = r;
    for (unsigned k = r.from; k < r.to; k++) {
        const struct pl_node *n = &g->thread[r.thread].node[k];
        uint64_t address = n->location ? g->location[n->location - 1].key << 16 >> 16 : 0;
        if (n->kind == PL_GRAPH_READ && pl_shadowed(address))
            note_read(pl_cell_of(address));
    }
    if (!pl_shadow_each_access(r.thread, r.from + 1u, note_read))
        pl_trust_help_not(pl_model.search, PL_TRUST_ANYWHERE);
}

bool pl_helping_leaves(const struct pl_trust_access *a, uint64_t pc)
{
    unsigned since;
    if (!pl_trust_is_fresh(pl_model.explorer, a->thread) || pl_model.keeps_rounds ||
        !pl_loops_has_only_read(&since) || !pl_trust_is_helped(pl_model.explorer, a, since))
        return false;
    look_into((struct pl_round){(uint16_t)a->thread, (uint16_t)since, (uint16_t)pl_model_made()});
    pl_model_stand(since, false, pc);
    return true;
}

void pl_helping_wrote(const struct pl_cell *c)
{
    if (pl_model.explorer == pl_model.search)
        pl_trust_wrote(pl_model.search, rt.self->id, name_of(c));
}

void pl_helping_plain(uint64_t address)
{
    pl_trust_help_not(pl_model.search, address);
}

static bool is_alone(void)
{
    for (uint32_t i = 1; i < rt.nthreads; i++)
        if (rt.thread[i].state != PL_THREAD_FINISHED && rt.thread[i].state != PL_THREAD_UNUSED)
            return false;
    return rt.self->id == 0;
}

void pl_helping_free(uint64_t pool)
{
    if (!is_alone())
        pl_trust_help_not(pl_model.search, pool ? PL_TRUST_ANYWHERE : 0);
}
