/* Running a test: see harness.h. */
#include "runtime/harness.h"

#include <plumb/check.h>
#include <string.h>

#include "runtime/explain.h"
#include "runtime/model.h"
#include "runtime/station.h"

struct pl_harness pl_harness;

static const struct plumb_subject *subject;
static uint64_t waiting PL_STATE;           /* bit per thread that waits for its turn */
static uint8_t number_of[PL_CHECK_COLUMNS]; /* of the thread that runs a column */
static int under_way[PL_MAX_THREADS];       /* 1 + invocation, 0 = none */
static uint16_t allocations[PL_BLOCK_OWNERS];

#define CHECK (rt.options->check)

void pl_harness_begin(void)
{
    struct pl_harness *h = &pl_harness;
    h->stuck = false;
    h->turns = h->running = h->count = h->effects = 0;
    waiting = 0;
    pl_effects_begin();
    memset(number_of, 0, sizeof number_of);
    memset(under_way, 0, sizeof under_way);
    memset(allocations, 0, sizeof allocations);
    for (unsigned c = 0; c < CHECK.columns; c++)
        h->count += CHECK.length[c];
    for (uint32_t i = 0; i < h->count; i++)
        h->invocation[i].called = h->invocation[i].returned = false;
}

void pl_harness_keep(void)
{
    struct pl_harness *h = &pl_harness;
    const size_t rest = offsetof(struct pl_harness, serial);
    pl_keep(h, offsetof(struct pl_harness, invocation) + h->count * sizeof *h->invocation);
    pl_keep((uint8_t *)h + rest, offsetof(struct pl_harness, effect) - rest);
    pl_keep(h->effect, h->effects * sizeof *h->effect);
    pl_keep(number_of, sizeof number_of);
    pl_keep((void *)(uintptr_t)&rt.wire->setting_up, sizeof rt.wire->setting_up);
    pl_keep(under_way, rt.nthreads * sizeof *under_way);
    pl_keep(allocations, sizeof allocations);
}

unsigned pl_harness_under_way(void)
{
    return (unsigned)under_way[rt.self->id];
}

bool pl_harness_pending(void)
{
    for (uint32_t i = 0; i < pl_harness.count; i++)
        if (pl_harness.invocation[i].called && !pl_harness.invocation[i].returned)
            return true;
    return false;
}

void pl_harness_stuck(void)
{
    if (!pl_checking() || !pl_harness_pending())
        return;
    pl_harness.stuck = true;
    if (CHECK.mode == PL_CHECK_SHOW || CHECK.mode == PL_CHECK_SHOW_SERIAL)
        pl_find_simple((enum pl_finding_kind)CHECK.shown, 0, 0, NULL);
    pl_leave();
}

/* ---- turns ---- */

/* Serially: waits for the column's turn; what the one before did happens before. */
static void wait_for_turn(unsigned column)
{
    struct pl_harness *h = &pl_harness;
    pl_point(0);
    while (h->turn[h->turns] != column) {
        waiting |= (uint64_t)1 << rt.self->id;
        (void)pl_block(PL_EVENT_JOIN, (const void *)rt.thread[0].tp, 0, 0);
    }
    unsigned before = h->turns ? h->turn[h->turns - 1] : column;
    if (before != column)
        pl_model_join(number_of[before], 0);
}

static bool is_left(unsigned column, uint32_t place)
{
    unsigned used = 0;
    for (uint32_t i = 0; i < place; i++)
        used += pl_harness.turn[i] == column;
    return used < CHECK.length[column];
}

/* One of the columns, as an event of the running thread; executions begin there. */
static unsigned choose_of(const uint8_t *column, unsigned columns)
{
    static const char here;
    const uint64_t pc = (uint64_t)&here;
    pl_point(pc);
    rt.self->blocked_pc = pc;
    pl_station_point(pc);
    return column[rt.strategy->choose(rt.strategy, columns)];
}

/* Whose turn it is at a place: any that has calls left, so that all orders come that keep each
 * thread's. It is an event in any case, for the next one's edge comes from there: an invocation may
 * have made none, and then a run that repeats the graph could not tell that it has to be over. */
