/*
 * A round whose threads all wait: should they? (Line-Up, definition 3.) Each call under way has to
 * wait in the state that an order of the completed calls leads to; those under way have no effect.
 *
 * One order is looked at. What is in a container, or how often a semaphore was given back, is the
 * same after all of them; whether an event is set is not.
 */
#include <string.h>

#include "cli/stresser.h"
#include "shrink/localise.h"

static const double DECIDE_SECONDS = 1;

/* The calls that have returned, alone. Values stay those of the whole history. */
static void completed(const struct pl_history *from, struct pl_history *out)
{
    pl_history_init(out);
    for (uint32_t i = 0; i < from->count; i++)
        if (from->operation[i].ret != PL_NEVER)
            *pl_history_add(out) = from->operation[i];
    out->threads = from->threads;
    pl_history_finish(out);
}

/* Does the call wait in this state? One that is marked blocking does where it would fail. */
static bool waits(const struct pl_case *c, const struct pl_state *state,
                  const struct pl_operation *operation, pl_value failing)
{
    struct pl_operation o = *operation;
    struct pl_state next = {0};
    pl_value answer;
    bool goes_on = false;
    o.result = PL_ANY;
    for (unsigned which = 0;
         !goes_on && c->spec->step(&c->history->values, state, &o, which, &next, &answer); which++)
        goes_on = failing == PL_ANY || answer != failing;
    pl_state_release(&next);
    return !goes_on;
}

static pl_value failing_answer(const struct pl_stresser *s, uint16_t call, uint8_t code)
{
    const struct pl_against *a = &s->checker.against;
    for (size_t k = 0; k < a->count; k++)
        if (k == call || (call == PL_CALL_BY_LABEL && a->meant[k].operation.code == code))
            return a->meant[k].blocking ? pl_against_failing(a, (unsigned)k) : PL_ANY;
    return PL_ANY;
}

enum pl_decision pl_stress_may_wait(struct pl_stresser *s, unsigned place)
{
    struct pl_checker *c = &s->checker;
    struct pl_stressed stressed;
    struct pl_history alone;
    struct pl_witness witness;
    struct pl_check_how how;
    struct pl_state state = {0};
    unsigned waiting = 0;
    pl_stressed_read(&stressed, s->server.wire, place, &c->against, s->number);
    pl_stresser_whole(s, &stressed);
    const struct pl_history *h = &stressed.history;
    completed(h, &alone);
    struct pl_values own = alone.values;
    alone.values = h->values;
    struct pl_budget budget = {.until = pl_check_now() + DECIDE_SECONDS};
    struct pl_case question = {
        .spec = c->against.spec, .initial = s->life.initial, .history = &alone, .budget = &budget};
    pl_witness_init(&witness, alone.count);
    enum pl_decision decision = stressed.damaged ? PL_BAD : pl_check(&question, 1, &witness, &how);
    bool all = decision == PL_GOOD;
    if (all)
        pl_witness_end(&question, &witness, &state);
    for (uint32_t i = 0; i < h->count && all; i++) {
        const struct pl_operation *o = &h->operation[i];
        if (o->ret != PL_NEVER)
            continue;
        waiting++;
        all = waits(&question, &state, o, failing_answer(s, stressed.call[i], o->code));
    }
    pl_state_release(&state);
    pl_witness_release(&witness);
    alone.values = own;
    pl_history_release(&alone);
    pl_stressed_release(&stressed);
    if (decision == PL_GOOD && !(all && waiting))
        decision = waiting && question.spec == &pl_spec_event ? PL_NEITHER : PL_BAD;
    return decision;
}
