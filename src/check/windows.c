/* A history in windows: see windows.h. */
#include "check/windows.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STATES = 32, MOST_MEMORY = 1 << 20, MOST_FOR_ONE = 1 << 10 };

/* --- states ------------------------------------------------------------------------- */

static bool same_state(const struct pl_state *a, const struct pl_state *b)
{
    return a->count == b->count &&
           (!a->count || memcmp(a->at, b->at, a->count * sizeof *a->at) == 0);
}

void pl_ends_release(struct pl_ends *e)
{
    for (uint32_t i = 0; i < e->count; i++)
        pl_state_release(&e->state[i]);
    free(e->state);
    *e = (struct pl_ends){0};
}

bool pl_ends_add(struct pl_ends *e, const struct pl_state *state)
{
    for (uint32_t i = 0; i < e->count; i++)
        if (same_state(&e->state[i], state))
            return true;
    if (e->count == e->most)
        return false;
    e->state = realloc(e->state, (e->count + 1) * sizeof *e->state);
    PL_ASSERT(e->state);
    e->state[e->count] = (struct pl_state){0};
    pl_state_copy(&e->state[e->count++], state, 0);
    return true;
}

static void only(struct pl_ends *e, const struct pl_state *state)
{
    struct pl_ends one = {.most = MOST_STATES};
    (void)pl_ends_add(&one, state);
    pl_ends_release(e);
    *e = one;
}

/* --- histories ---------------------------------------------------------------------- */

static pl_value copy_value(struct pl_values *to, const struct pl_values *from, pl_value value)
{
    size_t count;
    if (value < PL_INTERNED)
        return value;
    const char *members = pl_values_members(from, value, &count);
    const struct pl_value_entry *e = &from->entry[value - PL_INTERNED];
    if (!members)
        return pl_values_text(to, from->bytes.text + e->start, e->length);
    pl_value *copy = malloc((count + 1) * sizeof *copy);
    PL_ASSERT(copy);
    for (size_t i = 0; i < count; i++) {
        memcpy(&copy[i], members + i * sizeof *copy, sizeof *copy);
        copy[i] = copy_value(to, from, copy[i]);
    }
    value = pl_values_list(to, copy, count);
    free(copy);
    return value;
}

/* The operations from the first-th on, after all that is there. Not finished. */
static void append(struct pl_history *to, const struct pl_history *from, uint32_t first)
{
    uint32_t start = first < from->count ? from->operation[first].call : 0;
    uint32_t shift = to->events;
    for (uint32_t i = first; i < from->count; i++) {
        struct pl_operation *o = pl_history_add(to);
        *o = from->operation[i];
        o->call += shift - start;
        o->ret = pl_pending(o) ? PL_NEVER : o->ret + shift - start;
        o->result = copy_value(&to->values, &from->values, o->result);
        for (unsigned a = 0; a < PL_MOST_ARGUMENTS; a++)
            o->argument[a] = copy_value(&to->values, &from->values, o->argument[a]);
        to->events += pl_pending(o) ? 1 : 2;
    }
    to->threads = to->threads > from->threads ? to->threads : from->threads;
}

static void copy_names(struct pl_history *to, const struct pl_history *from)
{
    for (uint32_t t = to->thread_names.count; t < from->thread_names.count; t++) {
        const struct pl_value_entry *e = &from->thread_names.entry[t];
        (void)pl_values_text(&to->thread_names, from->thread_names.bytes.text + e->start,
                             e->length);
    }
}

void pl_windows_with(const struct pl_windows *w, const struct pl_history *window,
                     struct pl_history *out)
{
    pl_history_init(out);
    append(out, &w->whole, 0);
    append(out, window, 0);
    copy_names(out, window);
    pl_history_finish(out);
}

/* --- calls that make a state -------------------------------------------------------- */

static bool starts_with_cell(const struct pl_spec *s)
{
    return s == &pl_spec_counter || s == &pl_spec_semaphore;
}

/* The calls, as codes and arguments; false: there are none known. */
static bool calls_for(const struct pl_spec *spec, const struct pl_state *s, struct pl_history *out)
{
    bool pairs = spec == &pl_spec_map;
    bool cell = spec == &pl_spec_register || spec == &pl_spec_cas_register;
    if (!cell && !pairs && spec != &pl_spec_set && spec != &pl_spec_deque && !spec->head &&
        spec != &pl_spec_bag)
        return false;
    for (uint32_t i = 0; i < s->count; i += pairs ? 2 : 1) {
        struct pl_operation *o = pl_history_add(out);
        o->code = cell ? PL_REGISTER_WRITE : pairs ? PL_MAP_PUT : PL_PUT; /* also ADD, PUSH_RIGHT */
        o->argument[0] = s->at[i];
        o->argument[1] = pairs ? s->at[i + 1] : 0;
    }
    return true;
}
_Static_assert((int)PL_PUT == PL_SET_ADD && (int)PL_PUT == PL_DEQUE_PUSH_RIGHT, "one code");

