/*
 * A finding ends the execution. In the first run only its kind is kept; the engine
 * then runs the same execution again with the trace on, and that run writes the
 * finding to the wire.
 */
#include "runtime/finding.h"

#include <string.h>

#include "runtime/harness.h"
#include "runtime/model_internal.h"

struct pl_finding_state pl_finding;
struct pl_finding_state pl_more_findings[PL_MORE_FINDINGS];
uint32_t pl_more_count;

/* gdb stops here, on the stack of the failing thread: the caller's caller is the access. */
PL_EXPORT __attribute__((noinline)) void plumb_stop_here(void);
void plumb_stop_here(void)
{
    __asm__ volatile("" ::: "memory");
}

/* ---- suppressions ---- */

static bool suppressed_at(uint64_t pc)
{
    const struct pl_wire_options *o = rt.options;
    for (uint32_t i = 0; i < o->ranges && o->range[i].start <= pc; i++)
        if (pc < o->range[i].end) {
            rt.wire->suppressed[o->range[i].rule]++;
            return true;
        }
    return false;
}

/* Any frame of the access, or the place of the other access. */
static bool suppressed(const struct pl_found *found)
{
    if (!rt.options->ranges)
        return false;
    uint64_t pc[PL_MAX_DEPTH];
    uint32_t depth = pl_trace_walk(pc);
    for (uint32_t i = 0; i < depth; i++)
        if (suppressed_at(pc[i] - 1))
            return true;
    return found->other_pc && suppressed_at(found->other_pc - 1);
}

/* ---- what the wire gets ---- */

#define KIND(name)   ((uint64_t)1 << PL_EVENT_##name)
#define PLAIN_READS  KIND(READ)
#define PLAIN_WRITES KIND(WRITE)
#define ATOMIC_UPDATES                                                                             \
    (KIND(EXCHANGE) | KIND(FETCH_ADD) | KIND(FETCH_SUB) | KIND(FETCH_AND) | KIND(FETCH_OR) |       \
     KIND(FETCH_XOR) | KIND(FETCH_NAND) | KIND(CAS_OK))
#define ATOMIC_READS  (KIND(LOAD) | KIND(CAS_FAIL) | ATOMIC_UPDATES)
#define ATOMIC_WRITES (KIND(STORE) | ATOMIC_UPDATES)

static void describe_other(struct pl_wire_finding *f, const struct pl_found *found)
{
    uint64_t kinds = found->flags & PL_FINDING_F_OTHER_ATOMIC
                         ? (found->flags & PL_FINDING_F_OTHER_WRITE ? ATOMIC_WRITES : ATOMIC_READS)
                         : (found->flags & PL_FINDING_F_OTHER_WRITE ? PLAIN_WRITES : PLAIN_READS);
    if (found->flags & PL_FINDING_F_OTHER_ATOMIC) /* volatile accesses count as atomics */
        kinds |=
            found->flags & PL_FINDING_F_OTHER_WRITE ? KIND(VOLATILE_WRITE) : KIND(VOLATILE_READ);
    f->other_event = pl_trace_last(found->other_thread, found->address, found->size, kinds);
    if (f->other_event)
        f->other_stack = pl_trace_event(f->other_event)->stack;
}

static void describe_block(struct pl_wire_finding *f, const struct pl_found *found)
{
    struct pl_block_info block;
    if (!found->block || !pl_heap_block(found->block, &block))
        return;
    f->block = block.start;
    f->block_size = block.size;
    uint32_t made = pl_trace_last(PL_MAX_THREADS, block.start, 1, KIND(MALLOC));
    uint32_t freed = pl_trace_last(PL_MAX_THREADS, block.start, 1, KIND(FREE));
    if (made) {
        f->alloc_stack = pl_trace_event(made)->stack;
        f->alloc_thread = pl_trace_event(made)->thread;
    }
    if (freed && freed > made) {
        f->free_stack = pl_trace_event(freed)->stack;
        f->free_thread = pl_trace_event(freed)->thread;
    }
}

