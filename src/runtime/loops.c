/*
 * Void rounds: what the own front end (src/instrument) says of loops, used by the explorer.
 *
 * Each thread has a stack of the loops it is in. A loop keeps its visits of its head since it
 * was entered: the loop-carried values, how far the thread's journal of writes had grown, how
 * many events of the graph it had made. When the values at the head are those of an earlier
 * visit and nothing has changed since, the round between is void: the thread stands still in
 * this graph, and a later write that one of its reads could take makes another graph.
 *
 *   stack    loop ── loop ── loop        (inner ones above)
 *              │       └ visits: values, journal, events, effects
 *   journal  address, old bytes, old bytes, …   while the thread is in any loop
 *
 * Invariants:
 * I1  A loop is known by the address of its values, which lies in the frame that runs it; one
 *     whose frame is gone (return, longjmp, exception) lies below the stack and is dropped.
 *     An entry may be told that does not happen, and an exit of a loop that was not entered.
 * I2  What cannot be compared (allocation, clock, random numbers, code out of sight) counts as
 *     an effect, and a round with an effect is not void.
 * I3  Written bytes count unless they are again as they were, or the front end has said that
 *     every round overwrites them before they are read and before the loop is left.
 */
#include "runtime/loops.h"
#include "runtime/symmetry.h"

#include <errno.h>
#include <string.h>

#include "runtime/harmless.h"
#include "runtime/left_out.h"
#include "runtime/model.h"
#include "runtime/shadow.h"
#include "runtime/station.h"

enum { DEPTH = 64, VISITS = 512, WORDS = 8192, JOURNAL = 4096, MOST_COMPARED = 256 };
/* Flags of a loop: only atomic accesses to global variables and nothing that can fail; a value
 * moves on in every round; the same through pointers. */
enum { PURE = 1, COUNTED = 2, POINTS = 4 };
/* Of a pair: the loop's head comes between the two; the compare-exchange comes for sure, or unless
 * the load finds a certain value. */
enum { PAIR_HEAD = 1, PAIR_SURE = 2, PAIR_UNLESS = 4 };

struct plumb_loop {
    uint32_t words;    /* of values */
    uint32_t compared; /* of which a round must leave these as they were */
    uint32_t flags;
};

struct visit {
    uint32_t words, journal, made, effects;
    int error; /* errno, which the runtime sets without a word */
};

struct active {
    const struct plumb_loop *loop;
    const uint64_t *values;
    uint32_t visit, words; /* its first of each */
    uint32_t rounds;
    bool forgot; /* its first visits */
};

struct write {
    uint64_t address, old;
    uint8_t size;
    bool dead;
};

static struct looper {
    uint32_t depth, visits, words, writes, effects;
    bool looked;                /* it has made a void round: looks_into() */
    uint64_t dead;              /* the next write to this address does not count */
    uint64_t unseen_at, unseen; /* of what the next update there returns these bits are not used */
    uint64_t retry;             /* if the next compare-exchange there fails, a round ends */
    uint64_t pair_at;           /* the next load there is one of a pair (explore/pairs.c), */
    uint64_t unless;            /* as these say; */
    uint32_t how, heads_left;   /* so often the loop's head comes before the compare-exchange */
    bool paired, in_pair;       /* that goes with one; which is still to come */
    struct active active[DEPTH];
    struct visit visit[VISITS];
    uint64_t word[WORDS];
    struct write write[JOURNAL];
} looper[PL_GRAPH_THREADS];
static uint32_t loopers; /* those from this one on were never used */

/* A trial under way, or how the last one ended. */
static struct {
    bool on;
    struct pl_trial result;
    bool updates, has_second;
    struct pl_trust_access update; /* at which it ended, if it updates */
    uint64_t second;
    uint64_t steps, next_check; /* of rt, as they were */
    uint32_t pauses;
    uint32_t depth, visits, words, writes; /* of the thread's looper */
    struct pl_kept kept;
} trial;

