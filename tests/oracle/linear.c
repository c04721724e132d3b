/* See linear.h. Written from the definition, without a look at src/check and src/spec. */
#include "linear.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "spec/codes.h"

enum { MOST = 4 * OR_MOST_OPERATIONS };

/* Any object: a sequence of values. */
struct state {
    pl_value at[MOST];
    int count;
};

struct search {
    const struct pl_history *history;
    const struct or_object *object;
    bool placed[OR_MOST_OPERATIONS];
};

typedef bool step_function(const struct search *s, struct state *state,
                           const struct pl_operation *o);

/* Does the operation's recorded result allow this answer? Pending ones take any. */
static bool agrees(const struct pl_operation *o, pl_value answer)
{
    return pl_pending(o) || o->result == PL_ANY || o->result == answer;
}

static void insert_at(struct state *s, int place, pl_value v)
{
    memmove(&s->at[place + 1], &s->at[place], (size_t)(s->count - place) * sizeof s->at[0]);
    s->at[place] = v;
    s->count++;
}

static void remove_at(struct state *s, int place)
{
    memmove(&s->at[place], &s->at[place + 1], (size_t)(s->count - place - 1) * sizeof s->at[0]);
    s->count--;
}

static int find(const struct state *s, pl_value v)
{
    for (int i = 0; i < s->count; i++)
        if (s->at[i] == v)
            return i;
    return -1;
}

static bool take_at(struct state *s, const struct pl_operation *o, int place)
{
    pl_value answer = s->count ? s->at[place] : PL_NIL;
    if (!agrees(o, answer))
        return false;
    if (s->count)
        remove_at(s, place);
    return true;
}

static bool fifo(const struct search *q, struct state *s, const struct pl_operation *o)
{
    (void)q;
    if (o->code == PL_TAKE)
        return take_at(s, o, 0);
    insert_at(s, s->count, o->argument[0]);
    return true;
}

static bool lifo(const struct search *q, struct state *s, const struct pl_operation *o)
{
    (void)q;
    if (o->code == PL_TAKE)
        return take_at(s, o, s->count - 1);
    insert_at(s, s->count, o->argument[0]);
    return true;
}

static bool deque(const struct search *q, struct state *s, const struct pl_operation *o)
{
    (void)q;
    if (o->code == PL_DEQUE_POP_RIGHT)
        return take_at(s, o, s->count - 1);
    if (o->code == PL_DEQUE_POP_LEFT)
        return take_at(s, o, 0);
    insert_at(s, o->code == PL_DEQUE_PUSH_LEFT ? 0 : s->count, o->argument[0]);
    return true;
}

static bool pqueue(const struct search *q, struct state *s, const struct pl_operation *o)
{
    (void)q;
    if (o->code != PL_TAKE) {
        insert_at(s, s->count, o->argument[0]);
        return true;
    }
    int least = 0;
    for (int i = 1; i < s->count; i++)
        if (s->at[i] < s->at[least])
            least = i;
    return take_at(s, o, least);
}

static bool max_pqueue(const struct search *q, struct state *s, const struct pl_operation *o)
{
    (void)q;
    if (o->code != PL_TAKE) {
        insert_at(s, s->count, o->argument[0]);
        return true;
    }
    int most = 0;
    for (int i = 1; i < s->count; i++)
        if (s->at[i] > s->at[most])
            most = i;
    return take_at(s, o, most);
}

/* A pending take of a bag has one answer for each member: or_linearizable asks for each. */
static bool bag(const struct search *q, struct state *s, const struct pl_operation *o)
{
    (void)q;
    if (o->code != PL_TAKE) {
        insert_at(s, s->count, o->argument[0]);
        return true;
    }
    if (o->result == PL_NIL)
        return s->count == 0;
    int place = find(s, o->result);
    if (place < 0)
        return false;
    remove_at(s, place);
    return true;
}

static bool list_is(const struct search *q, const struct pl_operation *o, const struct state *s)
{
    size_t count;
    pl_value member[MOST];
    if (pl_pending(o) || o->result == PL_ANY)
        return true;
    const void *members = pl_values_members(&q->history->values, o->result, &count);
    if (!members || count != (size_t)s->count)
        return false;
    memcpy(member, members, count * sizeof member[0]);
    for (int i = 0; i < s->count; i++)
        if (member[i] != s->at[i])
            return false;
    return true;
}

