/* Calls that failed without a reason: see spurious.h. What the machine may do comes first. */
#include "check/spurious.h"

static enum pl_step step(struct pl_machine *machine, uint32_t state, uint32_t invocation,
                         unsigned which, pl_value *response, uint32_t *next)
{
    const struct pl_spurious *s = (const struct pl_spurious *)machine;
    enum pl_step known = pl_step(s->base, state, invocation, which, response, next);
    if (known != PL_STEP_END)
        return known;
    unsigned first = 0;
    while (pl_step(s->base, state, invocation, first, response, next) != PL_STEP_END)
        first++;
    for (unsigned k = 0, met = first; k < s->calls; k++)
        if (s->call[k].invocation == invocation && met++ == which) {
            *response = s->call[k].response;
            *next = state;
            return PL_STEP_ANSWERS;
        }
    return PL_STEP_END;
}

static void add(struct pl_spurious *s, const struct pl_called *called)
{
    for (unsigned k = 0; k < s->calls; k++)
        if (s->call[k].invocation == called->invocation && s->call[k].response == called->response)
            return;
    s->call[s->calls++] =
        (struct pl_spurious_call){.invocation = called->invocation, .response = called->response};
}

void pl_spurious_init(struct pl_spurious *s, struct pl_machine *base,
                      const struct pl_behaviour *behaviour)
{
    *s = (struct pl_spurious){.machine = {.start = base->start, .step = step}, .base = base};
    for (unsigned i = 0; i < behaviour->order->operations; i++)
        if (behaviour->called[i].failed && !(behaviour->order->pending >> i & 1))
            add(s, &behaviour->called[i]);
}
