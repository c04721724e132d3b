/*
 * Executions under a memory model: the runtime as the target of the explorer (trust.h).
 *
 * What an atomic load returns is the explorer's choice, not memory's. Real memory holds, of
 * the writes made so far in this run, the last in coherence order, so that plain reads,
 * which are ordered after it or race, find the right value.
 *
 * Happens-before is the graph's: an access made when its thread has made i events has tick
 * i + 1, and another thread's clock for it is the number of its events in that thread's
 * happens-before past. So the shadow (races, use after free) works as it does in `run`.
 */
#include "runtime/model_internal.h"
#include "runtime/symmetry.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "explore/rounds.h"
#include "runtime/atomic.h"
#include "runtime/finding.h"
#include "runtime/harmless.h"
#include "runtime/objects.h"
#include "runtime/wide.h"

static struct pl_trust *explorer;                          /* of the run under way: one of these */
static struct pl_trust *search, *prober, *shower, *paused; /* while the shower runs */
static uint32_t sleeps[PL_MAX_THREADS];                    /* of each thread so far */
static uint64_t roused, could_time_out;                    /* bit per thread that sleeps or waits */
static bool locks_are_words;
static uint64_t entering;          /* likewise in pl_model_enter */
static uint64_t spinning, endless; /* likewise at the end of a void round: that round */
static struct pl_round round_of[PL_GRAPH_THREADS];
static uint64_t not_ready; /* sampling: likewise at a step that awaits something */
static struct pl_sample sample;
static uint64_t ignored; /* --preemptions: findings beyond the bound */
enum { SCRIPT_ROOM = 1 << 20 };

static void begin(struct pl_strategy *self, uint64_t seed)
{
    (void)self;
    if (sample.kind != PL_SAMPLE_NONE)
        pl_sample_begin(&sample, seed);
    pl_trust_begin(explorer);
    memset(sleeps, 0, sizeof sleeps);
    roused = could_time_out = entering = not_ready = spinning = 0;
    pl_loops_reset();
    pl_symmetry_begin();
    pl_await_begin();
    pl_model_forget_access();
}

static unsigned pick(struct pl_strategy *self, uint64_t threads, unsigned current)
{
    (void)self, (void)current;
    return pl_trust_next(explorer, threads);
}

static unsigned choose(struct pl_strategy *self, unsigned n)
{
    (void)self;
    return pl_trust_choose(explorer, rt.self->id, n);
}

static struct pl_strategy strategy = {begin, pick, choose};

void pl_model_init(const char *model)
{
    explorer = search = pl_trust_new(pl_model_named(model));
    prober = pl_trust_new(pl_model_named(model));
    if (!search || !prober)
        pl_unsupported("no memory for the explorer", 0);
    pl_harmless_init();
    pl_await_init();
    if (rt.races == PL_RACES_ALLOW) { /* to learn which, they must be seen */
        rt.races = PL_RACES_REPORT;
        rt.learns_races = true;
    }
    pl_trust_probe(prober, rt.options->seed + rt.options->first);
    locks_are_words = rt.options->locks_are_words;
    pl_trust_set_pulse(search, &rt.wire->heartbeat);
    pl_trust_set_pulse(prober, &rt.wire->heartbeat);
    if (getenv("PLUMB_PROVE")) /* for our own tests: no execution twice */
        pl_trust_prove(search);
    pl_symmetry_init();
    rt.strategy = &strategy;
    rt.exploring = true;
}

bool pl_model_next_quietly(bool complete, bool given_up)
{
    return given_up ? pl_trust_give_up(explorer) : pl_trust_end(explorer, complete);
}

void pl_model_sample(enum pl_sample_kind kind, unsigned depth)
{
    pl_sample_init(&sample, kind, depth);
    pl_trust_sample(explorer, &sample);
}

/*
 * How many executions there are is estimated by walks of their own between the runs of the search:
 * none at first, for most searches are over soon; then many, until the estimate is good; then few.
 */
static bool is_time_to_probe(void)
{
    enum { NOT_BEFORE = 100, MANY = 3000, ENOUGH = 12000 };
    uint64_t runs = pl_trust_counts(search)->runs, walked = pl_trust_counts(prober)->runs;
    uint64_t every = walked < MANY ? 3 : walked < ENOUGH ? 30 : 200;
    bool shown = rt.options->check.mode == PL_CHECK_OFF; /* a test of a check is one of many */
    return shown && !sample.kind && !rt.options->preemptions && runs >= NOT_BEFORE &&
           runs % every == 0;
}