static void describe_waits(struct pl_wire_finding *f)
{
    for (uint32_t i = 0; i < rt.nthreads; i++) {
        const struct pl_thread *t = &rt.thread[i];
        if (t->state != PL_THREAD_BLOCKED)
            continue;
        f->blocked |= (uint64_t)1 << i;
        f->waits_kind[i] = t->blocked_in;
        f->waits_at[i] = t->blocked_on;
        uint32_t event = pl_trace_last(i, 0, 0, KIND(BLOCKED));
        if (event)
            f->waits_stack[i] = pl_trace_event(event)->stack;
        if (t->blocked_in == PL_EVENT_JOIN) {
            const struct pl_thread *other = pl_thread_of(t->blocked_on);
            f->waits_for[i] = other ? other->id + 1 : 0;
        }
        const struct pl_sync *s = NULL;
        if (t->blocked_in == PL_EVENT_LOCK)
            s = pl_sync_find(PL_SYNC_MUTEX, (const void *)t->blocked_on);
        if (t->blocked_in == PL_EVENT_LOCK && !s)
            s = pl_sync_find(PL_SYNC_SPIN, (const void *)t->blocked_on);
        if (t->blocked_in == PL_EVENT_RDLOCK || t->blocked_in == PL_EVENT_WRLOCK)
            s = pl_sync_find(PL_SYNC_RWLOCK, (const void *)t->blocked_on);
        if (t->blocked_in == PL_EVENT_ONCE)
            s = pl_sync_find(PL_SYNC_ONCE, (const void *)t->blocked_on);
        if (t->blocked_in == PL_EVENT_ONCE && !s)
            s = pl_sync_find(PL_SYNC_GUARD, (const void *)t->blocked_on);
        if (s)
            f->waits_for[i] = (uint32_t)s->owner;
    }
}

static void write_text(struct pl_wire_finding *f, const char *text)
{
    struct pl_wire *w = rt.wire;
    size_t length = text ? strlen(text) : 0;
    if (length > 4096)
        length = 4096;
    if (length > PL_MAX_BYTES - w->bytes)
        length = PL_MAX_BYTES - w->bytes;
    f->text = w->bytes;
    f->text_length = (uint32_t)length;
    if (length)
        memcpy(w->byte + w->bytes, text, length);
    w->bytes += (uint32_t)length;
}

/* Is the access that was found wrong the last thing that the thread has traced? */
static bool is_traced(const struct pl_wire_finding *f)
{
    uint32_t last = pl_trace_last(rt.self->id, 0, 0, ~(uint64_t)0);
    uint32_t freed = f->block ? pl_trace_last(PL_MAX_THREADS, f->block, 1, KIND(FREE)) : 0;
    return last > freed && pl_trace_event(last)->stack == f->stack &&
           last == pl_trace_last(rt.self->id, f->address, f->size, ~(uint64_t)0);
}

/* Atomic accesses and frees are looked at before they are traced: they are what the finding is. */
static void trace_access(const struct pl_wire_finding *f, uint64_t pc)
{
    const bool frees = f->kind == PL_FINDING_DOUBLE_FREE || f->kind == PL_FINDING_INVALID_FREE;
    const bool touches =
        f->kind == PL_FINDING_OUT_OF_BOUNDS ||
        (f->kind == PL_FINDING_USE_AFTER_FREE && !(f->flags & PL_FINDING_F_UNORDERED));
    const enum pl_event_kind kind = frees                           ? PL_EVENT_FREE
                                    : f->flags & PL_FINDING_F_WRITE ? PL_EVENT_WRITE
                                                                    : PL_EVENT_READ;
    if (pc && (frees || (touches && !is_traced(f))))
        pl_trace_slow(kind, (const void *)f->address, frees ? 0 : f->size, PL_ORDER_NONE, 0, 0, 0,
                      pc);
}

static void write_finding(const struct pl_found *found)
{
    struct pl_wire_finding *f = &rt.wire->finding[rt.wire->findings];
    *f = (struct pl_wire_finding){
        .kind = found->kind,
        .flags = found->flags,
        .execution = rt.execution,
        .seed = rt.seed,
        .steps = rt.steps,
        .address = found->address,
        .size = (uint32_t)found->size,
        .code = found->code,
        .thread = rt.self->id,
        .other_thread = found->other_thread,
    };
    f->stack = pl_trace_stack();
    if (found->other_pc)
        describe_other(f, found);
    describe_block(f, found);
    trace_access(f, found->pc);      /* after this: it is no earlier free */
    if (found->pc || !pl_checking()) /* a history is no one step */
        f->this_event = pl_trace_last(rt.self->id, 0, 0, ~(uint64_t)0);
    if (pl_finding_is_stuck(found->kind))
        describe_waits(f);
    pl_trace_finish(f);
    write_text(f, found->text);
    if (pl_checking())
        pl_harness_call_threads(f->called);
    if (rt.shows != PL_FINDING_NONE && pl_checking())
        pl_harness_tell_answers();
    pl_finding.written = true;
}

/* Findings of the same kind at the same place are one finding. */
static uint64_t place_of(const struct pl_found *found)
{
    uint64_t place = (uint64_t)found->kind * 0x9e3779b97f4a7c15u;
    place = (place ^ found->pc) * 0x9e3779b97f4a7c15u;
    place = (place ^ found->other_pc) * 0x9e3779b97f4a7c15u;
    for (uint32_t i = 0; pl_finding_is_stuck(found->kind) && i < rt.nthreads; i++)
        if (rt.thread[i].state == PL_THREAD_BLOCKED) /* in any order of the threads */
            place += (rt.thread[i].blocked_pc + rt.thread[i].blocked_in) * 0xbf58476d1ce4e5b9u;
    return place;
}