static void decide_turn(uint32_t place)
{
    struct pl_harness *h = &pl_harness;
    uint8_t column[PL_CHECK_COLUMNS] = {0};
    unsigned columns = 0, chosen = 0;
    for (unsigned c = 1; c < CHECK.columns && !h->length; c++)
        if (place >= CHECK.init && is_left(c, place))
            column[columns++] = (uint8_t)c;
    if (columns > 1)
        chosen = choose_of(column, columns);
    else
        pl_model_fence(PL_RLX, 0);
    if (h->length || place == h->count)
        return;
    h->turn[place] = (uint8_t)(columns > 1 ? chosen : column[0]);
    if (CHECK.mode == PL_CHECK_SHOW_SERIAL)
        h->turn[place] = CHECK.serial[place];
    memcpy(rt.wire->serial, h->turn, sizeof h->turn);
}

static void pass_turn(void)
{
    decide_turn(pl_harness.turns + 1);
    uint64_t all = waiting;
    pl_harness.turns++;
    waiting = 0;
    pl_wake_all(all);
}

void pl_harness_serial(void)
{
    pl_harness_begin();
    pl_harness.serial = true;
    memset(pl_harness.turn, 0, sizeof pl_harness.turn);
}

static uint64_t mix(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
    return sum ^ sum >> 29;
}

uint64_t pl_harness_sum(void)
{
    uint64_t sum = pl_harness.running;
    for (uint32_t k = 0; k < pl_harness.running; k++) {
        const struct pl_invocation *i = &pl_harness.invocation[pl_harness.ran[k]];
        sum = mix(sum, (uint64_t)pl_harness.ran[k] << 32 | (uint64_t)i->returned << 16 | i->bytes);
        for (uint32_t b = 0; b < i->bytes; b++)
            sum = mix(sum, i->response[b]);
    }
    return sum;
}

/* ---- sequences ---- */

static unsigned column_of(uint32_t number)
{
    uint32_t next = CHECK.init;
    for (unsigned c = 1; c < CHECK.columns; c++) {
        if (number >= next && number < next + CHECK.length[c])
            return c;
        next += CHECK.length[c];
    }
    return 0;
}

void pl_harness_sequence(void)
{
    const struct pl_wire_question *q = &rt.wire->question;
    struct pl_harness *h = &pl_harness;
    h->serial = true;
    h->length = q->count < PL_CHECK_OPERATIONS ? q->count : PL_CHECK_OPERATIONS;
    memset(h->turn, UINT8_MAX, sizeof h->turn);
    for (uint32_t k = 0; k < h->length; k++)
        h->turn[k] = (uint8_t)column_of(q->invocation[k] % PL_CHECK_OPERATIONS);
}

bool pl_harness_is_same(bool first)
{
    static struct pl_invocation known[PL_CHECK_OPERATIONS];
    const struct pl_invocation *now = pl_harness.invocation;
    bool same = !first;
    for (uint32_t i = 0; i < pl_harness.count && same; i++)
        same = now[i].called == known[i].called && now[i].returned == known[i].returned &&
               (!now[i].returned || (now[i].bytes == known[i].bytes &&
                                     !memcmp(now[i].response, known[i].response, now[i].bytes)));
    if (!same)
        memcpy(known, now, sizeof known);
    return same;
}

/* ---- allocations ---- */

uint16_t pl_harness_allocates(void)
{
    if (pl_likely(!pl_checking()))
        return 0;
    uint32_t thread = rt.self->id, number = (uint32_t)under_way[thread];
    uint32_t owner = number ? number - 1 : PL_BLOCK_THREAD + thread;
    if (owner >= PL_BLOCK_OWNERS || allocations[owner] + 1 >= PL_BLOCK_NUMBERS)
        return 0;
    return (uint16_t)(owner * PL_BLOCK_NUMBERS + ++allocations[owner]);
}

/* Pointers into the heap by what they point to: result/wire.h. */
static void name_blocks(struct pl_invocation *i)
{
    for (unsigned at = 0; at + 2u <= i->bytes; at += 2u + i->response[at + 1]) {
        uint64_t pointer, offset;
        if (i->response[at] != PL_RESPONSE_POINTER || i->response[at + 1] != sizeof pointer ||
            at + 2u + sizeof pointer > i->bytes)
            continue;
        memcpy(&pointer, i->response + at + 2, sizeof pointer);
        uint64_t made = pl_heap_made(pointer, &offset);
        if (!made)
            continue;
        pointer = (uint64_t)PL_BLOCK_TAG << 48 | made << 32 | (uint32_t)offset;
        memcpy(i->response + at + 2, &pointer, sizeof pointer);
    }
}

/* ---- invocations ---- */