static void tell_estimate(void)
{
    const struct pl_trust_estimate *e = pl_trust_estimate(prober);
    rt.wire->walks = e->walks;
    rt.wire->walks_sum = e->sum;
    rt.wire->walks_squares = e->squares;
}

static void give_if_wanted(void)
{
    struct pl_wire *w = rt.wire;
    if (pl_likely(w->want != PL_WANT_WORK))
        return;
    w->given = (uint32_t)pl_trust_give(search, w->work, sizeof w->work);
    if (pl_trust_failure(search) && !w->error[0])
        strncpy(w->error, pl_trust_failure(search), sizeof w->error - 1);
    __atomic_store_n(&w->want, w->given ? PL_WANT_DONE : PL_WANT_NOTHING, __ATOMIC_RELEASE);
}

bool pl_model_next(bool complete, bool given_up)
{
    bool more = pl_model_next_quietly(complete, given_up);
    const struct pl_trust_counts *c = pl_trust_counts(search);
    rt.wire->executions = c->executions;
    rt.wire->blocked = c->blocked;
    rt.wire->beyond = c->beyond + ignored;
    rt.wire->pct_length = sample.kind == PL_SAMPLE_PCT && !sample.exceeded ? sample.length : 0;
    if (pl_trust_failure(explorer) && !rt.wire->error[0])
        strncpy(rt.wire->error, pl_trust_failure(explorer), sizeof rt.wire->error - 1);
    if (explorer == prober)
        tell_estimate();
    explorer = explorer == search && more && is_time_to_probe() ? prober : search;
    give_if_wanted();
    return more;
}

/* Waits until the tool has taken what was given. */
static void wait_until_taken(void)
{
    const struct timespec nap = {.tv_nsec = 50000};
    while (__atomic_load_n(&rt.wire->want, __ATOMIC_ACQUIRE) >= PL_WANT_DONE && !rt.wire->stop) {
        rt.wire->heartbeat++;
        syscall(SYS_nanosleep, &nap, NULL);
    }
}

/* Puts as many pieces into work[] as there is room for; the first may be the run to come. */
static uint32_t fill_batch(bool *next)
{
    struct pl_wire *w = rt.wire;
    uint32_t used = 0;
    for (;;) {
        uint8_t *at = w->work + used + sizeof used;
        uint64_t room = sizeof w->work - used;
        room = room > sizeof used ? room - sizeof used : 0;
        uint64_t bytes =
            *next ? pl_trust_give_next(search, at, room) : pl_trust_give(search, at, room);
        if (!bytes)
            return used;
        *next = false;
        uint32_t size = (uint32_t)bytes;
        memcpy(w->work + used, &size, sizeof size);
        used += (uint32_t)sizeof size + size;
    }
}

bool pl_model_drain(void)
{
    struct pl_wire *w = rt.wire;
    bool next = true;
    if (pl_likely(!w->drain))
        return false;
    wait_until_taken(); /* or work[] is not free */
    for (uint32_t used; (used = fill_batch(&next)) > 0 && !w->stop;) {
        w->given = used;
        __atomic_store_n(&w->want, PL_WANT_BATCH, __ATOMIC_RELEASE);
        wait_until_taken();
    }
    if (pl_trust_failure(search))
        strncpy(w->error, pl_trust_failure(search), sizeof w->error - 1);
    return true;
}

bool pl_model_receive(void)
{
    struct pl_wire *w = rt.wire;
    for (bool more = false; !more;) {
        __atomic_store_n(&w->idle, 1, __ATOMIC_RELEASE);
        while (!__atomic_load_n(&w->taken, __ATOMIC_ACQUIRE)) {
            if (w->stop)
                return false;
            struct timespec nap = {.tv_nsec = 100000};
            syscall(SYS_nanosleep, &nap, NULL);
        }
        more = pl_trust_receive(search, w->work, w->taken);
        w->heartbeat++;
        w->exhausted = !more && !w->cut;
        __atomic_store_n(&w->idle, 0,
                         __ATOMIC_RELEASE); /* first, or it would look as if it waits */
        __atomic_store_n(&w->taken, 0, __ATOMIC_RELEASE);
        if (pl_trust_failure(search)) {
            strncpy(w->error, pl_trust_failure(search), sizeof w->error - 1);
            return false;
        }
    }
    explorer = search;
    return true;
}

/* What was learnt on the way comes first: without it the events would be others. */
uint32_t pl_model_save(uint8_t *out, uint32_t room)
{
    if (room < 1)
        return 0;
    out[0] = locks_are_words;
    uint32_t used = 1 + pl_model_races_save(out + 1, room - 1);
    return used + (uint32_t)pl_trust_save(explorer, rt.self->id, out + used, room - used);
}