PL_EXPORT void __plumb_loop_enter(const struct plumb_loop *loop, const uint64_t *values);
PL_EXPORT void __plumb_loop_head(const struct plumb_loop *loop, const uint64_t *values);
PL_EXPORT void __plumb_loop_leave(const struct plumb_loop *loop, const uint64_t *values);
PL_EXPORT void __plumb_local_write(const void *address, uint64_t size);
PL_EXPORT void __plumb_dead_write(const void *address, uint32_t named);
PL_EXPORT void __plumb_unseen(const void *address, uint64_t bits);
PL_EXPORT void __plumb_pair(const void *address, uint32_t how, uint64_t unless);
PL_EXPORT void __plumb_retry(const void *address, uint32_t paired);
PL_EXPORT void __plumb_in_vain(const void *address, uint64_t value);
PL_EXPORT void __plumb_call(const void *function);

static struct looper *self(void)
{
    return &looper[rt.self->id];
}

static bool watching(void)
{
    return pl_unlikely(rt.exploring) && rt.active && rt.self->id < PL_GRAPH_THREADS;
}

static void touch(void)
{
    if (pl_unlikely(rt.self->id >= loopers))
        loopers = rt.self->id + 1;
}

void pl_loops_reset(void)
{
    for (uint32_t i = 0; i < loopers; i++) {
        looper[i].depth = looper[i].visits = looper[i].words = looper[i].writes = 0;
        looper[i].looked = false;
        looper[i].dead = looper[i].unseen = looper[i].retry = looper[i].pair_at = 0;
        looper[i].in_pair = false;
    }
    trial.on = false;
}

void pl_loops_keep(void)
{
    for (uint32_t i = 0; i < loopers; i++) {
        struct looper *l = &looper[i];
        if (!(l->depth | l->looked | l->dead | l->unseen | l->retry | l->pair_at |
              l->in_pair)) /* or it is as after a reset */
            continue;
        pl_keep(l, offsetof(struct looper, active) + l->depth * sizeof *l->active);
        pl_keep(l->visit, l->visits * sizeof *l->visit);
        pl_keep(l->word, l->words * sizeof *l->word);
        pl_keep(l->write, l->writes * sizeof *l->write);
    }
}

/* ---- the stack ---- */

static void drop_to(struct looper *l, uint32_t depth)
{
    if (depth >= l->depth)
        return;
    l->visits = l->active[depth].visit;
    l->words = l->active[depth].words;
    l->depth = depth;
    if (!depth)
        l->writes = 0;
}

static void drop_dead(struct looper *l, uint64_t stack) /* I1 */
{
    uint32_t depth = l->depth;
    while (depth && (uint64_t)l->active[depth - 1].values < stack)
        depth--;
    drop_to(l, depth);
}

/* Its place in the stack; depth if it is not there. */
static uint32_t find(const struct looper *l, const uint64_t *values)
{
    for (uint32_t i = l->depth; i-- > 0;)
        if (l->active[i].values == values)
            return i;
    return l->depth;
}

static struct active *push(struct looper *l, const struct plumb_loop *loop, const uint64_t *values)
{
    if (l->depth == DEPTH)
        return NULL;
    touch();
    struct active *a = &l->active[l->depth++];
    *a = (struct active){.loop = loop, .values = values, .visit = l->visits, .words = l->words};
    return a;
}

/* The round is over without the compare-exchange. */
PL_COLD static void end_pair(struct looper *l)
{
    l->in_pair = false;
    pl_model_pair_ends();
}

void __plumb_loop_enter(const struct plumb_loop *loop, const uint64_t *values)
{
    if (!watching())
        return;
    pl_loops_end_trial();
    struct looper *l = self();
    if (pl_unlikely(l->in_pair) && !l->heads_left)
        end_pair(l);
    drop_dead(l, (uint64_t)__builtin_frame_address(0));
    drop_to(l, find(l, values));
    (void)push(l, loop, values);
}

static bool may_try_in(const struct active *a)
{
    return (a->loop->flags & (PURE | POINTS)) && !(a->loop->flags & COUNTED);
}

/* A trial goes on in the loop around it; what is dropped comes back when it ends. */
PL_COLD static void leave_in_trial(const uint64_t *values)
{
    struct looper *l = self();
    drop_to(l, find(l, values));
    if (!l->depth || !may_try_in(&l->active[l->depth - 1]))
        pl_loops_end_trial();
}

