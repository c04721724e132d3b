/* One line for all histories: line.h. */
#include "check/line.h"

_Static_assert((int)PL_MOST_CALLED == PL_GRAPH_CALLS, "the same limits");

struct search {
    struct pl_machine *machine;
    const struct pl_called *called;
    const struct pl_line_note *note;
};

/* What the machine has not tried yet it may answer later. */
enum pl_line_answer pl_line_ask(struct pl_machine *machine, const struct pl_called *called,
                                uint32_t state, uint32_t *next)
{
    bool untried = false;
    pl_value response;
    for (unsigned which = 0;; which++) {
        enum pl_step did = pl_step(machine, state, called->invocation, which, &response, next);
        if (did == PL_STEP_END)
            return untried ? PL_LINE_UNKNOWN : PL_LINE_REFUSED;
        untried = untried || did == PL_STEP_UNTRIED;
        if (did == PL_STEP_ANSWERS && (called->response == PL_ANY || called->response == response))
            return PL_LINE_TAKEN;
    }
}

static enum pl_line_answer step(void *context, uint32_t state, unsigned operation, uint32_t *next)
{
    const struct search *s = context;
    enum pl_line_answer answer = pl_line_ask(s->machine, &s->called[operation], state, next);
    bool taken = answer == PL_LINE_TAKEN;
    if (s->note && answer != PL_LINE_UNKNOWN)
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