void pl_model_script(const uint8_t *bytes, uint64_t count)
{
    if (count < 1)
        return;
    locks_are_words = bytes[0] != 0;
    uint32_t used = 1 + pl_model_races_load(bytes + 1, count - 1);
    pl_trust_script(explorer, bytes + used, count - used);
}

void pl_model_restart(void)
{
    pl_trust_restart(search, NULL);
    pl_trust_restart(prober, NULL);
    rt.restart = true;
    pl_leave();
}

struct pl_trust *pl_model_explorer(void)
{
    return explorer;
}

bool pl_model_searches(void)
{
    return sample.kind == PL_SAMPLE_NONE && !pl_trust_is_scripted(explorer);
}

/* ---- few preemptions ---- */

void pl_model_bound(void)
{
    if (rt.options->preemptions)
        pl_trust_bound(search, rt.options->preemptions - 1);
}

bool pl_model_exceeds_bound(const struct pl_trust_ending *end)
{
    uint32_t most = rt.options->preemptions;
    return most && pl_trust_preemptions(explorer, end) >= most;
}

bool pl_model_is_beyond(const struct pl_trust_ending *end)
{
    bool beyond = !rt.options->beyond_too && pl_model_exceeds_bound(end);
    ignored += beyond;
    return beyond;
}

bool pl_model_begin_shortest(const struct pl_trust_ending *end)
{
    static uint8_t *script;
    if (!shower) {
        shower = pl_trust_new(&pl_model_sc);
        script = pl_map(SCRIPT_ROOM);
    }
    uint64_t bytes = shower ? pl_trust_save_shortest(explorer, end, script, SCRIPT_ROOM) : 0;
    if (!bytes)
        return false;
    pl_trust_restart(shower, NULL);
    pl_trust_script(shower, script, bytes);
    paused = explorer;
    explorer = shower;
    return true;
}

void pl_model_end_shortest(void)
{
    explorer = paused;
}

void pl_model_twin(uint32_t thread, uint32_t before)
{
    if (explorer != shower)
        pl_trust_twin(explorer, thread, before);
}

void pl_model_left_loop(unsigned since)
{
    pl_trust_left_loop(explorer, rt.self->id, since);
}

bool pl_model_yields(void)
{
    return pl_trust_yields(explorer);
}

/* ---- weak or not ---- */

bool pl_model_is_weak(void)
{
    return pl_trust_is_weak(explorer);
}

const struct pl_graph *pl_model_graph(void)
{
    return pl_trust_graph(explorer);
}

uint32_t pl_model_events(void)
{
    return pl_trust_graph(explorer)->events;
}

void pl_model_begin_sc(void)
{
    pl_trust_restart(explorer, &pl_model_sc);
}

void pl_model_begin_again(void)
{
    pl_trust_restart(explorer, NULL);
}

/* ---- after an event ---- */

static void disturb(const struct pl_node *event)
{
    const struct pl_graph *g = pl_trust_graph(explorer);
    for (uint64_t left = spinning; left; left &= left - 1) {
        unsigned t = (unsigned)__builtin_ctzll(left);
        bool update = event->kind == PL_GRAPH_WRITE && (event->flags & PL_GRAPH_F_RMW);
        bool sampled = sample.kind != PL_SAMPLE_NONE && event->kind == PL_GRAPH_WRITE;
        if (t == event->self.thread || (!pl_round_minds(g, round_of[t], event) && !sampled &&
                                        !(update && pl_round_minds(g, round_of[t], &event[-1]))))
            continue;
        pl_model_go_on(t);
    }
}

/* The clock after the thread's last event; it was right after the one before. */
static void set_clock(const struct pl_node *n)
{
    struct pl_thread *t = rt.self;
    bool update = n->kind == PL_GRAPH_WRITE && (n->flags & PL_GRAPH_F_RMW);
    uint32_t width = rt.width < PL_GRAPH_THREADS ? rt.width : PL_GRAPH_THREADS;
    if (n->gained || (update && n[-1].gained))
        for (uint32_t i = 0; i < width; i += 8) /* rt.width is a multiple of 8 */
            for (uint32_t k = 0; k < 8; k++)
                t->clock[i + k] = n->hb[i + k];
    t->clock[t->id] = n->self.index + 2; /* the accesses that follow */
    t->epoch = t->id << PL_TICK_BITS | (uint32_t)t->clock[t->id];
}