/* Gives the calls their answers and their times; true if they lead to the state. */
static bool run_calls(const struct pl_spec *spec, pl_value initial, const struct pl_state *goal,
                      struct pl_history *h)
{
    struct pl_state state = {0}, next = {0};
    bool legal = true;
    spec->start(initial, h, &state);
    for (uint32_t i = 0; i < h->count && legal; i++) {
        struct pl_operation *o = &h->operation[i];
        legal = spec->step(&h->values, &state, o, 0, &next, &o->result);
        struct pl_state swap = state;
        state = next;
        next = swap;
        o->thread = h->threads ? h->threads - 1 : 0;
        o->call = h->events++;
        o->ret = h->events++;
    }
    legal = legal && same_state(&state, goal);
    pl_state_release(&state);
    pl_state_release(&next);
    return legal;
}

/* An empty history becomes one that leaves the state, and nothing else, behind. */
static bool rebuild(const struct pl_spec *spec, const struct pl_state *state, struct pl_history *h,
                    pl_value *initial)
{
    struct pl_state start = {0};
    if (starts_with_cell(spec) && state->count == 1)
        *initial = state->at[0];
    spec->start(*initial, h, &start);
    bool there = same_state(&start, state);
    pl_state_release(&start);
    return there || (calls_for(spec, state, h) && run_calls(spec, *initial, state, h));
}

/* --- deciding ----------------------------------------------------------------------- */

/* From one state of several: the operations since the cut after calls that make it. */
static enum pl_decision decide_from(const struct pl_windows *w, const struct pl_state *state,
                                    const struct pl_budget *budget)
{
    struct pl_history h;
    struct pl_check_how how;
    struct pl_witness witness;
    struct pl_case c = {.spec = w->spec, .initial = w->initial, .history = &h, .budget = budget};
    enum pl_decision decision = PL_NEITHER;
    pl_history_init(&h);
    h.threads = w->whole.threads;
    bool made = rebuild(w->spec, state, &h, &c.initial);
    if (!made)
        h.count = h.events = 0;
    append(&h, &w->whole, w->cut);
    pl_history_finish(&h);
    pl_witness_init(&witness, h.count);
    if (made) {
        decision = pl_check(&c, 1, &witness, &how);
    } else {
        struct pl_ends from = {(struct pl_state *)(uintptr_t)state, 1, 1}, to = {.most = 1};
        decision = pl_decide_ends(&c, &from, &to);
        decision = to.count ? PL_GOOD : decision; /* one is enough */
        pl_ends_release(&to);
    }
    pl_witness_release(&witness);
    pl_history_release(&h);
    return decision;
}

static enum pl_decision decide(const struct pl_windows *w, struct pl_witness *witness,
                               const struct pl_budget *budget)
{
    struct pl_check_how how;
    struct pl_case c = {
        .spec = w->spec, .initial = w->initial, .history = &w->whole, .budget = budget};
    enum pl_decision all = PL_BAD;
    if (w->from.count == 1)
        return pl_check(&c, 1, witness, &how);
    for (uint32_t i = 0; i < w->from.count && all != PL_GOOD; i++) {
        enum pl_decision decision = decide_from(w, &w->from.state[i], budget);
        all = decision == PL_BAD ? all : decision;
    }
    if (all == PL_BAD && pl_check(&c, 1, witness, &how) == PL_GOOD)
        pl_bug(__FILE__, __LINE__, "bad from every state at the cut, and good as a whole");
    return all;
}

/* --- cuts --------------------------------------------------------------------------- */

static bool holds_values(const struct pl_spec *s)
{
    return s->head || s == &pl_spec_bag || s == &pl_spec_deque;
}

/* The last operation, alone, found nothing. */
static bool drained(const struct pl_windows *w)
{
    const struct pl_history *h = &w->whole;
    if (!holds_values(w->spec) || h->events < 2)
        return false;
    const struct pl_operation *o = &h->operation[h->event[h->events - 1] / 2];
    bool takes = o->code == PL_TAKE || (w->spec == &pl_spec_deque && o->code == PL_DEQUE_POP_LEFT);
    return takes && o->call == h->events - 2 && o->result == PL_NIL;
}
_Static_assert((int)PL_TAKE == PL_DEQUE_POP_RIGHT, "one code");

/*
 * Is the state the same after every order? What was put and not taken is in a bag or priority
 * queue; an element is in a set if more adds of it than removes succeeded; a counter has the sum.
 */
