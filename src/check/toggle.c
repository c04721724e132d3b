/*
 * Sets and locks: objects that are on or off, any number of them (the elements of a set), in
 * n log t. A successful add or a lock turns one on, a successful remove or an unlock turns it
 * off; everything else asks whether it is on or off and changes nothing.
 *
 * One sweep over the events. A question is answered as soon as the state is right for it. A
 * turn is made only when something that returns now needs it: the turn itself, or a question
 * still open; if the state is wrong for a turn that has to be made, the opposite turn is made
 * just before. Of several that are open the one that returns first is used. Waiting loses
 * nothing: what can be done now can be done until its own return, and until then the choice
 * only grows. Pending turns are used last and need not be.
 *
 * Answers that were not recorded make an operation either kind: NEITHER.
 */
#include <stdlib.h>

#include "check/check.h"

#define NONE ((uint32_t)0xffffffff)

/* Open operations of an object, linked: turns to on and off sorted by return, questions. */
struct object {
    uint32_t turn[2], question[2]; /* by the state they lead to, or need */
    bool on;
};

struct toggle {
    const struct pl_history *h;
    uint32_t *object_of; /* an operation's */
    struct object *object;
    uint32_t *link, *back;
    bool *open;
    struct pl_witness *out;
};

static bool is_set(const struct pl_case *c)
{
    return c->spec == &pl_spec_set;
}

/* Which state the operation turns to or asks for; false: not known. */
static bool classify(const struct pl_case *c, const struct pl_operation *o, bool *turns,
                     bool *state)
{
    bool yes = o->result == 1 || pl_pending(o);
    if (is_set(c)) {
        if (o->code >= PL_SET_READ || (!pl_pending(o) && o->result == PL_ANY))
            return false;
        *turns = yes && o->code != PL_SET_CONTAINS;
        *state = o->code == PL_SET_CONTAINS ? yes : (o->code == PL_SET_ADD);
        return true; /* a failed add finds it on, a failed remove off: the state they lead to */
    }
    if (o->code == PL_LOCK_TRY && !pl_pending(o) && o->result == PL_ANY)
        return false;
    *turns = o->code != PL_LOCK_TRY || yes;
    *state = o->code != PL_LOCK_UNLOCK;
    return true;
}

static void done(struct toggle *t, uint32_t i, pl_value answer)
{
    t->open[i] = false;
    pl_witness_add(t->out, i, answer);
}

static void unlink_from(struct toggle *t, uint32_t *list, uint32_t i)
{
    if (t->back[i] == NONE)
        *list = t->link[i];
    else
        t->link[t->back[i]] = t->link[i];
    if (t->link[i] != NONE)
        t->back[t->link[i]] = t->back[i];
}

static void link_sorted(struct toggle *t, uint32_t *list, uint32_t i)
{
    uint32_t before = NONE, at = *list;
    while (at != NONE && t->h->operation[at].ret <= t->h->operation[i].ret) {
        before = at;
        at = t->link[at];
    }
    t->link[i] = at;
    t->back[i] = before;
    *(before == NONE ? list : &t->link[before]) = i;
    if (at != NONE)
        t->back[at] = i;
}

static pl_value answer_of(const struct toggle *t, uint32_t i, pl_value unless_recorded)
{
    const struct pl_operation *o = &t->h->operation[i];
    return pl_pending(o) ? unless_recorded : o->result;
}

/* Makes the turn and answers the questions that waited for it. */
static void turn(struct toggle *t, struct object *object, uint32_t i, bool state,
                 pl_value turned_answer)
{
    unlink_from(t, &object->turn[state], i);
    object->on = state;
    done(t, i, answer_of(t, i, turned_answer));
    for (uint32_t q = object->question[state]; q != NONE; q = t->link[q])
        done(t, q, t->h->operation[q].result);
    object->question[state] = NONE;
}

/* The first open turn to a state is made; false: there is none. */
static bool turn_any(struct toggle *t, struct object *object, bool state, pl_value answer)
{
    uint32_t i = object->turn[state];
    if (i == NONE)
        return false;
    turn(t, object, i, state, answer);
    return true;
}