static void made(uint64_t pc)
{
    if (pl_unlikely(pl_trust_failure(explorer) != NULL))
        pl_unsupported(pl_trust_failure(explorer), pc);
    if (pl_unlikely(pl_trust_is_astray(explorer)))
        pl_symmetry_astray();
    const struct pl_node *n = pl_trust_last(explorer, rt.self->id);
    set_clock(n);
    if (pl_unlikely(spinning != 0))
        disturb(n);
}

/* ---- atomics ---- */

static uint64_t native(uint64_t address, unsigned size)
{
    uint64_t value = 0;
    if (pl_unlikely(size > 8)) {
        pl_wide wide;
        memcpy(&wide, (const void *)address, sizeof wide);
        return pl_wide_number(wide);
    }
    memcpy(&value, (const void *)address, size);
    return value;
}

/* A record that was initialised anew stays in its chain, as a mark: address 0, mask64 the
 * address it had. */
void pl_model_initialise(struct pl_cell *c, uint8_t mask)
{
    for (uint32_t i = c->sync; i; i = pl_sync_at(i)->next) {
        struct pl_sync *s = pl_sync_at(i);
        if (s->kind == PL_SYNC_ATOMIC && s->address && (s->mask & mask)) {
            s->mask64 = s->address;
            s->address = 0;
        }
    }
}

static uint64_t life_of(uint64_t address)
{
    const struct pl_cell *c = pl_cell_of(address);
    uint64_t life = c->life;
    for (uint32_t i = c->sync; i; i = pl_sync_at(i)->next)
        life += pl_sync_at(i)->address == 0 && pl_sync_at(i)->mask64 == address;
    return life & 0x7fff;
}

static struct pl_trust_access access_of(uint64_t address, unsigned size, unsigned order)
{
    uint64_t life = life_of(address);
    return (struct pl_trust_access){.thread = rt.self->id,
                                    .key = address | life << 48,
                                    .initial = native(address, size),
                                    .size = size,
                                    .order = order};
}

static struct pl_sync *start(uint64_t address, unsigned size, uint64_t pc)
{
    return pl_atomic_begin(address, size, pc);
}

static void to_memory(uint64_t address, unsigned size, uint64_t value)
{
    rt.last_change = rt.steps;
    if (!pl_trust_is_latest(explorer, rt.self->id))
        return;
    switch (size) {
    case 1:
        *(uint8_t *)address = (uint8_t)value;
        break;
    case 2:
        *(uint16_t *)address = (uint16_t)value;
        break;
    case 4:
        *(uint32_t *)address = (uint32_t)value;
        break;
    case 8:
        *(uint64_t *)address = value;
        break;
    default: {
        pl_wide wide = pl_wide_value(value);
        memcpy((void *)address, &wide, sizeof wide);
    }
    }
}

static void write_through(uint64_t address, unsigned size, uint64_t value, uint64_t pc)
{
    to_memory(address, size, value);
    if (pl_unlikely(pl_await_written(address)))
        pl_point(pc);
}

/* Which event of the trace a write is, so that a read can name it. */
static uint32_t number_of[PL_GRAPH_THREADS][PL_GRAPH_LENGTH];

static void trace(enum pl_event_kind kind, uint64_t address, unsigned size, unsigned order,
                  uint64_t value, uint64_t value2, uint64_t pc)
{
    if (pl_likely(!rt.tracing))
        return;
    if (size > 8) { /* the low half is shown */
        value = (uint64_t)pl_wide_value(value);
        value2 = (uint64_t)pl_wide_value(value2);
    }
    pl_trace_slow(kind, (const void *)address, size, (enum pl_memory_order)order, value, value2,
                  PL_EVENT_F_VALUE, pc);
    const struct pl_node *n = pl_trust_last(explorer, rt.self->id), *read = n;
    if (n->kind == PL_GRAPH_WRITE) {
        number_of[n->self.thread][n->self.index] = pl_trace_count();
        read = n->flags & PL_GRAPH_F_RMW ? n - 1 : NULL;
    }
    if (read)
        pl_trace_set_from(pl_is_init(read->rf) ? 0 : number_of[read->rf.thread][read->rf.index],
                          n == read && pl_trust_is_stale(explorer, read->location, read->rf));
}

/* The read takes the value from before every write, which malloc left undefined. The shadow
 * cannot tell: in this run a write may have come first. */
static void check_initial(const struct pl_sync *s, uint64_t pc)
{
    const struct pl_node *n = pl_trust_last(explorer, rt.self->id);
    if (pl_likely(!s->extra[0]))
        return;
    if (!pl_is_init(n->kind == PL_GRAPH_WRITE ? n[-1].rf : n->rf))
        return;
    struct pl_found f = {.kind = PL_FINDING_UNINITIALISED_READ,
                         .flags = PL_FINDING_F_ATOMIC,
                         .address = s->address,
                         .size = (uint64_t)__builtin_popcount(s->mask),
                         .pc = pc};
    struct pl_block_info block;
    if (pl_heap_block(s->address, &block))
        f.block = block.start;
    pl_find(&f);
}

