/* One line for all histories: line.h. */
#include "check/line.h"

_Static_assert((int)PL_MOST_CALLED == PL_GRAPH_CALLS, "the same limits");

struct search {
    struct pl_machine *machine;
    const struct pl_called *called;
    const struct pl_line_note *note;
};

/* What the machine has not tried yet it may answer later. */
static enum pl_line_answer step(void *context, uint32_t state, unsigned operation, uint32_t *next)
{
    const struct search *s = context;
    const struct pl_called *called = &s->called[operation];
    bool taken = false, untried = false;
    pl_value response;
    for (unsigned which = 0; !taken; which++) {
        enum pl_step did = pl_step(s->machine, state, called->invocation, which, &response, next);
        if (did == PL_STEP_END)
            break;
        untried = untried || did == PL_STEP_UNTRIED;
        taken =
            did == PL_STEP_ANSWERS && (called->response == PL_ANY || called->response == response);
    }
    if (s->note && (taken || !untried))
        s->note->note(s->note->context, state, operation, taken, taken ? *next : 0);
    return taken ? PL_LINE_TAKEN : PL_LINE_REFUSED;
}

bool pl_line_explains(const struct pl_line_order *order, struct pl_machine *machine,
                      const struct pl_called *called, const struct pl_line_note *note)
{
    struct search search = {.machine = machine, .called = called, .note = note};
    uint64_t later[PL_MOST_CALLED];
    pl_line_later(order, later);
    return pl_line_search(later, order->operations, machine->start, step, &search);
}