void __plumb_loop_leave(const struct plumb_loop *loop, const uint64_t *values)
{
    if (!watching())
        return;
    if (pl_unlikely(trial.on)) {
        leave_in_trial(values);
        return;
    }
    struct looper *l = self();
    if (pl_unlikely(l->in_pair))
        end_pair(l);
    uint32_t place = find(l, values);
    if (place + 1 == l->depth && l->visits > l->active[place].visit && !loop->compared)
        pl_model_left_loop(l->visit[l->visits - 1].made);
    drop_to(l, place);
}

/* ---- the journal ---- */

void pl_loops_write(uint64_t address, uint64_t size)
{
    struct looper *l = self();
    bool dead = l->dead == address;
    l->dead = 0;
    if (!l->depth || rt.self->id >= PL_GRAPH_THREADS)
        return;
    if (l->writes + size / 8 + 2 > JOURNAL) { /* nothing can be compared with before any more */
        l->effects++;
        l->writes = 0;
        return;
    }
    for (uint64_t end = address + size; address < end; address += 8) {
        uint8_t part = (uint8_t)(end - address < 8 ? end - address : 8);
        struct write *w = &l->write[l->writes++];
        *w = (struct write){.address = address, .size = part, .dead = dead};
        memcpy(&w->old, (const void *)address, part);
    }
}

void __plumb_local_write(const void *address, uint64_t size)
{
    if (!watching())
        return;
    pl_loops_end_trial();
    pl_loops_write((uint64_t)address, size);
}

/* The next write of the thread is one of which the front end has said what I3 says. Unless it
 * knows the object by name, that holds if it is none of the program's variables. */
void __plumb_dead_write(const void *address, uint32_t named)
{
    uint64_t at = (uint64_t)address;
    uint64_t bottom = PL_STACKS + rt.self->id * (uint64_t)PL_STACK_STRIDE;
    if (!watching() || !(named || pl_in_heap(at) || at - bottom < PL_STACK_STRIDE))
        return;
    touch();
    self()->dead = at;
}

bool pl_loops_take_dead(uint64_t address)
{
    struct looper *l = self();
    bool dead = l->dead == address;
    l->dead = 0;
    return dead;
}

void __plumb_unseen(const void *address, uint64_t bits)
{
    if (!watching())
        return;
    touch();
    self()->unseen_at = (uint64_t)address;
    self()->unseen = bits;
}

uint64_t pl_loops_take_unseen(uint64_t address)
{
    struct looper *l = self();
    uint64_t unseen = l->unseen_at == address ? l->unseen : 0;
    l->unseen = 0;
    return unseen;
}

void __plumb_pair(const void *address, uint32_t how, uint64_t unless)
{
    if (!watching())
        return;
    touch();
    self()->pair_at = (uint64_t)address;
    self()->how = how;
    self()->unless = unless;
}

bool pl_loops_in_pair(void)
{
    return self()->in_pair;
}

bool pl_loops_take_pair(uint64_t address, struct pl_trust_pair *out)
{
    struct looper *l = self();
    bool pair = l->pair_at == address;
    l->pair_at = 0;
    if (pl_likely(!pair) || trial.on || !watching() || !pl_model_may_pair())
        return false;
    if (l->in_pair)
        end_pair(l);
    l->heads_left = (l->how & PAIR_HEAD) != 0;
    *out = (struct pl_trust_pair){
        .sure = l->how & PAIR_SURE, .has_unless = l->how & PAIR_UNLESS, .unless = l->unless};
    return l->in_pair = true;
}

void __plumb_retry(const void *address, uint32_t paired)
{
    if (!watching())
        return;
    touch();
    self()->retry = (uint64_t)address;
    self()->paired = paired != 0;
}

void pl_loops_effect(void)
{
    pl_symmetry_effect();
    if (watching())
        self()->effects++;
}

void pl_loops_allocates(void)
{
    pl_symmetry_allocates();
    if (watching())
        self()->effects++;
}