static void see_load(struct pl_sync *s, unsigned size, unsigned order, uint64_t value, uint64_t pc)
{
    trace(PL_EVENT_LOAD, s->address, size, order, value, 0, pc);
    check_initial(s, pc);
    pl_atomic_touch(s, true, false, pc);
}

/* In a loop that may wait. */
static uint64_t await_load(uint64_t address, unsigned size, unsigned order, uint64_t pc)
{
    struct pl_awaiting w;
    uint64_t value;
    do {
        struct pl_trust_access a = access_of(address, size, order);
        if (pl_await(&w, &a, &value, pc))
            return value;
        value = pl_trust_read(explorer, &a);
        see_load(pl_atomic_record(address, size, pc), size, order, value, pc);
    } while (pl_await_stands(&w, value, pc));
    made(pc);
    return value;
}

uint64_t pl_model_load(uint64_t address, unsigned size, unsigned order, uint64_t pc)
{
    struct pl_sync *s = start(address, size, pc);
    if (pl_unlikely(pl_await_applies()))
        return await_load(address, size, order, pc);
    const struct pl_node *n = pl_trust_repeat(explorer, rt.self->id, PL_GRAPH_READ, address, 0);
    uint64_t value;
    if (pl_likely(n != NULL)) {
        value = n->value;
    } else {
        struct pl_trust_access a = access_of(address, size, order);
        value = pl_trust_read(explorer, &a);
    }
    see_load(s, size, order, value, pc);
    made(pc);
    return value;
}

void pl_model_store(uint64_t address, unsigned size, unsigned order, uint64_t value, uint64_t pc)
{
    struct pl_sync *s = start(address, size, pc);
    bool dead = pl_loops_take_dead(address);
    if (pl_unlikely(pl_await_be_late(address, pc)))
        s = pl_atomic_record(address, size, pc);
    pl_symmetry_value(value);
    if (pl_unlikely(!pl_trust_repeat(explorer, rt.self->id, PL_GRAPH_WRITE, address, value))) {
        struct pl_trust_access a = access_of(address, size, order);
        a.flags = dead ? PL_GRAPH_F_DEAD : 0;
        pl_trust_write(explorer, &a, value);
    }
    trace(PL_EVENT_STORE, address, size, order, value, 0, pc);
    pl_atomic_touch(s, false, true, pc);
    made(pc);
    write_through(address, size, value, pc);
}

/* With another value than the expected one it fails for a reason, and that is explored anyway. */
static uint64_t fail_for_no_reason(uint64_t address, unsigned size, const struct pl_model_update *u,
                                   bool *ok, uint64_t pc)
{
    uint64_t found = pl_model_load(address, size, u->order_fail, pc);
    if (found != u->expected)
        pl_stop();
    *ok = false;
    return found;
}

static struct pl_trust_access update_of(uint64_t address, unsigned size,
                                        const struct pl_model_update *u)
{
    static const enum pl_graph_op ops[PL_EVENT_COUNT] = {
        [PL_EVENT_EXCHANGE] = PL_OP_EXCHANGE, [PL_EVENT_FETCH_ADD] = PL_OP_ADD,
        [PL_EVENT_FETCH_SUB] = PL_OP_SUB,     [PL_EVENT_FETCH_AND] = PL_OP_AND,
        [PL_EVENT_FETCH_OR] = PL_OP_OR,       [PL_EVENT_FETCH_XOR] = PL_OP_XOR,
        [PL_EVENT_FETCH_NAND] = PL_OP_NAND,   [PL_EVENT_CAS_OK] = PL_OP_CAS,
    };
    struct pl_trust_access a = access_of(address, size, u->order);
    a.order_fail = u->order_fail;
    a.op = ops[u->kind];
    a.operand = u->operand;
    a.expected = u->expected;
    return a;
}

static void see_update(struct pl_sync *s, unsigned size, const struct pl_model_update *u, bool ok,
                       uint64_t old, uint64_t new, uint64_t pc)
{
    trace(ok ? u->kind : PL_EVENT_CAS_FAIL, s->address, size, ok ? u->order : u->order_fail, old,
          new, pc);
    check_initial(s, pc);
    pl_atomic_touch(s, true, ok, pc);
}

static void update_made(uint64_t address, unsigned size, bool ok, uint64_t new, uint64_t pc)
{
    made(pc);
    if (ok)
        write_through(address, size, new, pc);
}