static void put_result(struct pl_invocation *i, const plumb_result *result)
{
    if (result->used > sizeof i->response)
        pl_unsupported("a response of more than 126 bytes: record less of it", 0);
    memcpy(i->response, result->bytes, result->used);
    i->bytes = (uint16_t)result->used;
}

/* Without inlining: the result is large, and the fiber's stack is the subject's. */
__attribute__((noinline)) static void run_operation(const struct plumb_operation *operation,
                                                    uint32_t number)
{
    plumb_args arguments;
    for (unsigned i = 0; i < PLUMB_ARGUMENTS; i++)
        arguments.i[i] = CHECK.argument[number][i];
    plumb_result result = operation->function(arguments);
    put_result(&pl_harness.invocation[number], &result);
}

/* A history has no one place: gdb stops at each of its calls, in their order. */
PL_EXPORT __attribute__((noinline)) void plumb_call_here(const void *function);
void plumb_call_here(const void *function)
{
    __asm__ volatile("" ::"r"(function) : "memory");
}

static void tell_gdb(const struct plumb_operation *operation)
{
    const void *function = (const void *)(uintptr_t)operation->run;
    if (!function)
        function = (const void *)(uintptr_t)operation->function;
    if (rt.options->gdb && rt.shows != PL_FINDING_NONE)
        plumb_call_here(function);
}

static void invoke(unsigned column, uint32_t number)
{
    struct pl_harness *h = &pl_harness;
    struct pl_invocation *i = &h->invocation[number];
    const struct plumb_operation *operation = subject->operation[CHECK.operation[number]];
    if (h->serial)
        wait_for_turn(column);
    else if (CHECK.late_calls)
        pl_point(0);
    i->thread = (uint8_t)rt.self->id;
    i->bytes = 0;
    i->call = (uint16_t)pl_model_made();
    i->called = true;
    h->ran[h->running++] = (uint8_t)number;
    under_way[rt.self->id] = (int)number + 1;
    pl_trace(PL_EVENT_CALL, NULL, number, 0);
    tell_gdb(operation);
    if (operation->run)
        operation->run();
    else
        run_operation(operation, number);
    under_way[rt.self->id] = 0;
    pl_trace(PL_EVENT_RETURN, NULL, number, 0);
    i->bytes = (uint16_t)plumb_without_marks_(i->response, i->bytes);
    name_blocks(i);
    i->ret = (uint16_t)pl_model_made();
    i->returned = true;
    if (h->serial)
        pass_turn();
    else if (!CHECK.no_histories)
        i->number = pl_answer_number(number);
}

void pl_harness_call_threads(uint8_t called[PL_MAX_THREADS])
{
    uint8_t next = CHECK.columns;
    for (unsigned c = 1; c < CHECK.columns; c++)
        called[number_of[c]] = (uint8_t)(c + 1); /* those that are not there yet: main's, for now */
    called[0] = 1;
    for (uint32_t t = 1; t < rt.nthreads; t++)
        if (!called[t])
            called[t] = ++next;
}

void pl_harness_tell_answers(void)
{
    struct pl_wire_answers *out = &rt.wire->shown;
    out->returned = 0;
    for (uint32_t k = 0; k < pl_harness.count; k++) {
        const struct pl_invocation *i = &pl_harness.invocation[k];
        out->returned |= (uint32_t)i->returned << k;
        out->length[k] = (uint8_t)i->bytes;
        memcpy(out->response[k], i->response, i->bytes);
    }
}

const struct pl_trust_edge *pl_harness_edges(unsigned *count)
{
    static struct pl_trust_edge edge[PL_CHECK_OPERATIONS * PL_CHECK_OPERATIONS];
    const struct pl_invocation *of = pl_harness.invocation;
    *count = 0;
    for (uint32_t k = 0; k < pl_harness.count; k++)
        for (uint32_t i = 0; i < pl_harness.count; i++)
            if ((CHECK.after[k] >> i & 1) && of[k].called && of[i].returned && of[i].ret)
                edge[(*count)++] =
                    (struct pl_trust_edge){.before = {of[i].thread, (uint16_t)(of[i].ret - 1)},
                                           .after = {of[k].thread, of[k].call}};
    return edge;
}

/* Those of the sequence that are the column's. */
static void invoke_sequence(unsigned column)
{
    for (uint32_t k = 0; k < pl_harness.length; k++)
        if (pl_harness.turn[k] == column)
            invoke(column, rt.wire->question.invocation[k]);
}