static pl_value turned_answer(const struct pl_case *c, const struct pl_operation *o)
{
    return is_set(c) || o->code == PL_LOCK_TRY ? 1 : PL_NIL;
}

static bool at_return(const struct pl_case *c, struct toggle *t, uint32_t i)
{
    const struct pl_operation *o = &t->h->operation[i];
    struct object *object = &t->object[t->object_of[i]];
    bool turns = false, state = false;
    if (!t->open[i])
        return true;
    (void)classify(c, o, &turns, &state);
    uint32_t other = object->turn[turns ? !state : state];
    pl_value answer = other == NONE ? 1 : turned_answer(c, &t->h->operation[other]);
    if (!turns)
        return turn_any(t, object, state, answer);
    if (object->on == state && !turn_any(t, object, !state, answer))
        return false;
    turn(t, object, i, state, o->result);
    return true;
}

static void at_call(const struct pl_case *c, struct toggle *t, uint32_t i)
{
    const struct pl_operation *o = &t->h->operation[i];
    struct object *object = &t->object[t->object_of[i]];
    bool turns = false, state = false;
    (void)classify(c, o, &turns, &state);
    if (!turns && pl_pending(o))
        return; /* changes nothing and need not have happened */
    t->open[i] = true;
    if (turns) {
        link_sorted(t, &object->turn[state], i);
    } else if (object->on == state) {
        done(t, i, o->result);
    } else {
        link_sorted(t, &object->question[state], i);
    }
}

/* Numbers the elements of a set. */
static uint32_t number_objects(const struct pl_case *c, uint32_t *object_of)
{
    const struct pl_history *h = c->history;
    uint32_t mask = 15, count = 0;
    if (!is_set(c))
        return 1;
    while (mask < h->count + h->count / 2)
        mask = 2 * mask + 1;
    uint32_t *slot = calloc(mask + 1, sizeof *slot); /* an operation of the object, + 1 */
    PL_ASSERT(slot);
    for (uint32_t i = 0; i < h->count; i++) {
        pl_value v = h->operation[i].argument[0];
        uint32_t k = (uint32_t)(((uint64_t)v * 0x9e3779b97f4a7c15u) >> 36) & mask;
        while (slot[k] && h->operation[slot[k] - 1].argument[0] != v)
            k = (k + 1) & mask;
        if (!slot[k]) {
            slot[k] = i + 1;
            object_of[i] = count++;
        } else {
            object_of[i] = object_of[slot[k] - 1];
        }
    }
    free(slot);
    return count;
}

enum pl_decision pl_decide_toggle(const struct pl_case *c, struct pl_witness *out)
{
    const struct pl_history *h = c->history;
    struct toggle t = {.h = h, .out = out};
    bool turns = false, state = false;
    for (uint32_t i = 0; i < h->count; i++)
        if (!classify(c, &h->operation[i], &turns, &state))
            return PL_NEITHER;
    t.object_of = calloc(3 * (size_t)h->count + 1, sizeof *t.object_of);
    t.open = calloc(h->count + 1, sizeof *t.open);
    PL_ASSERT(t.object_of && t.open);
    t.link = t.object_of + h->count;
    t.back = t.link + h->count;
    uint32_t objects = number_objects(c, t.object_of);
    t.object = calloc(objects + 1, sizeof *t.object);
    PL_ASSERT(t.object);
    for (uint32_t i = 0; i < objects; i++)
        t.object[i] = (struct object){{NONE, NONE}, {NONE, NONE}, false};
    bool good = true;
    for (uint32_t e = 0; e < h->events && good; e++) {
        if (h->event[e] % 2)
            good = at_return(c, &t, h->event[e] / 2);
        else
            at_call(c, &t, h->event[e] / 2);
        out->reached = good ? 0 : e; /* everything before is explained */
    }
    free(t.object_of);
    free(t.open);
    free(t.object);
    return good ? PL_GOOD : PL_BAD;
}
