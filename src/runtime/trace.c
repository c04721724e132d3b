/*
 * The trace of one execution: its events with their stacks, and its choices. Only
 * the second run of an execution that has a finding is traced, so nothing here is on
 * the path of an ordinary step.
 *
 * The last PL_MAX_TRACE events are kept, in a ring. Stacks go straight to the wire,
 * each distinct one once.
 */
#include <string.h>
#include <unwind.h>

#include "runtime/harness.h"
#include "runtime/model.h"

enum { CHOICES_MAX = 1 << 24, TABLE = 1 << 16, IDLE_MAX = 100000 };

static struct pl_wire_event *ring;
static uint64_t recorded; /* events so far */
static uint8_t *choices;
static uint32_t choice_count;
static uint64_t last_step, idle; /* the last step seen; accesses since */
static uint64_t from_step;   /* accesses before it are not recorded: they would fall out anyway */
static uint32_t *table;      /* hash of a stack -> index in the wire */
static uint32_t stack_words; /* used in the wire, this trace included */
static uint32_t last_thread;
static uint64_t write_at[PL_MAX_THREADS]; /* 1 + number of a plain write whose value is not known */

void pl_trace_begin(uint64_t from)
{
    if (!ring) {
        ring = pl_map(PL_MAX_TRACE * sizeof *ring);
        choices = pl_map(CHOICES_MAX);
        table = pl_map(TABLE * sizeof *table);
    }
    memset(table, 0, TABLE * sizeof *table);
    memset(write_at, 0, sizeof write_at);
    recorded = choice_count = 0;
    last_step = idle = 0;
    from_step = from;
    last_thread = 0;
    stack_words = rt.wire->stack_words ? rt.wire->stack_words : 1; /* index 0: the empty stack */
    rt.tracing = true;
}

void pl_trace_choice(unsigned answer)
{
    if (choice_count < CHOICES_MAX)
        choices[choice_count++] = (uint8_t)answer;
}

/* ---- stacks ---- */

struct walk {
    uint64_t pc[PL_MAX_DEPTH];
    uint32_t depth;
    bool exact;
};

static _Unwind_Reason_Code walk_frame(struct _Unwind_Context *context, void *argument)
{
    struct walk *w = argument;
    int exact = 0;
    uint64_t pc = (uint64_t)_Unwind_GetIPInfo(context, &exact);
    if (!pc || w->depth == PL_MAX_DEPTH)
        return _URC_END_OF_STACK;
    if (pc >= rt.text_start && pc < rt.text_end)
        return _URC_NO_REASON;
    if (w->depth == 0)
        w->exact = exact != 0;
    w->pc[w->depth++] = pc;
    return _URC_NO_REASON;
}

static _Unwind_Reason_Code stop(struct _Unwind_Context *context, void *argument)
{
    (void)context, (void)argument;
    return _URC_END_OF_STACK;
}

/* The unwinder prepares itself when it is first needed, by a once: for an exception of the subject
 * or to look at a stack. Before every execution, or these would differ. */
void pl_trace_prepare(void)
{
    _Unwind_Backtrace(stop, NULL);
}

/* The unwinder calls functions that we replace (once, locks): for the time of the walk
 * they do the native thing. */
static void walk_stack(struct walk *w)
{
    enum { NEEDS = 48 << 10 }; /* bytes of stack, at the most */
    const struct pl_thread *t = rt.self;
    uint64_t top = PL_STACKS + (t->id + 1) * (uint64_t)PL_STACK_STRIDE;
    uint64_t left = (uint64_t)__builtin_frame_address(0) - (top - ((uint64_t)t->stack_kib << 10));
    w->depth = 0;
    w->exact = false;
    if (left < NEEDS) /* the subject is about to overflow it: that is for it to do */
        return;
    bool was_active = rt.active;
    rt.active = false;
    _Unwind_Backtrace(walk_frame, w);
    rt.active = was_active;
}

uint32_t pl_trace_walk(uint64_t *pc)
{
    struct walk w;
    walk_stack(&w);
    memcpy(pc, w.pc, w.depth * sizeof *pc);
    return w.depth;
}

uint32_t pl_trace_stack(void)
{
    struct walk w;
    walk_stack(&w);
    if (!w.depth || stack_words + w.depth + 1 > PL_MAX_STACK_WORDS)
        return 0;
    uint64_t hash = w.depth + (w.exact ? 1000 : 0);
    for (uint32_t i = 0; i < w.depth; i++)
        hash = (hash ^ w.pc[i]) * 0x9e3779b97f4a7c15u;
    uint64_t head = w.depth | (w.exact ? PL_STACK_EXACT : 0);
    for (uint64_t slot = hash >> 48;; slot = (slot + 1) % TABLE) {
        uint32_t at = table[slot];
        uint64_t *stack = &rt.wire->stack[at];
        if (at && stack[0] == head && !memcmp(stack + 1, w.pc, w.depth * sizeof *w.pc))
            return at;
        if (at)
            continue;
        at = table[slot] = stack_words;
        rt.wire->stack[at] = head;
        memcpy(&rt.wire->stack[at + 1], w.pc, w.depth * sizeof *w.pc);
        stack_words += w.depth + 1;
        return at;
    }
}

/* ---- events ---- */

static bool is_write(uint8_t kind)
{
    return kind == PL_EVENT_WRITE || kind == PL_EVENT_VOLATILE_WRITE || kind == PL_EVENT_STORE ||
           (kind >= PL_EVENT_EXCHANGE && kind <= PL_EVENT_CAS_OK);
}