static uint32_t first_of(unsigned column)
{
    uint32_t first = CHECK.init;
    for (unsigned c = 1; c < column; c++)
        first += CHECK.length[c];
    return first;
}

static void call(void (*function)(void))
{
    if (function)
        function();
}

static void *worker(void *argument)
{
    unsigned column = (unsigned)(uintptr_t)argument;
    call(subject->is.thread_setup);
    uint32_t first = first_of(column);
    for (uint32_t i = 0; i < CHECK.length[column] && !pl_harness.length; i++)
        invoke(column, first + i);
    invoke_sequence(column);
    call(subject->is.thread_teardown);
    return NULL;
}

static void run_columns(void)
{
    uint64_t handle[PL_CHECK_COLUMNS] = {0};
    if (pl_harness.serial && !pl_harness.turns)
        decide_turn(0);
    for (unsigned c = 1; c < CHECK.columns; c++) {
        if (pl_thread_create(&handle[c], 0, false, worker, (void *)(uintptr_t)c, 0) != 0)
            pl_unsupported("the subject has too many threads of its own", 0);
        number_of[c] = (uint8_t)pl_thread_of(handle[c])->id;
    }
    invoke_sequence(0); /* main's may come between those of the others */
    for (unsigned c = 1; c < CHECK.columns; c++)
        (void)pl_thread_join(handle[c], NULL, 0, false, 0);
}

PL_EXPORT int plumb_check_main(const struct plumb_subject *given);
int plumb_check_main(const struct plumb_subject *given)
{
    subject = given;
    if (CHECK.mode == PL_CHECK_OFF)
        pl_unsupported("this program is a subject: run it with `plumb check`", 0);
    if (CHECK.mode == PL_CHECK_LIST) {
        pl_harness_list(subject);
        return 0;
    }
    if (CHECK.mode == PL_CHECK_SPEC)
        pl_written_serve(subject);
    number_of[0] = (uint8_t)rt.self->id;
    rt.wire->setting_up = 1;
    call(subject->is.setup);
    bool main_calls = CHECK.init || CHECK.final; /* then it is one of the threads that do */
    if (main_calls)
        call(subject->is.thread_setup);
    rt.wire->setting_up = 0;
    for (uint32_t i = 0; i < CHECK.init && !pl_harness.length; i++)
        invoke(0, i);
    run_columns();
    for (uint32_t i = 0; i < CHECK.final && !pl_harness.length; i++)
        invoke(0, pl_harness.count - CHECK.final + i);
    if (main_calls)
        call(subject->is.thread_teardown);
    if (subject->is.invariant && !subject->is.invariant())
        pl_find_simple(PL_FINDING_INVARIANT, 0, 0, NULL);
    call(subject->is.teardown);
    return 0;
}

uint32_t pl_harness_steps(uint32_t *steps)
{
    uint32_t number = pl_checking() && rt.active ? (uint32_t)under_way[rt.self->id] : 0;
    *steps = number ? (uint32_t)pl_model_made() - pl_harness.invocation[number - 1].call : 0;
    return number;
}

PL_EXPORT int plumb_put(int kind, const void *value, size_t size);
int plumb_put(int kind, const void *value, size_t size)
{
    const uint8_t *bytes = value;
    int number = rt.active ? under_way[rt.self->id] : 0;
    bool holds = kind == PLUMB_VOID;
    size = kind == PLUMB_VOID ? 0 : size;
    for (size_t i = 0; i < size; i++)
        holds = holds || bytes[i];
    if (!number)
        return holds;
    struct pl_invocation *i = &pl_harness.invocation[number - 1];
    if (kind == PLUMB_OPAQUE_)
        pl_unsupported("an answer whose members are objects, or arrays of such: name what of it "
                       "counts, as in 'auto v = get(); v.key => v.name'",
                       0);
    if (i->bytes + size + 2 > sizeof i->response)
        pl_unsupported(
            "an answer of more than 126 bytes (two more for each value in it): name what of it "
            "counts, as in 'get().key' or 'struct pair v = get(); v.key => v.name'",
            0);
    uint64_t bit = (uint64_t)1 << (number - 1);
    if (i->bytes)
        rt.wire->looked_at |= bit;
    else if (kind != PLUMB_THROWS)
        rt.wire->answered |= bit;
    i->response[i->bytes++] = (uint8_t)kind;
    i->response[i->bytes++] = (uint8_t)size;
    if (size)
        memcpy(i->response + i->bytes, value, size);
    i->bytes = (uint16_t)(i->bytes + size);
    return holds;
}