static bool counted(const struct pl_windows *w)
{
    const struct pl_spec *s = w->spec;
    const struct pl_history *h = &w->whole;
    if (s == &pl_spec_counter)
        return true;
    if (s != &pl_spec_bag && s != &pl_spec_pqueue && s != &pl_spec_max_pqueue &&
        s != &pl_spec_set && s != &pl_spec_semaphore && s != &pl_spec_lock)
        return false;
    for (uint32_t i = 0; i < h->count; i++)
        if (h->operation[i].result == PL_ANY)
            return false;
    return true;
}

void pl_witness_end(const struct pl_case *c, const struct pl_witness *witness, struct pl_state *out)
{
    struct pl_state next = {0};
    c->spec->start(c->initial, c->history, out);
    for (uint32_t i = 0; i < witness->count; i++) {
        struct pl_operation o = c->history->operation[witness->order[i]];
        pl_value ignored;
        o.result = witness->answer[i];
        if (!c->spec->step(&c->history->values, out, &o, 0, &next, &ignored))
            continue;
        struct pl_state before = *out;
        *out = next;
        next = before;
    }
    pl_state_release(&next);
}

/* All states of the operations since the last cut, by search. */
static bool find_ends(const struct pl_windows *w, const struct pl_budget *budget,
                      struct pl_ends *out)
{
    struct pl_history h;
    struct pl_budget little = budget ? *budget : (struct pl_budget){0};
    struct pl_case c = {.spec = w->spec, .initial = w->initial, .history = &h, .budget = &little};
    /* What values lie in which order has too many answers; of cells a longer history may need more,
       or else one that was not cut would never be again. */
    little.memory = MOST_MEMORY;
    if (!holds_values(w->spec))
        little.memory += (size_t)MOST_FOR_ONE * (w->whole.count - w->cut);
    pl_history_init(&h);
    append(&h, &w->whole, w->cut);
    pl_history_finish(&h);
    *out = (struct pl_ends){.most = MOST_STATES};
    enum pl_decision decision = pl_decide_ends(&c, &w->from, out);
    pl_history_release(&h);
    return decision == PL_GOOD;
}

/* The history begins anew, from the one state there is, if calls are known that make it. */
static void begin_anew(struct pl_windows *w)
{
    struct pl_history h = w->whole; /* keeps its tables */
    pl_value initial = w->initial;
    h.operation = NULL;
    h.event = NULL;
    h.count = h.room = h.events = 0;
    if (!rebuild(w->spec, &w->from.state[0], &h, &initial)) {
        free(h.operation);
        return;
    }
    pl_history_finish(&h);
    free(w->whole.operation);
    free(w->whole.event);
    w->whole = h;
    w->initial = initial;
    w->cut = h.count;
}

static void look_for_cut(struct pl_windows *w, const struct pl_witness *witness,
                         const struct pl_budget *budget)
{
    const struct pl_history *h = &w->whole;
    struct pl_case c = {.spec = w->spec, .initial = w->initial, .history = h};
    struct pl_state state = {0};
    struct pl_ends ends;
    for (uint32_t i = w->cut; i < h->count; i++)
        if (pl_pending(&h->operation[i]))
            return;
    if (w->spec == &pl_spec_snapshot) /* how many places it has, a later scan may say */
        return;
    if (drained(w)) {
        only(&w->from, &state);
    } else if (w->from.count == 1 && counted(w)) {
        pl_witness_end(&c, witness, &state);
        only(&w->from, &state);
    } else if (find_ends(w, budget, &ends)) {
        pl_ends_release(&w->from);
        w->from = ends;
    } else {
        pl_ends_release(&ends);
        return;
    }
    pl_state_release(&state);
    w->cut = w->whole.count;
    w->cuts++;
    w->carried += w->from.count > 1;
    if (w->from.count == 1)
        begin_anew(w);
}

void pl_windows_init(struct pl_windows *w, const struct pl_spec *spec, pl_value initial)
{
    *w = (struct pl_windows){.spec = spec, .initial = initial};
    pl_history_init(&w->whole);
}

void pl_windows_release(struct pl_windows *w)
{
    pl_ends_release(&w->from);
    pl_history_release(&w->whole);
    *w = (struct pl_windows){0};
}

enum pl_decision pl_windows_add(struct pl_windows *w, const struct pl_history *window, bool last,
                                const struct pl_budget *budget)
{
    struct pl_witness witness;
    append(&w->whole, window, 0);
    copy_names(&w->whole, window);
    pl_history_finish(&w->whole);
    if (!w->begun) {
        struct pl_state start = {0};
        w->spec->start(w->initial, &w->whole, &start);
        only(&w->from, &start);
        pl_state_release(&start);
        w->begun = true;
    }
    pl_witness_init(&witness, w->whole.count);
    enum pl_decision decision = decide(w, &witness, budget);
    if (decision == PL_GOOD && !last)
        look_for_cut(w, &witness, budget);
    pl_witness_release(&witness);
    return decision;
}
