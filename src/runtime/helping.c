/* Compare-exchanges by which threads help each other: helping.h. */
#include "runtime/helping.h"

#include <stdlib.h>

#include "runtime/harness.h"
#include "runtime/model_internal.h"

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

bool pl_helping_leaves(const struct pl_trust_access *a, uint64_t pc)
{
    unsigned since;
    if (!pl_trust_is_fresh(pl_model.explorer, a->thread) || pl_model.keeps_rounds ||
        !pl_loops_has_only_read(&since) || !pl_trust_is_helped(pl_model.explorer, a, since))
        return false;
    pl_model_stand(since, false, pc);
    return true;
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