void __plumb_call(const void *function)
{
    if (!watching() || !self()->depth)
        return;
    pl_loops_end_trial();
    uint64_t address = (uint64_t)function;
    bool ours =
        !rt.options->unseen && address - rt.program_start < rt.program_end - rt.program_start;
    if (!ours && !pl_is_harmless(address))
        self()->effects++;
}

/* ---- comparing ---- */

static bool covers(const struct write *w, uint64_t byte)
{
    return byte - w->address < w->size;
}

/* Has the byte, first written at `at`, its value again? Or does it not count, because of *dead? */
static bool byte_is_back(const struct looper *l, uint32_t from, uint32_t at, uint64_t byte,
                         bool *dead)
{
    for (uint32_t i = from; i < at; i++)
        if (covers(&l->write[i], byte))
            return true; /* that one was asked */
    uint8_t old = (uint8_t)(l->write[at].old >> 8 * (byte - l->write[at].address));
    if (*(const uint8_t *)byte == old)
        return true;
    for (uint32_t i = at; i < l->writes; i++)
        if (covers(&l->write[i], byte) && !l->write[i].dead)
            return false;
    return *dead = true;
}

/* `stack`: what lies below in this thread's stack is of calls that have returned. */
static bool memory_is_back(const struct looper *l, uint32_t from, uint64_t stack, bool *dead)
{
    uint64_t bottom = PL_STACKS + rt.self->id * (uint64_t)PL_STACK_STRIDE;
    if (l->writes - from > MOST_COMPARED)
        return false;
    for (uint32_t i = from; i < l->writes; i++) {
        const struct write *w = &l->write[i];
        if (w->address >= bottom && w->address < stack)
            continue;
        for (unsigned k = 0; k < w->size; k++)
            if (!byte_is_back(l, from, i, w->address + k, dead))
                return false;
    }
    return true;
}

/* The earlier visit since which nothing has changed, or NULL. A retried value may have, but only
 * since the first visit: the load before the loop could as well have read what it is now. A failed
 * compare-exchange of an earlier round could not, if it would not have failed then, or if what came
 * after it made others write that value. */
static const struct visit *same_as_before(const struct looper *l, const struct active *a,
                                          uint64_t stack)
{
    for (uint32_t i = l->visits; i-- > a->visit;) {
        const struct visit *v = &l->visit[i];
        bool first = i == a->visit && !a->forgot;
        uint32_t words = first ? a->loop->compared : a->loop->words;
        bool dead = false;
        if (v->effects != l->effects)
            return NULL; /* nor since an earlier one */
        if (v->error != errno ||
            memcmp(&l->word[v->words], a->values, words * sizeof *a->values) != 0)
            continue;
        if (memory_is_back(l, v->journal, stack, &dead) && pl_model_round_is_void(v->made, dead))
            return v;
    }
    return NULL;
}

static void remember(struct looper *l, struct active *a)
{
    if (l->visits == VISITS || l->words + a->loop->words > WORDS) { /* only from now on */
        l->visits = a->visit;
        l->words = a->words;
        a->forgot = true;
    }
    if (l->visits == VISITS || l->words + a->loop->words > WORDS)
        return;
    l->visit[l->visits++] = (struct visit){.words = l->words,
                                           .journal = l->writes,
                                           .made = pl_model_made(),
                                           .effects = l->effects,
                                           .error = errno};
    memcpy(&l->word[l->words], a->values, a->loop->words * sizeof *a->values);
    l->words += a->loop->words;
}

/* Even what need not be as it was? */
static bool is_same(const struct looper *l, const struct visit *v, const struct active *a)
{
    return memcmp(&l->word[v->words], a->values, a->loop->words * sizeof *a->values) == 0;
}

/* ---- trials ---- */

bool pl_loops_may_try(void)
{
    if (!watching() || !self()->depth || trial.on)
        return false;
    struct looper *l = self();
    drop_dead(l, (uint64_t)__builtin_frame_address(0));
    const struct active *a = &l->active[l->depth - 1];
    return l->depth && may_try_in(a) && l->visits > a->visit &&
           pl_model_only_read(l->visit[l->visits - 1].made);
}