/* The explorer need not have let a thread come to where it blocks: one whose next step is a join is
 * left for nothing all the same. */
static bool must_wait(const struct pl_thread *t)
{
    return t->state != PL_THREAD_LIVE ||
           (t->joins && rt.thread[t->joins - 1].state != PL_THREAD_FINISHED);
}

/* Who took part in the end of the execution. */
static void note_ending(const struct pl_found *found)
{
    bool whole = pl_finding_is_stuck(found->kind) || rt.shows != PL_FINDING_NONE;
    pl_finding.last = whole ? -1 : (int)rt.self->id;
    pl_finding.whole = found->other_pc ? (uint64_t)1 << found->other_thread : 0;
    pl_finding.waiting = rt.exploring ? pl_model_waiting() : 0;
    for (uint32_t i = 0; i < rt.nthreads; i++)
        if (must_wait(&rt.thread[i]))
            pl_finding.waiting |= (uint64_t)1 << i;
}

static void note(const struct pl_found *found)
{
    pl_finding.kind = found->kind;
    pl_finding.steps = rt.steps;
    pl_finding.place = place_of(found);
    note_ending(found);
}

/*
 * Does the search go on when a thread has failed: with the others? What they still write may be
 * what the thread should have read: a write revisits a read only from the graph in which the read
 * took the newest value before it, and in that one the thread may have failed. So nothing that is
 * found may end an execution where all there is to find is looked for.
 */
static bool others_go_on(enum pl_finding_kind kind)
{
    bool of_one_thread = !pl_finding_is_stuck(kind) && kind != PL_FINDING_HANG &&
                         kind != PL_FINDING_LEAK && kind != PL_FINDING_INVARIANT &&
                         rt.shows == PL_FINDING_NONE;
    return rt.exploring && of_one_thread && (rt.options->keep_going || rt.looks) &&
           !rt.options->gdb && !rt.options->replaying && pl_model_searches();
}

/* Notes the finding to be told after the execution, unless it was told already. */
static void note_and_go_on(const struct pl_found *found)
{
    if (!rt.looks && pl_finding_known(place_of(found))) {
        rt.wire->repeats += !rt.tracing;
        return;
    }
    struct pl_finding_state first = pl_finding;
    note(found);
    pl_finding.noted = true;
    pl_finding.passed = found->kind == PL_FINDING_DATA_RACE;
    bool beyond = rt.options->preemptions && pl_engine_is_beyond();
    if (beyond || (first.kind != PL_FINDING_NONE && pl_more_count == PL_MORE_FINDINGS)) {
        pl_finding = first;
    } else if (first.kind != PL_FINDING_NONE) {
        pl_more_findings[pl_more_count++] = pl_finding;
        pl_finding = first;
    }
}

void pl_find(const struct pl_found *found)
{
    if (!rt.active)
        return;
    bool race = found->kind == PL_FINDING_DATA_RACE;
    if (race && rt.learns_races)
        pl_model_race(found->pc, found->other_pc);
    if (race && suppressed(found))
        return;
    bool known = rt.options->keep_going && pl_finding_known(place_of(found));
    if (others_go_on(found->kind) && (!rt.tracing || known)) {
        note_and_go_on(found);
        if (race)
            return;
        rt.unkept = true; /* it may stand on the stack of a signal handler */
        pl_stop();
    }
    /* Told already: go on, or the first race of a program would hide all that comes after. */
    if (race && known) {
        rt.wire->repeats += !rt.tracing;
        return;
    }
    if (pl_finding.noted && !rt.tracing) { /* the end of an execution in which more was found */
        note_and_go_on(found);
        pl_leave();
    }
    note(found);
    if (rt.tracing)
        write_finding(found);
    if (rt.options->gdb)
        plumb_stop_here();
    pl_leave();
}

_Noreturn void pl_find_simple(enum pl_finding_kind kind, uint64_t pc, uint32_t code,
                              const char *text)
{
    struct pl_found found = {.kind = kind, .pc = pc, .code = code, .text = text};
    pl_find(&found);
    pl_leave();
}

_Noreturn void pl_unsupported(const char *sentence, uint64_t pc)
{
    if (!rt.wire)
        pl_die(sentence);
    strncpy(rt.wire->error, sentence, sizeof rt.wire->error - 1);
    rt.wire->error_pc = pc;
    rt.wire->error_call = pl_harness_steps(&rt.wire->error_steps);
    if (rt.active)
        pl_leave();
    pl_die(NULL);
}
