/* Exploring only executions with few preemptions: what the search asks of preemptions.h. */
#include "explore/preemptions.h"
#include "explore/trust_internal.h"

void pl_trust_bound(struct pl_trust *x, unsigned most)
{
    x->bounded = true;
    x->most = most;
}

static bool exceeds(const struct pl_graph *g, unsigned most)
{
    const struct pl_preemptions all = {.last = -1, .kindly = true, .most = most};
    return pl_preemptions_least(g, &all) > most;
}

bool pl_trust_leads_beyond(struct pl_trust *x)
{
    if (!x->bounded || !exceeds(x->g, x->most + pl_preemptions_slack(x->g)))
        return false;
    x->counts.beyond++;
    return true;
}

bool pl_trust_is_beyond(struct pl_trust *x)
{
    if (!x->bounded || !exceeds(x->g, x->most))
        return false;
    x->counts.beyond++;
    return true;
}

unsigned pl_trust_preemptions(const struct pl_trust *x, int last, uint64_t waiting)
{
    const struct pl_preemptions made = {
        .made = x->made, .last = last, .waiting = waiting, .most = PL_PREEMPTIONS_ANY};
    return pl_preemptions_least(x->g, &made);
}
