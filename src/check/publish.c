/* What must be synchronised: publish.h has the table. */
#include "check/publish.h"

/* Does i bring about what j found? */
typedef bool brings(const struct pl_operation *i, const struct pl_operation *j);

static bool happens_before(const struct pl_published *p, unsigned i, unsigned j)
{
    return p->passed[j] >> i & 1;
}

static bool has_result(const struct pl_operation *o)
{
    return o->result != PL_NIL && o->result != PL_ANY;
}

/* ---- values and keys ---- */

static bool brings_value(const struct pl_operation *i, const struct pl_operation *j)
{
    return i->code == PL_PUT && j->code == PL_TAKE && has_result(j) && i->argument[0] == j->result;
}

static bool brings_deque(const struct pl_operation *i, const struct pl_operation *j)
{
    bool push = i->code == PL_DEQUE_PUSH_LEFT || i->code == PL_DEQUE_PUSH_RIGHT;
    bool pop = j->code == PL_DEQUE_POP_LEFT || j->code == PL_DEQUE_POP_RIGHT;
    return push && pop && has_result(j) && i->argument[0] == j->result;
}

static bool brings_key(const struct pl_operation *i, const struct pl_operation *j)
{
    return i->code == PL_SET_ADD && i->result == 1 && i->argument[0] == j->argument[0] &&
           (j->code == PL_SET_CONTAINS || j->code == PL_SET_REMOVE) && j->result == 1;
}

static bool brings_entry(const struct pl_operation *i, const struct pl_operation *j)
{
    bool swaps = i->code == PL_MAP_CAS && i->result == 1;
    if (!(i->code == PL_MAP_PUT || i->code == PL_MAP_SWAP || swaps) ||
        i->argument[0] != j->argument[0])
        return false;
    if (j->code == PL_MAP_REMOVE)
        return j->result == 1;
    return j->code == PL_MAP_GET && has_result(j) && i->argument[swaps ? 2 : 1] == j->result;
}

static bool brings_set(const struct pl_operation *i, const struct pl_operation *j)
{
    return i->code == PL_EVENT_SET && j->code == PL_EVENT_WAIT;
}

static bool brings_first(const struct pl_operation *i, const struct pl_operation *j)
{
    return i->code == PL_ONCE_RUN && i->result == 1 && j->code == PL_ONCE_RUN && j->result == 0;
}

/* Whoever found something: one of those that bring it about comes before. Nobody does: then the
 * answer is wrong, or was there from the start. */
static bool all_brought(const struct pl_published *p, brings *brought, struct pl_unpublished *out)
{
    for (unsigned j = 0; j < p->count; j++) {
        bool missing = false;
        for (unsigned i = 0; i < p->count && (p->returned >> j & 1); i++) {
            if (i == j || !brought(&p->operation[i], &p->operation[j]))
                continue;
            if (happens_before(p, i, j)) {
                missing = false;
                break;
            }
            if (!missing)
                *out = (struct pl_unpublished){i, j};
            missing = true;
        }
        if (missing)
            return false;
    }
    return true;
}

/* ---- sections under a lock ---- */

enum section { NO_SECTION, SHARED, EXCLUSIVE };

static enum section opens(const struct pl_spec *spec, const struct pl_operation *o)
{
    if (spec == &pl_spec_lock)
        return o->code == PL_LOCK_LOCK || (o->code == PL_LOCK_TRY && o->result == 1) ? EXCLUSIVE
                                                                                     : NO_SECTION;
    bool tried = o->result == 1;
    if (o->code == PL_RWLOCK_READ_LOCK || (o->code == PL_RWLOCK_TRY_READ && tried))
        return SHARED;
    return o->code == PL_RWLOCK_WRITE_LOCK || (o->code == PL_RWLOCK_TRY_WRITE && tried)
               ? EXCLUSIVE
               : NO_SECTION;
}

static bool closes(const struct pl_spec *spec, const struct pl_operation *o, enum section section)
{
    if (spec == &pl_spec_lock)
        return o->code == PL_LOCK_UNLOCK;
    return o->code == (section == SHARED ? PL_RWLOCK_READ_UNLOCK : PL_RWLOCK_WRITE_UNLOCK);
}

/* The unlock of the section that lock i opens: the thread's next; PL_NOBODY: none. */
static unsigned end_of(const struct pl_published *p, unsigned i, enum section section)
{
    for (unsigned k = i + 1; k < p->count; k++)
        if (p->operation[k].thread == p->operation[i].thread &&
            closes(p->spec, &p->operation[k], section))
            return k;
    return PL_NOBODY;
}

/* Does each thread unlock only what it has locked? Else nobody can say which section ends where. */
static bool are_owned(const struct pl_published *p)
{
    for (unsigned k = 0; k < p->count; k++) {
        int open[EXCLUSIVE + 1] = {0};
        for (unsigned i = 0; i <= k; i++) {
            const struct pl_operation *o = &p->operation[i];
            if (o->thread != p->operation[k].thread)
                continue;
            open[opens(p->spec, o)]++;
            open[SHARED] -= p->spec != &pl_spec_lock && closes(p->spec, o, SHARED);
            open[EXCLUSIVE] -= closes(p->spec, o, EXCLUSIVE);
            if (open[SHARED] < 0 || open[EXCLUSIVE] < 0)
                return false;
        }
    }
    return true;
}