bool pl_loops_try(struct pl_trial *result, const uint64_t *second)
{
    const struct looper *l = self();
    trial.depth = l->depth;
    trial.visits = l->visits;
    trial.words = l->words;
    trial.writes = l->writes;
    trial.updates = false;
    trial.has_second = second != NULL;
    trial.second = second ? *second : 0;
    trial.pauses = 0;
    trial.steps = rt.steps;
    trial.next_check = rt.next_check;
    trial.kept.top = pl_fiber_top(rt.self);
    trial.kept.room = PL_KEPT_BYTES;
    int again = pl_arch_keep(&trial.kept);
    if (again < 0)
        trial.result = (struct pl_trial){0};
    *result = trial.result;
    if (again)
        return false;
    trial.on = true;
    rt.next_check = 0; /* whoever enters the scheduler ends it: pl_check_limit */
    return true;
}

bool pl_loops_trying(void)
{
    return trial.on;
}

/* With a value that is never read a delay may have no end. */
bool pl_loops_try_pause(void)
{
    enum { MOST = 1 << 16 };
    if (trial.on && trial.pauses++ > MOST)
        pl_loops_end_trial();
    return trial.on;
}

bool pl_loops_tried_update(struct pl_trust_access *out)
{
    *out = trial.update;
    return trial.updates;
}

PL_COLD static void end_trial(struct pl_trial result)
{
    struct looper *l = self();
    trial.on = false;
    l->dead = l->unseen = l->retry = l->pair_at =
        0; /* another way may be taken to another access there */
    l->depth = trial.depth;
    l->visits = trial.visits;
    l->words = trial.words;
    l->writes = trial.writes;
    trial.result = result;
    rt.steps = trial.steps;
    rt.next_check = trial.next_check;
    pl_arch_back(&trial.kept);
}

void pl_loops_end_trial(void)
{
    if (pl_unlikely(trial.on))
        end_trial((struct pl_trial){0});
}

uint64_t pl_loops_try_update(const struct pl_trust_access *a)
{
    if (trial.has_second) {
        trial.has_second = false;
        return trial.second;
    }
    trial.update = *a;
    trial.updates = true;
    end_trial((struct pl_trial){0});
    return 0;
}

PL_COLD static void head_in_trial(const uint64_t *values, uint64_t stack)
{
    const struct looper *l = self();
    const struct active *a = &l->active[l->depth - 1];
    const struct visit *v = a->values == values ? same_as_before(l, a, stack) : NULL;
    if (!v || !pl_model_only_read(v->made))
        pl_loops_end_trial();
    else
        end_trial((struct pl_trial){.is_void = true, .since = v->made, .same = is_same(l, v, a)});
}

/* The round since then is left out, with what it wrote plainly (left_out.h). */
static void tell_writes_at(const struct looper *l, const struct visit *v, unsigned place)
{
    for (uint32_t i = v->journal; i < l->writes; i++) {
        uint64_t first = l->write[i].address;
        pl_out_stores(place, first);
        pl_out_stores(place, first + l->write[i].size - 1); /* it may be in two granules */
    }
}

/* It may be a part of rounds of the loops around it, which are left out as well. */
static void tell_writes(const struct looper *l, const struct visit *v)
{
    uint64_t around = 0; /* places, modulo 64: that is how they are noted */
    for (uint32_t i = 0; l->depth > 1 && i < l->active[l->depth - 1].visit; i++)
        around |= (uint64_t)1 << l->visit[i].made % 64;
    tell_writes_at(l, v, v->made);
    for (; around; around &= around - 1) {
        pl_out_inner((unsigned)__builtin_ctzll(around), v->made);
        tell_writes_at(l, v, (unsigned)__builtin_ctzll(around));
    }
}

/* The visit with which the round under way began, if nothing has changed since; a loop that has a
 * retried value: only the first of the loop. */
static const struct visit *unchanged_since(const struct looper *l, uint64_t stack)
{
    const struct active *a = l->depth ? &l->active[l->depth - 1] : NULL;
    if (!a || l->visits == a->visit)
        return NULL;
    const struct visit *v = &l->visit[l->visits - 1];
    bool first = l->visits - 1 == a->visit && !a->forgot, dead = false;
    if (v->effects != l->effects || v->error != errno ||
        (a->loop->words != a->loop->compared && !first) ||
        !memory_is_back(l, v->journal, stack, &dead) || !pl_model_changes_nothing(v->made, dead))
        return NULL;
    return v;
}

