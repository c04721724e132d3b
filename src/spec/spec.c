/* The table of specs, and what they share. */
#include "spec/spec.h"

#include <stdlib.h>
#include <string.h>

static const struct pl_spec *const all[] = {
    &pl_spec_fifo,       &pl_spec_lifo,         &pl_spec_deque,    &pl_spec_pqueue,
    &pl_spec_max_pqueue, &pl_spec_bag,          &pl_spec_set,      &pl_spec_map,
    &pl_spec_register,   &pl_spec_cas_register, &pl_spec_counter,  &pl_spec_lock,
    &pl_spec_rwlock,     &pl_spec_semaphore,    &pl_spec_snapshot, &pl_spec_event,
    &pl_spec_countdown,  &pl_spec_once,
};
enum { SPECS = sizeof all / sizeof all[0] };

static const struct {
    const char *other, *name;
} others[] = {
    {"queue", "fifo"},
    {"stack", "lifo"},
    {"mutex", "lock"},
    {"multiset", "bag"},
    {"pool", "bag"},
    {"priority-queue", "pqueue"},
    {"min-pqueue", "pqueue"},
    {"dictionary", "map"},
    {"kv", "map"},
    {"fetch-and-add", "counter"},
    {"sem", "semaphore"},
    {"casregister", "cas-register"},
    {"rw-lock", "rwlock"},
    {"latch", "countdown"},
};

const struct pl_spec *const *pl_spec_all(size_t *count)
{
    *count = SPECS;
    return all;
}

const struct pl_spec *pl_spec_find(const char *name)
{
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(others[i].other, name) == 0)
            name = others[i].name;
    for (size_t i = 0; i < SPECS; i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}

void pl_state_release(struct pl_state *s)
{
    free(s->at);
    *s = (struct pl_state){0};
}

static void reserve(struct pl_state *s, uint32_t count)
{
    if (count <= s->room)
        return;
    s->room = count + count / 2 + 4;
    s->at = realloc(s->at, s->room * sizeof *s->at);
    PL_ASSERT(s->at);
}

void pl_state_copy(struct pl_state *to, const struct pl_state *from, uint32_t more)
{
    reserve(to, from->count + more);
    if (from->count)
        memcpy(to->at, from->at, from->count * sizeof *to->at);
    to->count = from->count;
}

void pl_state_insert(struct pl_state *s, uint32_t place, pl_value value)
{
    reserve(s, s->count + 1);
    memmove(s->at + place + 1, s->at + place, (s->count - place) * sizeof *s->at);
    s->at[place] = value;
    s->count++;
}

void pl_state_remove(struct pl_state *s, uint32_t place)
{
    memmove(s->at + place, s->at + place + 1, (s->count - place - 1) * sizeof *s->at);
    s->count--;
}

bool pl_step_stay(const struct pl_state *from, const struct pl_operation *o, struct pl_state *to,
                  pl_value answer, pl_value *result)
{
    if (!pl_agrees(o, answer))
        return false;
    pl_state_copy(to, from, 0);
    *result = answer;
    return true;
}

void pl_start_empty(pl_value initial, const struct pl_history *history, struct pl_state *out)
{
    (void)initial;
    (void)history;
    out->count = 0;
}

void pl_start_cell(pl_value initial, const struct pl_history *history, struct pl_state *out)
{
    (void)history;
    out->count = 0;
    pl_state_insert(out, 0, initial);
}
