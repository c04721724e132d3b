/* Which decider, on which parts: see check.h. */
#include "check/check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check/parts.h"

double pl_check_now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

bool pl_check_over(const struct pl_budget *b)
{
    return b && ((b->stop && *b->stop) || (b->until > 0 && pl_check_now() > b->until));
}

void pl_witness_init(struct pl_witness *w, uint32_t most)
{
    *w = (struct pl_witness){
        malloc((most + 1) * sizeof *w->order), malloc((most + 1) * sizeof *w->answer), 0, 0, 0, 0};
    PL_ASSERT(w->order && w->answer);
}

void pl_witness_release(struct pl_witness *w)
{
    free(w->order);
    free(w->answer);
    *w = (struct pl_witness){0};
}

void pl_witness_add(struct pl_witness *w, uint32_t operation, pl_value answer)
{
    w->order[w->count] = operation;
    w->answer[w->count++] = answer;
}

pl_decider *pl_decider_of(const struct pl_spec *spec, const char **name)
{
    static const struct {
        const struct pl_spec *spec;
        pl_decider *decider;
        const char *name;
    } table[] = {
        {&pl_spec_fifo, pl_decide_queue, "queue"},
        {&pl_spec_lifo, pl_decide_stack, "stack"},
        {&pl_spec_deque, pl_decide_deque, "deque"},
        {&pl_spec_pqueue, pl_decide_pqueue, "pqueue"},
        {&pl_spec_max_pqueue, pl_decide_pqueue, "pqueue"},
        {&pl_spec_bag, pl_decide_bag, "bag"},
        {&pl_spec_set, pl_decide_toggle, "toggle"},
        {&pl_spec_lock, pl_decide_toggle, "toggle"},
        {&pl_spec_register, pl_decide_register, "register"},
        {&pl_spec_cas_register, pl_decide_register, "register"},
        {&pl_spec_counter, pl_decide_counter, "counter"},
        {&pl_spec_semaphore, pl_decide_semaphore, "semaphore"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].spec == spec) {
            *name = table[i].name;
            return table[i].decider;
        }
    *name = "search";
    return NULL;
}

enum pl_decision pl_check_one(const struct pl_case *c, struct pl_witness *out, bool *searched)
{
    const char *name;
    struct pl_error why;
    pl_decider *decider = pl_decider_of(c->spec, &name);
    enum pl_decision decision = decider ? decider(c, out) : PL_NEITHER;
    *searched = decision == PL_NEITHER;
    if (decision == PL_NEITHER) {
        out->count = 0;
        decision = pl_decide_search(c, out);
    }
    if (decision == PL_GOOD && !pl_replay(c, out, &why))
        pl_bug(__FILE__, __LINE__, why.text);
    return decision;
}

/* One key of a map is a register, unless something is removed. */
static bool as_register(const struct pl_case *c, struct pl_case *out, struct pl_history *copy)
{
    const struct pl_history *h = c->history;
    if (c->spec != &pl_spec_map)
        return false;
    for (uint32_t i = 0; i < h->count; i++)
        if (h->operation[i].code == PL_MAP_REMOVE)
            return false;
    *copy = *h;
    copy->operation = malloc((h->count + 1) * sizeof *copy->operation);
    PL_ASSERT(copy->operation);
    for (uint32_t i = 0; i < h->count; i++) {
        struct pl_operation *o = &copy->operation[i];
        *o = h->operation[i]; /* the codes of the two are the same */
        memmove(o->argument, o->argument + 1, 2 * sizeof o->argument[0]);
    }
    *out = *c;
    out->spec = &pl_spec_cas_register;
    out->initial = PL_NIL;
    out->history = copy;
    return true;
}

static enum pl_decision check_part(const struct pl_case *c, struct pl_witness *out, bool *searched)
{
    struct pl_case other;
    struct pl_history copy;
    if (!as_register(c, &other, &copy))
        return pl_check_one(c, out, searched);
    enum pl_decision decision = pl_check_one(&other, out, searched);
    free(copy.operation);
    return decision;
}