static bool set(const struct search *q, struct state *s, const struct pl_operation *o)
{
    int place = find(s, o->argument[0]);
    switch (o->code) {
    case PL_SET_ADD:
        if (place < 0) {
            int i = 0;
            while (i < s->count && s->at[i] < o->argument[0])
                i++;
            insert_at(s, i, o->argument[0]);
        }
        return agrees(o, place < 0);
    case PL_SET_REMOVE:
        if (place >= 0)
            remove_at(s, place);
        return agrees(o, place >= 0);
    case PL_SET_CONTAINS:
        return agrees(o, place >= 0);
    case PL_SET_SIZE:
        return agrees(o, s->count);
    default:
        return list_is(q, o, s);
    }
}

/* at[0] is the value */
static bool cell(const struct search *q, struct state *s, const struct pl_operation *o)
{
    (void)q;
    pl_value old = s->at[0];
    switch (o->code) {
    case PL_REGISTER_READ:
        return agrees(o, old);
    case PL_REGISTER_WRITE:
        s->at[0] = o->argument[0];
        return true;
    case PL_REGISTER_SWAP:
        s->at[0] = o->argument[0];
        return agrees(o, old);
    default:
        if (old == o->argument[0])
            s->at[0] = o->argument[1];
        return agrees(o, old == o->argument[0]);
    }
}

/* key, value, key, value, … */
static bool map(const struct search *q, struct state *s, const struct pl_operation *o)
{
    (void)q;
    int place = 0;
    while (place < s->count && s->at[place] != o->argument[0])
        place += 2;
    bool there = place < s->count;
    pl_value old = there ? s->at[place + 1] : PL_NIL;
    pl_value written;
    bool agreed;
    switch (o->code) {
    case PL_MAP_GET:
        return agrees(o, old);
    case PL_MAP_PUT:
        written = o->argument[1];
        agreed = true;
        break;
    case PL_MAP_SWAP:
        written = o->argument[1];
        agreed = agrees(o, old);
        break;
    case PL_MAP_CAS:
        written = old == o->argument[1] ? o->argument[2] : old;
        agreed = agrees(o, old == o->argument[1]);
        break;
    default:
        written = PL_NIL;
        agreed = agrees(o, there);
        break;
    }
    if (there) {
        remove_at(s, place);
        remove_at(s, place);
    }
    if (written != PL_NIL) {
        insert_at(s, s->count, o->argument[0]);
        insert_at(s, s->count, written);
    }
    return agreed;
}

static bool counter(const struct search *q, struct state *s, const struct pl_operation *o)
{
    (void)q;
    pl_value old = s->at[0];
    if (o->code == PL_COUNTER_INC)
        s->at[0] += 1;
    else if (o->code == PL_COUNTER_ADD)
        s->at[0] += o->argument[0];
    return agrees(o, old);
}

static bool semaphore(const struct search *q, struct state *s, const struct pl_operation *o)
{
    (void)q;
    bool free = s->at[0] > 0;
    switch (o->code) {
    case PL_SEMAPHORE_RELEASE:
        s->at[0]++;
        return true;
    case PL_SEMAPHORE_ACQUIRE:
        s->at[0]--;
        return free;
    default:
        if (free)
            s->at[0]--;
        return agrees(o, free);
    }
}

static bool lock(const struct search *q, struct state *s, const struct pl_operation *o)
{
    (void)q;
    bool held = s->at[0] != 0;
    switch (o->code) {
    case PL_LOCK_LOCK:
        s->at[0] = 1;
        return !held;
    case PL_LOCK_UNLOCK:
        s->at[0] = 0;
        return held;
    default:
        s->at[0] = 1;
        return agrees(o, !held);
    }
}

/* readers, writers */
static bool rwlock(const struct search *q, struct state *s, const struct pl_operation *o)
{
    (void)q;
    pl_value *readers = &s->at[0], *writers = &s->at[1];
    bool read = *writers == 0, write = *writers == 0 && *readers == 0;
    switch (o->code) {
    case PL_RWLOCK_READ_LOCK:
        ++*readers;
        return read;
    case PL_RWLOCK_READ_UNLOCK:
        return (*readers)-- > 0;
    case PL_RWLOCK_WRITE_LOCK:
        ++*writers;
        return write;
    case PL_RWLOCK_WRITE_UNLOCK:
        return (*writers)-- > 0;
    case PL_RWLOCK_TRY_READ:
        *readers += read;
        return agrees(o, read);
    default:
        *writers += write;
        return agrees(o, write);
    }
}