/* The program comes to a loop that waits in vain: while it finds the value there it goes on, and
 * then, with nothing changed, comes the head of the loop around it. */
PL_COLD static void in_vain_in_trial(uint64_t address, uint64_t value, uint64_t stack)
{
    const struct visit *v = unchanged_since(self(), stack);
    if (v && pl_model_only_read(v->made))
        end_trial((struct pl_trial){.is_void = true,
                                    .since = v->made,
                                    .same = true,
                                    .in_vain = true,
                                    .place = address,
                                    .value = value});
}

void __plumb_in_vain(const void *address, uint64_t value)
{
    if (watching() && pl_unlikely(trial.on))
        in_vain_in_trial((uint64_t)address, value, (uint64_t)__builtin_frame_address(0));
}

unsigned pl_loops_take_retry(uint64_t address, unsigned size, bool *paired)
{
    struct looper *l = self();
    bool retries = l->retry == address;
    l->retry = 0;
    *paired = retries && l->paired && l->in_pair;
    l->in_pair = l->in_pair && !*paired;
    if (pl_likely(!retries) || !watching() || !pl_model_may_leave_out())
        return 0;
    uint64_t stack = (uint64_t)__builtin_frame_address(0);
    drop_dead(l, stack);
    const struct visit *v = unchanged_since(l, stack);
    if (v) {
        pl_out_round(v->made);
        pl_out_touches(v->made, address, size, false);
        tell_writes(l, v);
    }
    return v ? v->made + 1 : 0;
}

bool pl_loops_has_only_read(unsigned *since)
{
    uint64_t stack = (uint64_t)__builtin_frame_address(0);
    drop_dead(self(), stack);
    const struct visit *v = unchanged_since(self(), stack);
    *since = v ? v->made : 0;
    if (v)
        tell_writes(self(), v);
    return v && pl_model_only_read(v->made);
}

/* The round since v is void. Is it one that is made for the races that it may show? One in an
 * execution. It may be a part of a round of the loop around it that is left out as a whole, so any
 * place counts at which a round began that it is in. What comes after it is compared with nothing
 * before it, or a part of it could be void again. */
static bool looks_into(struct looper *l, struct active *a, const struct visit *v)
{
    bool asked = false;
    tell_writes(l, v);
    if (pl_likely(!pl_model_looks_for_races()) || l->looked)
        return false;
    for (const struct visit *w = l->visit; w <= v && !asked; w++)
        asked = pl_model_looks_into(w->made);
    if (!asked)
        return false;
    a->rounds -= (uint32_t)(&l->visit[l->visits] - v); /* --unroll is for the others */
    l->effects++;
    return l->looked = true;
}

void __plumb_loop_head(const struct plumb_loop *loop, const uint64_t *values)
{
    if (!watching())
        return;
    uint64_t pc = PL_CALLER, stack = (uint64_t)__builtin_frame_address(0);
    if (pl_unlikely(trial.on))
        head_in_trial(values, stack);
    pl_model_settle(); /* a write at the end of the round is of the round */
    struct looper *l = self();
    if (pl_unlikely(l->in_pair) && !l->heads_left--)
        end_pair(l);
    drop_dead(l, stack);
    uint32_t place = find(l, values);
    struct active *a = place < l->depth ? &l->active[place] : push(l, loop, values);
    if (!a)
        return;
    drop_to(l, place + 1);
    if (rt.options->unroll && a->rounds++ > rt.options->unroll) {
        rt.wire->cut += !pl_model_looks_for_races(); /* or it was counted before */
        pl_stop();
    }
    pl_model_at_head(loop->flags & COUNTED);
    if (loop->flags & COUNTED)
        return;
    const struct visit *v = same_as_before(l, a, stack);
    if (v && !looks_into(l, a, v))
        pl_model_void_round(v->made, is_same(l, v, a), pc);
    remember(l, a);
}