struct work {
    const struct pl_case *c;
    const struct pl_parts *parts;
    struct pl_witness *witness;
    enum pl_decision *decision;
    atomic_uint next, searched;
    atomic_bool bad; /* found: the others need not be decided */
};

static void *do_work(void *argument)
{
    struct work *w = argument;
    uint32_t k;
    while ((k = atomic_fetch_add(&w->next, 1)) < w->parts->count) {
        struct pl_case c = *w->c;
        bool searched = false;
        c.history = &w->parts->part[k];
        c.keyed = false;
        c.hint = NULL; /* its places are those of the whole */
        w->decision[k] = PL_NEITHER;
        if (atomic_load(&w->bad))
            continue;
        pl_witness_init(&w->witness[k], c.history->count);
        w->decision[k] = check_part(&c, &w->witness[k], &searched);
        atomic_fetch_add(&w->searched, searched);
        if (w->decision[k] == PL_BAD)
            atomic_store(&w->bad, true);
    }
    return NULL;
}

static void run_work(struct work *w, unsigned jobs)
{
    pthread_t thread[64];
    unsigned started = 0;
    while (started + 1 < jobs && started < 63 && started + 1 < w->parts->count &&
           pthread_create(&thread[started], NULL, do_work, w) == 0)
        started++;
    (void)do_work(w);
    while (started)
        (void)pthread_join(thread[--started], NULL);
}

static enum pl_decision check_parts(const struct pl_case *c, const struct pl_parts *parts,
                                    unsigned jobs, struct pl_witness *out, struct pl_check_how *how)
{
    struct work w = {.c = c, .parts = parts};
    enum pl_decision decision = PL_GOOD;
    w.witness = calloc(parts->count + 1, sizeof *w.witness);
    w.decision = calloc(parts->count + 1, sizeof *w.decision);
    PL_ASSERT(w.witness && w.decision);
    run_work(&w, jobs);
    for (uint32_t k = 0; k < parts->count; k++) {
        how->steps += w.witness[k].steps;
        if (w.decision[k] == PL_NEITHER && decision == PL_GOOD)
            decision = PL_NEITHER;
        if (w.decision[k] == PL_BAD) {
            decision = PL_BAD;
            how->reached = w.witness[k].reached;
            how->bad = parts->whole[parts->start[k]];
        }
    }
    if (decision == PL_GOOD)
        pl_parts_join(parts, c->history, w.witness, out);
    how->parts = parts->count;
    how->searched = atomic_load(&w.searched);
    for (uint32_t k = 0; k < parts->count; k++)
        pl_witness_release(&w.witness[k]);
    free(w.witness);
    free(w.decision);
    return decision;
}

enum pl_decision pl_check(const struct pl_case *c, unsigned jobs, struct pl_witness *out,
                          struct pl_check_how *how)
{
    struct pl_parts parts;
    struct pl_error why;
    const struct pl_spec *type = c->spec == &pl_spec_map ? &pl_spec_cas_register : c->spec;
    pl_decider *decider = pl_decider_of(type, &how->decider);
    *how = (struct pl_check_how){.decider = how->decider, .parts = 1, .bad = PL_NEVER};
    /* A set's decider does all its elements in one go. */
    if (!c->keyed && c->spec == &pl_spec_set) {
        enum pl_decision decision = decider(c, out);
        if (decision == PL_GOOD && !pl_replay(c, out, &why))
            pl_bug(__FILE__, __LINE__, why.text);
        if (decision != PL_NEITHER) {
            how->reached = out->reached;
            return decision;
        }
        out->count = 0;
    }
    if (pl_parts_split(&parts, c)) {
        enum pl_decision decision = check_parts(c, &parts, jobs, out, how);
        pl_parts_release(&parts);
        return decision;
    }
    bool searched;
    enum pl_decision decision = pl_check_one(c, out, &searched);
    how->searched = searched;
    how->steps = out->steps;
    how->reached = out->reached;
    how->suspect = searched ? 0 : out->suspect;
    return decision;
}
