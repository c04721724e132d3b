/* All clients of an execution: quasi.h. */
#include "check/quasi.h"

struct explaining {
    const struct pl_quasi *quasi;
    struct pl_machine *machine;
    const struct pl_behaviour *behaviour;
    const struct pl_budget *budget;
    union pl_quasi_result *out;
    struct pl_quasi_stats *stats;
};

static enum pl_decision explain(void *context, const uint32_t *before, uint32_t asked,
                                uint8_t *place, unsigned *unjustified)
{
    struct explaining *e = context;
    enum pl_decision decision = pl_quasi_before(e->quasi, e->machine, e->behaviour, before, asked,
                                                e->budget, e->out, e->stats);
    *unjustified = decision == PL_GOOD ? PL_NONE_CALLED : e->out->refuted.unjustified;
    for (unsigned k = 0; k < e->out->witness.count && decision == PL_GOOD; k++)
        place[e->out->witness.happened[k]] = (uint8_t)k;
    return decision;
}

enum pl_decision pl_quasi_clients(const struct pl_quasi *quasi, struct pl_machine *machine,
                                  const struct pl_behaviour *behaviour,
                                  const struct pl_allowed *allowed, const struct pl_budget *budget,
                                  struct pl_client *client, union pl_quasi_result *out,
                                  struct pl_quasi_stats *stats)
{
    struct explaining e = {quasi, machine, behaviour, budget, out, stats};
    const struct pl_explainer explainer = {explain, &e};
    enum pl_decision decision =
        pl_clients_decide_by(&explainer, behaviour, allowed, budget, client, &stats->clients);
    if (decision != PL_GOOD) /* the last that was tried may have been another one */
        out->refuted = (struct pl_refuted){.unjustified = decision == PL_BAD ? client->unjustified
                                                                             : PL_NONE_CALLED};
    return decision;
}