/* In a loop that may wait. Between the halves the thread may stand still. */
static uint64_t await_update(uint64_t address, unsigned size, const struct pl_model_update *u,
                             bool *ok, uint64_t pc)
{
    struct pl_awaiting w;
    struct pl_trust_access a;
    uint64_t value;
    do {
        a = update_of(address, size, u);
        if (pl_await(&w, &a, &value, pc)) {
            *ok = u->kind != PL_EVENT_CAS_OK || value == u->expected;
            return value;
        }
        const struct pl_node *read = pl_trust_update_read(explorer, &a);
        value = read ? read->value : 0;
        if (pl_await_is_idle(&w, value)) /* what it would write is what is there */
            see_update(pl_atomic_record(address, size, pc), size, u,
                       u->kind != PL_EVENT_CAS_OK || value == u->expected, value, value, pc);
    } while (pl_await_stands(&w, value, pc));
    *ok = !pl_trust_failure(explorer) && pl_trust_update_write(explorer, &a);
    uint64_t new = *ok ? pl_trust_last(explorer, rt.self->id)->value : u->operand;
    see_update(pl_atomic_record(address, size, pc), size, u, *ok, value, new, pc);
    update_made(address, size, *ok, new, pc);
    return value;
}

uint64_t pl_model_update(uint64_t address, unsigned size, const struct pl_model_update *u, bool *ok,
                         uint64_t pc)
{
    if (size > 8 && u->kind != PL_EVENT_CAS_OK && u->kind != PL_EVENT_EXCHANGE)
        pl_unsupported("of atomics of 16 bytes, arithmetic is not explored", pc);
    if (u->weak && rt.options->spurious && pl_model_choose(2, pc) == 1)
        return fail_for_no_reason(address, size, u, ok, pc);
    struct pl_sync *s = start(address, size, pc);
    if (pl_unlikely(pl_await_applies()))
        return await_update(address, size, u, ok, pc);
    if (pl_unlikely(pl_await_be_late(address, pc)))
        s = pl_atomic_record(address, size, pc);
    const struct pl_node *n = pl_trust_repeat(explorer, rt.self->id, PL_GRAPH_READ, address, 0);
    uint64_t old;
    if (pl_likely(n != NULL)) {
        *ok = n->kind == PL_GRAPH_WRITE;
        old = *ok ? n[-1].value : n->value;
    } else {
        struct pl_trust_access a = update_of(address, size, u);
        old = pl_trust_update(explorer, &a, ok);
    }
    uint64_t new = *ok ? pl_trust_last(explorer, rt.self->id)->value : u->operand;
    see_update(s, size, u, *ok, old, new, pc);
    update_made(address, size, *ok, new, pc);
    return old;
}

void pl_model_fence(unsigned order, uint64_t pc)
{
    if (pl_unlikely(pl_loops_trying()))
        return; /* it tells the thread nothing */
    pl_point(pc);
    pl_trust_fence(explorer, rt.self->id, order);
    made(pc);
}

/* ---- threads and locks ---- */

void pl_model_start(int creator)
{
    if (rt.self->id >= PL_GRAPH_THREADS)
        pl_unsupported("more than 32 threads are not explored", 0);
    pl_trust_start(explorer, rt.self->id, creator);
    made(0);
}

void pl_model_create(uint32_t created, uint64_t pc)
{
    pl_trust_create(explorer, rt.self->id, created);
    made(pc);
}

void pl_model_finish(void)
{
    pl_trust_finish(explorer, rt.self->id);
    made(0);
}

void pl_model_join(uint32_t joined, uint64_t pc)
{
    pl_trust_join(explorer, rt.self->id, joined);
    made(pc);
}

static uint64_t lock_key(const void *lock)
{
    return (uint64_t)lock | (uint64_t)pl_cell_of((uint64_t)lock)->life << 48 | (uint64_t)1 << 63;
}

static void lock(const void *object, uint64_t key, uint64_t *waiters, bool quiet, uint64_t pc)
{
    pl_trust_lock(explorer, rt.self->id, key, quiet);
    made(pc);
    while (!pl_trust_locked(explorer, rt.self->id)) {
        *waiters |= (uint64_t)1 << rt.self->id;
        (void)pl_block(PL_EVENT_LOCK, object, 0, pc);
    }
    const struct pl_node *unlock = pl_trust_awaited(explorer, rt.self->id);
    for (uint32_t i = 0; unlock && !quiet && i < rt.width && i < PL_GRAPH_THREADS; i++)
        if (i != rt.self->id && rt.self->clock[i] < unlock->hb[i])
            rt.self->clock[i] = unlock->hb[i];
}