static bool snapshot(const struct search *q, struct state *s, const struct pl_operation *o)
{
    if (o->code == PL_SNAPSHOT_SCAN)
        return list_is(q, o, s);
    if (o->argument[0] < 0 || o->argument[0] >= s->count)
        return false;
    s->at[o->argument[0]] = o->argument[1];
    return true;
}

static bool event(const struct search *q, struct state *s, const struct pl_operation *o)
{
    (void)q;
    bool set_now = s->at[0] != 0;
    if (o->code == PL_EVENT_SET || o->code == PL_EVENT_RESET)
        s->at[0] = o->code == PL_EVENT_SET;
    if (o->code == PL_EVENT_WAIT)
        return set_now;
    return o->code != PL_EVENT_IS_SET || agrees(o, set_now);
}

static bool countdown(const struct search *q, struct state *s, const struct pl_operation *o)
{
    (void)q;
    pl_value left = s->at[0];
    if (o->code == PL_COUNTDOWN_WAIT)
        return left == 0;
    if (o->code == PL_COUNTDOWN_COUNT)
        return agrees(o, left);
    s->at[0]--;
    return left > 0;
}

static bool once(const struct search *q, struct state *s, const struct pl_operation *o)
{
    (void)q;
    bool done = s->at[0] != 0;
    if (o->code == PL_ONCE_DONE)
        return agrees(o, done);
    s->at[0] = 1;
    return agrees(o, !done);
}

static const struct {
    const char *name;
    step_function *step;
    int cells; /* that start with the initial value; 0: starts with nothing */
} objects[] = {
    {"fifo", fifo, 0},
    {"lifo", lifo, 0},
    {"deque", deque, 0},
    {"pqueue", pqueue, 0},
    {"max-pqueue", max_pqueue, 0},
    {"bag", bag, 0},
    {"set", set, 0},
    {"register", cell, 1},
    {"cas-register", cell, 1},
    {"map", map, 0},
    {"counter", counter, 1},
    {"semaphore", semaphore, 1},
    {"lock", lock, 1},
    {"rwlock", rwlock, 2},
    {"snapshot", snapshot, 2},
    {"event", event, 1},
    {"countdown", countdown, 1},
    {"once", once, 1},
};
enum { OBJECTS = sizeof objects / sizeof objects[0] };

/* Nothing that is not placed returned before this one was called. */
static bool may_be_next(const struct search *q, uint32_t i)
{
    const struct pl_operation *o = q->history->operation;
    for (uint32_t k = 0; k < q->history->count; k++)
        if (!q->placed[k] && o[k].ret < o[i].call)
            return false;
    return true;
}

static bool extend(struct search *q, step_function *step, const struct state *state);

static bool place(struct search *q, step_function *step, const struct state *state, uint32_t i,
                  const struct pl_operation *o)
{
    struct state next = *state;
    if (!step(q, &next, o))
        return false;
    q->placed[i] = true;
    bool good = extend(q, step, &next);
    q->placed[i] = false;
    return good;
}

static bool extend(struct search *q, step_function *step, const struct state *state)
{
    const struct pl_history *h = q->history;
    bool complete = true;
    for (uint32_t i = 0; i < h->count; i++)
        complete = complete && (q->placed[i] || pl_pending(&h->operation[i]));
    if (complete)
        return true;
    for (uint32_t i = 0; i < h->count; i++) {
        if (q->placed[i] || !may_be_next(q, i))
            continue;
        struct pl_operation o = h->operation[i];
        bool unknown = pl_pending(&o) || o.result == PL_ANY;
        if (step == bag && o.code == PL_TAKE && unknown) {
            /* several answers: each member, or empty */
            for (int k = 0; k < state->count; k++) {
                o.result = state->at[k];
                if (place(q, step, state, i, &o))
                    return true;
            }
            o.result = PL_NIL;
        }
        if (place(q, step, state, i, &o))
            return true;
    }
    return false;
}

bool or_linearizable(const struct or_object *object, const struct pl_history *history)
{
    struct search q = {.history = history, .object = object};
    struct state state = {.count = 0};
    PL_ASSERT(history->count <= OR_MOST_OPERATIONS);
    for (int i = 0; i < OBJECTS; i++) {
        if (strcmp(objects[i].name, object->name) != 0)
            continue;
        for (int k = 0; k < objects[i].cells; k++)
            state.at[state.count++] = object->initial;
        return extend(&q, objects[i].step, &state);
    }
    PL_ASSERT(!"an object the oracle does not know");
    return false;
}
