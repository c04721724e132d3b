/* Deques used as a queue or as a stack: decided as such. */
#include <stdlib.h>
#include <string.h>

#include "check/check.h"

enum pl_decision pl_decide_deque(const struct pl_case *c, struct pl_witness *out)
{
    const struct pl_history *h = c->history;
    bool used[4] = {false};
    for (uint32_t i = 0; i < h->count; i++) {
        const struct pl_operation *o = &h->operation[i];
        if (o->result != PL_NIL || pl_pending(o) || o->code == PL_DEQUE_PUSH_LEFT ||
            o->code == PL_DEQUE_PUSH_RIGHT)
            used[o->code] = true; /* at which end nothing was found does not matter */
    }
    bool push_right = used[PL_DEQUE_PUSH_RIGHT], push_left = used[PL_DEQUE_PUSH_LEFT];
    bool pop_right = used[PL_DEQUE_POP_RIGHT], pop_left = used[PL_DEQUE_POP_LEFT];
    if ((push_right && push_left) || (pop_right && pop_left))
        return PL_NEITHER;
    bool stack = (push_right && pop_right) || (push_left && pop_left);
    struct pl_history copy = *h;
    copy.operation = malloc((h->count + 1) * sizeof *copy.operation);
    PL_ASSERT(copy.operation);
    memcpy(copy.operation, h->operation, h->count * sizeof *copy.operation);
    for (uint32_t i = 0; i < h->count; i++) {
        uint8_t *code = &copy.operation[i].code;
        bool puts = *code == PL_DEQUE_PUSH_RIGHT || *code == PL_DEQUE_PUSH_LEFT;
        *code = puts ? PL_PUT : PL_TAKE;
    }
    struct pl_case as = *c;
    as.history = &copy;
    as.spec = stack ? &pl_spec_lifo : &pl_spec_fifo;
    enum pl_decision decision = stack ? pl_decide_stack(&as, out) : pl_decide_queue(&as, out);
    free(copy.operation);
    return decision;
}