static bool sections_exclude(const struct pl_published *p, struct pl_unpublished *out)
{
    if (!are_owned(p))
        return true;
    for (unsigned a = 0; a < p->count; a++)
        for (unsigned b = a + 1; b < p->count; b++) {
            enum section first = opens(p->spec, &p->operation[a]),
                         second = opens(p->spec, &p->operation[b]);
            if (!(p->returned >> a & 1) || !(p->returned >> b & 1) ||
                p->operation[a].thread == p->operation[b].thread || !first || !second ||
                (first == SHARED && second == SHARED))
                continue;
            unsigned end = end_of(p, a, first), other = end_of(p, b, second);
            bool ordered = (end != PL_NOBODY && happens_before(p, end, b)) ||
                           (other != PL_NOBODY && happens_before(p, other, a));
            if (ordered || (end == PL_NOBODY && other == PL_NOBODY))
                continue;
            *out =
                (struct pl_unpublished){end != PL_NOBODY ? end : other, end != PL_NOBODY ? b : a};
            return false;
        }
    return true;
}

/* ---- what is counted ---- */

static unsigned count_before(const struct pl_published *p, unsigned j, uint8_t code,
                             unsigned *missing)
{
    unsigned count = 0;
    for (unsigned i = 0; i < p->count; i++) {
        if (p->operation[i].code != code)
            continue;
        if (happens_before(p, i, j))
            count++;
        else
            *missing = i;
    }
    return count;
}

static bool is_acquired(const struct pl_operation *o)
{
    return o->code == PL_SEMAPHORE_ACQUIRE || (o->code == PL_SEMAPHORE_TRY && o->result == 1);
}

static bool all_counted(const struct pl_published *p, struct pl_unpublished *out)
{
    bool semaphore = p->spec == &pl_spec_semaphore;
    for (unsigned j = 0; j < p->count; j++) {
        const struct pl_operation *o = &p->operation[j];
        if (!(p->returned >> j & 1) || !(semaphore ? is_acquired(o) : o->code == PL_COUNTDOWN_WAIT))
            continue;
        unsigned missing = PL_NOBODY;
        pl_value needed = semaphore ? 1 - p->initial : p->initial;
        for (unsigned k = 0; semaphore && k < p->count; k++) /* those that have taken theirs */
            needed += k != j && (p->returned >> k & 1) && is_acquired(&p->operation[k]) &&
                      p->operation[k].thread == o->thread && k < j;
        uint8_t code = semaphore ? PL_SEMAPHORE_RELEASE : PL_COUNTDOWN_SIGNAL;
        if ((pl_value)count_before(p, j, code, &missing) >= needed || missing == PL_NOBODY)
            continue;
        *out = (struct pl_unpublished){missing, j};
        return false;
    }
    return true;
}

/* ---- the table ---- */

static const struct {
    const struct pl_spec *spec;
    brings *brought; /* NULL: another rule */
} rules[] = {
    {&pl_spec_fifo, brings_value},
    {&pl_spec_lifo, brings_value},
    {&pl_spec_bag, brings_value},
    {&pl_spec_pqueue, brings_value},
    {&pl_spec_max_pqueue, brings_value},
    {&pl_spec_deque, brings_deque},
    {&pl_spec_set, brings_key},
    {&pl_spec_map, brings_entry},
    {&pl_spec_event, brings_set},
    {&pl_spec_once, brings_first},
    {&pl_spec_lock, NULL},
    {&pl_spec_rwlock, NULL},
    {&pl_spec_semaphore, NULL},
    {&pl_spec_countdown, NULL},
};
enum { RULES = sizeof rules / sizeof rules[0] };

static brings *brought_of(const struct pl_spec *spec)
{
    for (unsigned i = 0; i < RULES; i++)
        if (rules[i].spec == spec)
            return rules[i].brought;
    return NULL;
}

bool pl_spec_publishes(const struct pl_spec *spec)
{
    for (unsigned i = 0; i < RULES; i++)
        if (rules[i].spec == spec)
            return true;
    return false;
}

bool pl_spec_publishes_by_pairs(const struct pl_spec *spec)
{
    return brought_of(spec) != NULL;
}

bool pl_brings_about(const struct pl_spec *spec, const struct pl_operation *what,
                     const struct pl_operation *found)
{
    return brought_of(spec)(what, found);
}

bool pl_is_published(const struct pl_published *p, struct pl_unpublished *out)
{
    brings *brought = brought_of(p->spec);
    if (brought)
        return all_brought(p, brought, out);
    if (p->spec == &pl_spec_lock || p->spec == &pl_spec_rwlock)
        return sections_exclude(p, out);
    if (p->spec == &pl_spec_semaphore || p->spec == &pl_spec_countdown)
        return all_counted(p, out);
    return true;
}