void pl_model_lock(const void *mutex, uint64_t *waiters, uint64_t pc)
{
    lock(mutex, lock_key(mutex), waiters, false, pc);
}

void pl_model_unlock(const void *mutex, uint64_t pc)
{
    pl_trust_unlock(explorer, rt.self->id, lock_key(mutex));
    made(pc);
}

/* ---- modelled objects ---- */

/* Parts are the low bits, which no object's address has. */
static uint64_t object_key(const void *object, unsigned part)
{
    return lock_key(object) | part;
}

static struct pl_trust_access access_to(const struct pl_model_step *s)
{
    return (struct pl_trust_access){.thread = rt.self->id,
                                    .key = object_key(s->object, s->part),
                                    .initial = s->initial,
                                    .size = 8,
                                    .op = s->op,
                                    .await = s->await,
                                    .operand = s->operand,
                                    .expected = s->expected,
                                    .order = s->order,
                                    .order_fail = s->order_fail};
}

/* Sampling: the thread waits before the step, until it would find what it awaits. */
static void wait_until_ready(const struct pl_model_step *s, const struct pl_trust_access *a,
                             uint64_t pc)
{
    uint64_t self = (uint64_t)1 << rt.self->id;
    while (pl_unlikely(s->await != PL_AWAIT_NONE && !pl_trust_ready(explorer, a))) {
        not_ready |= self;
        could_time_out |= s->timed ? self : 0;
        (void)pl_block(s->in, s->object, 0, pc);
    }
    could_time_out &= ~self;
}

static void object_changed(void)
{
    uint64_t waiting = not_ready;
    not_ready = 0;
    pl_wake_all(waiting);
    pl_changed();
}

static void stand_still_if_waiting(const struct pl_model_step *s, uint64_t pc)
{
    bool for_ever;
    if (s->await == PL_AWAIT_NONE || !pl_trust_waits(explorer, rt.self->id, &for_ever))
        return;
    if (s->timed)
        could_time_out |= (uint64_t)1 << rt.self->id;
    for (;;) /* nobody wakes it */
        (void)pl_block(s->in, s->object, 0, pc);
}

uint64_t pl_model_object_read(const struct pl_model_step *s, uint64_t pc)
{
    pl_point(pc);
    struct pl_trust_access a = access_to(s);
    wait_until_ready(s, &a, pc);
    uint64_t value = pl_trust_read(explorer, &a);
    made(pc);
    stand_still_if_waiting(s, pc);
    return value;
}

void pl_model_object_write(const struct pl_model_step *s, uint64_t pc)
{
    pl_point(pc);
    struct pl_trust_access a = access_to(s);
    pl_trust_write(explorer, &a, s->operand);
    made(pc);
    object_changed();
}

uint64_t pl_model_object_update(const struct pl_model_step *s, bool *ok, uint64_t pc)
{
    pl_point(pc);
    struct pl_trust_access a = access_to(s);
    bool wrote;
    wait_until_ready(s, &a, pc);
    uint64_t old = pl_trust_update(explorer, &a, &wrote);
    made(pc);
    stand_still_if_waiting(s, pc);
    if (ok)
        *ok = wrote;
    object_changed();
    return old;
}

/* Each sleep of a thread has a word of its own, 0 until it is roused. */
static struct pl_trust_access sleep_word(unsigned thread)
{
    return (struct pl_trust_access){.thread = rt.self->id,
                                    .key = (uint64_t)1 << 63 | (uint64_t)1 << 47 |
                                           (uint64_t)thread << 32 | sleeps[thread],
                                    .size = 8,
                                    .order = PL_RLX};
}

/* The read is made when there is something to read, and there is only one thing. */
void pl_model_sleep(const void *object, enum pl_event_kind in, bool timed, uint64_t pc)
{
    uint64_t self = (uint64_t)1 << rt.self->id;
    could_time_out |= timed ? self : 0;
    while (!(roused & self))
        (void)pl_block(in, object, 0, pc);
    roused &= ~self;
    could_time_out &= ~self;
    pl_point(pc);
    struct pl_trust_access a = sleep_word(rt.self->id);
    a.await = PL_AWAIT_EQUAL;
    a.expected = 1;
    (void)pl_trust_read(explorer, &a);
    made(pc);
    sleeps[rt.self->id]++;
}

void pl_model_rouse(unsigned thread, uint64_t pc)
{
    pl_point(pc);
    struct pl_trust_access a = sleep_word(thread);
    pl_trust_write(explorer, &a, 1);
    made(pc);
    pl_changed();
    roused |= (uint64_t)1 << thread;
    pl_wake(thread);
}