static bool is_read(uint8_t kind)
{
    return kind == PL_EVENT_READ || kind == PL_EVENT_VOLATILE_READ || kind == PL_EVENT_LOAD ||
           (kind >= PL_EVENT_EXCHANGE && kind <= PL_EVENT_CAS_FAIL);
}

static struct pl_wire_event *at(uint64_t number)
{
    return &ring[number % PL_MAX_TRACE];
}

static bool overlaps(const struct pl_wire_event *e, uint64_t address, uint64_t size)
{
    uint64_t length = e->size ? e->size : 1;
    return e->address < address + (size ? size : 1) && address < e->address + length;
}

/* The write a read takes its value from: the last one to the same bytes. */
static uint64_t source_of(const struct pl_wire_event *read)
{
    enum { FAR = 4096 };
    uint64_t first = recorded > FAR ? recorded - FAR : 0;
    for (uint64_t i = recorded; i > first; i--)
        if (is_write(at(i - 1)->kind) && overlaps(at(i - 1), read->address, read->size))
            return i;
    return 0;
}

/* A plain write is announced before it is made; by the thread's next event it is there. */
static void complete_write(uint32_t thread)
{
    uint64_t number = write_at[thread];
    write_at[thread] = 0;
    if (!number || recorded - (number - 1) > PL_MAX_TRACE)
        return;
    struct pl_wire_event *e = at(number - 1);
    if (e->size <= 8 && e->size) {
        memcpy(&e->value, (const void *)e->address, e->size);
        e->flags |= PL_EVENT_F_VALUE;
    }
}

void pl_trace_slow(enum pl_event_kind kind, const void *address, uint32_t size,
                   enum pl_memory_order order, uint64_t value, uint64_t value2, uint8_t flags,
                   uint64_t pc)
{
    uint32_t thread = rt.self->id;
    rt.wire->heartbeat++;
    if (rt.steps != last_step)
        last_step = rt.steps, idle = 0;
    /* The untraced run made no step for so long that it was called a hang. Here time passes
     * otherwise; a number of accesses ends it, the same in every run. */
    if (rt.expect_hang && ++idle > IDLE_MAX)
        pl_find_simple(PL_FINDING_HANG, pc, 1, "no step for a long time");
    complete_write(thread);
    if (rt.steps < from_step && kind <= PL_EVENT_FENCE)
        return;
    struct pl_wire_event e = {
        .address = (uint64_t)address,
        .value = value,
        .value2 = value2,
        .size = size,
        .kind = (uint8_t)kind,
        .thread = (uint8_t)thread,
        .order = (uint8_t)order,
        .flags = flags,
    };
    if (is_read((uint8_t)kind))
        e.from = (uint32_t)source_of(&e);
    if (recorded && thread != last_thread && rt.thread[last_thread].state == PL_THREAD_LIVE &&
        !pl_harness.serial /* there they wait for their turns */ &&
        !(rt.exploring && pl_model_yields()))
        e.flags |= PL_EVENT_F_SWITCH;
    last_thread = thread;
    e.stack = pl_trace_stack();
    *at(recorded++) = e;
    if ((kind == PL_EVENT_WRITE || kind == PL_EVENT_VOLATILE_WRITE))
        write_at[thread] = recorded;
}

uint32_t pl_trace_count(void)
{
    return (uint32_t)recorded;
}

void pl_trace_set_from(uint32_t number, bool stale)
{
    struct pl_wire_event *e = at(recorded - 1);
    if (number || stale) /* else what the program had made of it by plain writes: source_of() */
        e->from = number;
    if (stale)
        e->flags |= PL_EVENT_F_STALE;
}

/* ---- for the finding ---- */

/* 1 + number (within the kept part) of the last event of the thread that touches the
 * address and is of one of the kinds (bit per kind). */
uint32_t pl_trace_last(uint32_t thread, uint64_t address, uint64_t size, uint64_t kinds)
{
    uint64_t first = recorded > PL_MAX_TRACE ? recorded - PL_MAX_TRACE : 0;
    for (uint64_t i = recorded; i > first; i--) {
        const struct pl_wire_event *e = at(i - 1);
        if ((kinds >> e->kind & 1) && (thread == PL_MAX_THREADS || e->thread == thread) &&
            (!address || overlaps(e, address, size)))
            return (uint32_t)(i - first);
    }
    return 0;
}

const struct pl_wire_event *pl_trace_event(uint32_t number)
{
    uint64_t first = recorded > PL_MAX_TRACE ? recorded - PL_MAX_TRACE : 0;
    return at(first + number - 1);
}

void pl_trace_finish(struct pl_wire_finding *f)
{
    struct pl_wire *w = rt.wire;
    for (uint32_t t = 0; t < rt.nthreads; t++)
        if (t != rt.self->id)
            complete_write(t);
    uint64_t first = recorded > PL_MAX_TRACE ? recorded - PL_MAX_TRACE : 0;
    uint64_t room = PL_MAX_EVENTS - w->events;
    if (recorded - first > room)
        first = recorded - room;
    f->dropped = (uint32_t)first;
    f->first_event = w->events;
    f->events = (uint32_t)(recorded - first);
    for (uint64_t i = first; i < recorded; i++) {
        struct pl_wire_event e = *at(i);
        e.from = e.from > first ? (uint32_t)(e.from - first) : 0;
        w->event[w->events++] = e;
    }
    w->stack_words = stack_words;
    if (rt.exploring)
        choice_count = pl_model_save(choices, CHOICES_MAX);
    f->first_choice = w->bytes;
    f->choices = choice_count < PL_MAX_BYTES - w->bytes ? choice_count : 0;
    memcpy(w->byte + w->bytes, choices, f->choices);
    w->bytes += f->choices;
}