/* ---- an operation on an object as one step: a lock of its own around it ---- */

void pl_model_enter(const void *object, bool quiet, uint64_t pc)
{
    pl_point(pc);
    lock(object, object_key(object, 1), &entering, quiet, pc);
}

void pl_model_exit(const void *object, uint64_t pc)
{
    pl_point(pc);
    pl_trust_unlock(explorer, rt.self->id, object_key(object, 1));
    made(pc);
    pl_release_waiters(&entering);
}

unsigned pl_model_choose(unsigned n, uint64_t pc)
{
    pl_point(pc);
    return pl_choose(n);
}

/* ---- mutexes as words ---- */

bool pl_model_locks_are_words(void)
{
    return locks_are_words;
}

void pl_model_make_locks_words(void)
{
    if (locks_are_words)
        return;
    if (rt.options->sharing) {
        rt.wire->wants_words = 1;
        pl_die(NULL);
    }
    locks_are_words = true;
    pl_model_restart();
}

/* ---- rounds of loops ---- */

unsigned pl_model_made(void)
{
    return pl_trust_made(explorer, rt.self->id);
}

static struct pl_round round_since(unsigned since)
{
    return (struct pl_round){(uint16_t)rt.self->id, (uint16_t)since, (uint16_t)pl_model_made()};
}

bool pl_model_round_is_void(unsigned since, bool stored)
{
    const struct pl_graph *g = pl_trust_graph(explorer);
    struct pl_round r = round_since(since);
    return pl_round_changes_nothing(g, r) && !(stored && pl_round_publishes(g, r));
}

bool pl_model_only_read(unsigned since)
{
    const struct pl_node *node = pl_trust_graph(explorer)->thread[rt.self->id].node;
    for (unsigned k = since; k < pl_model_made(); k++)
        if ((node[k].kind != PL_GRAPH_READ && node[k].kind != PL_GRAPH_FENCE) ||
            (node[k].flags & PL_GRAPH_F_RMW))
            return false;
    return true;
}

void pl_model_void_round(unsigned since, bool same, uint64_t pc)
{
    if (!pl_trust_goes_on(explorer, rt.self->id))
        pl_model_stand(since, same, pc);
}

void pl_model_stand(unsigned since, bool same, uint64_t pc)
{
    uint64_t self = (uint64_t)1 << rt.self->id;
    if (sample.kind == PL_SAMPLE_NONE &&
        pl_round_is_hopeless(pl_trust_graph(explorer), round_since(since)))
        pl_leave();
    if (spinning)
        disturb(pl_trust_last(explorer, rt.self->id));
    spinning |= self;
    endless = same ? endless | self : endless & ~self;
    round_of[rt.self->id] = round_since(since);
    while (spinning & self)
        (void)pl_block(PL_EVENT_SPIN, NULL, 0, pc);
}

void pl_model_go_on(unsigned thread)
{
    spinning &= ~((uint64_t)1 << thread);
    pl_wake(thread);
}

bool pl_model_may_stir(unsigned thread)
{
    return (could_time_out >> thread & 1) ||
           ((spinning >> thread & 1) &&
            pl_round_publishes(pl_trust_graph(explorer), round_of[thread]));
}

uint64_t pl_model_stir(void)
{
    uint64_t stirred = pl_await_stir();
    for (uint64_t left = sample.kind != PL_SAMPLE_NONE ? spinning : 0; left; left &= left - 1) {
        unsigned t = (unsigned)__builtin_ctzll(left);
        bool last = (endless >> t & 1) &&
                    pl_round_is_endless(pl_trust_graph(explorer), t, round_of, spinning);
        stirred |= last ? 0 : (uint64_t)1 << t;
    }
    spinning &= ~stirred;
    pl_wake_all(stirred);
    return stirred;
}

bool pl_model_spins(void)
{
    return spinning != 0;
}

/* ---- nobody can go on ---- */

bool pl_model_stuck(void)
{
    for (uint32_t i = 0; i < rt.nthreads; i++) {
        bool for_ever = true;
        if (rt.thread[i].state != PL_THREAD_BLOCKED)
            continue;
        if (could_time_out >> i & 1)
            return false;
        if (spinning >> i & 1) {
            if (!(endless >> i & 1) ||
                !pl_round_is_endless(pl_trust_graph(explorer), i, round_of, spinning))
                return false;
        } else if (pl_trust_waits(explorer, i, &for_ever) && !for_ever) {
            return false;
        }
    }
    return true;
}
