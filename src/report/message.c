/* One sentence of what is wrong, one function a kind of finding. */
#include <stdlib.h>
#include <string.h>

#include "report/view.h"
#include "result/layout.h"

/* " at queue.c:25", or nothing. */
static void add_at(const struct view *view, uint32_t stack, struct pl_strbuf *out)
{
    struct pl_strbuf line;
    pl_strbuf_init(&line);
    if (stack_line(view, stack, &line))
        pl_strbuf_addf(out, " at %s", line.text);
    pl_strbuf_release(&line);
}

static void add_place(struct view *view, struct pl_strbuf *out)
{
    const struct pl_wire_finding *f = view->finding;
    enum pl_value ignored;
    view_place(view, view->count, f->address, f->size, out, &ignored);
}

/* What a free was given: a block as a whole, not its first member. */
static void add_freed(struct view *view, struct pl_strbuf *out)
{
    struct block *block = view_block(view, view->count, view->finding->address);
    if (block && block->start == view->finding->address)
        view_block_name(view, block, out);
    else
        add_place(view, out);
}

/* The block the finding concerns. */
static void add_block(struct view *view, struct pl_strbuf *out)
{
    const struct pl_wire_finding *f = view->finding;
    struct block *block = f->block ? view_block(view, view->count, f->block) : NULL;
    if (block && block->start == f->block)
        view_block_name(view, block, out);
    else
        pl_strbuf_add(out, "a block");
}

static void add_wire_text(const struct view *view, struct pl_strbuf *out)
{
    const struct pl_wire_finding *f = view->finding;
    if (f->text + (uint64_t)f->text_length > PL_MAX_BYTES)
        return;
    const char *text = (const char *)&view->wire->byte[f->text];
    size_t length = f->text_length;
    while (length && (text[length - 1] == '\n' || text[length - 1] == '\0'))
        length--;
    for (size_t i = 0; i < length; i++) /* one line */
        pl_strbuf_add_bytes(out, text[i] == '\n' ? " " : &text[i], 1);
}

static void data_race(struct view *view, struct pl_strbuf *out)
{
    const struct pl_wire_finding *f = view->finding;
    bool write = f->flags & PL_FINDING_F_WRITE, other = f->flags & PL_FINDING_F_OTHER_WRITE;
    view_add_thread(view, f->thread, out);
    pl_strbuf_add(out, write ? " writes " : " reads ");
    add_place(view, out);
    if (f->flags & PL_FINDING_F_ATOMIC)
        pl_strbuf_add(out, " (atomic)");
    pl_strbuf_addf(out, ", and nothing orders this after the %s%s by ",
                   f->flags & PL_FINDING_F_OTHER_ATOMIC ? "atomic " : "", other ? "write" : "read");
    view_add_thread(view, f->other_thread, out);
    add_at(view, f->other_stack, out);
}

static void uninitialised(struct view *view, struct pl_strbuf *out)
{
    const struct pl_wire_finding *f = view->finding;
    view_add_thread(view, f->thread, out);
    pl_strbuf_add(out, " reads ");
    add_place(view, out);
    pl_strbuf_add(out, ", which was never written");
    if (f->alloc_stack) {
        pl_strbuf_add(out, " since ");
        view_add_thread(view, f->alloc_thread, out);
        pl_strbuf_add(out, " allocated it");
        add_at(view, f->alloc_stack, out);
    }
}

/* Seen by order, not by time: a free that an access is not ordered before, or an access that is
   not ordered after its malloc. */
static void use_unordered(struct view *view, struct pl_strbuf *out)
{
    const struct pl_wire_finding *f = view->finding;
    bool write = f->flags & (f->free_stack ? PL_FINDING_F_OTHER_WRITE : PL_FINDING_F_WRITE);
    view_add_thread(view, f->thread, out);
    if (f->free_stack) {
        pl_strbuf_add(out, " frees ");
        add_block(view, out);
        pl_strbuf_addf(out, ", and nothing orders this after the %s by ", write ? "write" : "read");
        view_add_thread(view, f->other_thread, out);
        add_at(view, f->other_stack, out);
    } else {
        pl_strbuf_add(out, write ? " writes " : " reads ");
        add_place(view, out);
        pl_strbuf_add(out, ", and nothing orders this after the malloc by ");
        view_add_thread(view, f->alloc_thread, out);
        add_at(view, f->alloc_stack, out);
    }
}

static void use_after_free(struct view *view, struct pl_strbuf *out)
{
    const struct pl_wire_finding *f = view->finding;
    if (f->flags & PL_FINDING_F_UNORDERED) {
        use_unordered(view, out);
        return;
    }
    view_add_thread(view, f->thread, out);
    pl_strbuf_add(out, f->flags & PL_FINDING_F_WRITE ? " writes " : " reads ");
    add_place(view, out);
    pl_strbuf_add(out, ", freed by ");
    view_add_thread(view, f->free_thread, out);
    add_at(view, f->free_stack, out);
}

static void double_free(struct view *view, struct pl_strbuf *out)
{
    const struct pl_wire_finding *f = view->finding;
    view_add_thread(view, f->thread, out);
    pl_strbuf_add(out, " frees ");
    add_freed(view, out);
    pl_strbuf_add(out, " again; ");
    view_add_thread(view, f->free_thread, out);
    pl_strbuf_add(out, " freed it");
    add_at(view, f->free_stack, out);
}

static void invalid_free(struct view *view, struct pl_strbuf *out)
{
    view_add_thread(view, view->finding->thread, out);
    pl_strbuf_add(out, " frees ");
    add_freed(view, out);
    pl_strbuf_add(out, ", which is not the start of an allocated block");
}

/* Far from any block: the one it was meant for is not known, but the nearest may tell. */
static void outside_any(struct view *view, struct pl_strbuf *out)
{
    uint64_t address = view->finding->address, least = PL_ARENA_BYTES;
    struct block *nearest = NULL;
    for (uint32_t i = 0; i < view->block_count; i++) {
        struct block *b = &view->blocks[i];
        uint64_t end = b->start + b->size;
        uint64_t distance = address < b->start ? b->start - address : address - end;
        if (distance < least && (address < b->start || address >= end)) {
            least = distance;
            nearest = b;
        }
    }
    pl_strbuf_add(out, " outside any block");
    if (!nearest)
        return;
    pl_strbuf_add(out, "; the nearest is ");
    view_block_name(view, nearest, out);
    pl_strbuf_addf(out, ", which %s %llu bytes %s", address < nearest->start ? "starts" : "ends",
                   (unsigned long long)least, address < nearest->start ? "after" : "before");
}

static void out_of_bounds(struct view *view, struct pl_strbuf *out)
{
    const struct pl_wire_finding *f = view->finding;
    view_add_thread(view, f->thread, out);
    pl_strbuf_addf(out, " %s %u byte%s", f->flags & PL_FINDING_F_WRITE ? "writes" : "reads",
                   f->size, f->size == 1 ? "" : "s");
    if (!f->block) {
        outside_any(view, out);
        return;
    }
    uint64_t end = f->block + f->block_size;
    if (f->address < f->block)
        pl_strbuf_addf(out, ", %llu before the start of ",
                       (unsigned long long)(f->block - f->address));
    else if (f->address < end)
        pl_strbuf_add(out, " across the end of ");
    else if (f->address == end)
        pl_strbuf_add(out, " just past the end of ");
    else
        pl_strbuf_addf(out, ", %llu past the end of ", (unsigned long long)(f->address - end));
    add_block(view, out);
    pl_strbuf_addf(out, " (%llu bytes, allocated", (unsigned long long)f->block_size);
    add_at(view, f->alloc_stack, out);
    pl_strbuf_add(out, ")");
}

static void leak(struct view *view, struct pl_strbuf *out)
{
    const struct pl_wire_finding *f = view->finding;
    if (f->code > 1)
        pl_strbuf_addf(out, "%u blocks are never freed; the first has %llu bytes, allocated by ",
                       f->code, (unsigned long long)f->block_size);
    else
        pl_strbuf_addf(out, "a block of %llu bytes is never freed, allocated by ",
                       (unsigned long long)f->block_size);
    view_add_thread(view, f->alloc_thread, out);
}

static void add_wait(struct view *view, unsigned t, struct pl_strbuf *out)
{
    const struct pl_wire_finding *f = view->finding;
    enum pl_value ignored;
    view_add_thread(view, t, out);
    if (f->waits_kind[t] == PL_EVENT_JOIN && f->waits_for[t]) {
        pl_strbuf_add(out, " waits for the end of ");
        view_add_thread(view, f->waits_for[t] - 1, out);
        return;
    }
    pl_strbuf_addf(out, " waits in %s", event_word(f->waits_kind[t]));
    if (f->waits_at[t]) {
        pl_strbuf_add(out, " of ");
        view_place(view, view->count, f->waits_at[t], 0, out, &ignored);
    }
    if (f->waits_for[t]) {
        pl_strbuf_add(out, ", held by ");
        view_add_thread(view, f->waits_for[t] - 1, out);
        if (f->waits_for[t] - 1 == t)
            pl_strbuf_add(out, " itself");
    }
}

/* "thread 1 waits in lock of b, held by thread 2; …": joins last, they are rarely the cause. */
static void deadlock(struct view *view, struct pl_strbuf *out)
{
    const struct pl_wire_finding *f = view->finding;
    const char *between = "";
    for (int joins = 0; joins < 2; joins++)
        for (unsigned t = 0; t < PL_MAX_THREADS; t++) {
            if (!(f->blocked >> t & 1) || (f->waits_kind[t] == PL_EVENT_JOIN) != joins)
                continue;
            pl_strbuf_add(out, between);
            between = "; ";
            add_wait(view, t, out);
        }
}

static void crash(struct view *view, struct pl_strbuf *out)
{
    const struct pl_wire_finding *f = view->finding;
    const char *name = signal_name(f->code);
    if (f->text_length) {
        add_wire_text(view, out);
        return;
    }
    view_add_thread(view, f->thread, out);
    if (name)
        pl_strbuf_addf(out, " gets %s", name);
    else
        pl_strbuf_addf(out, " gets signal %u", f->code);
    if (f->address && f->address < 65536) {
        pl_strbuf_addf(out, " at NULL + %llu", (unsigned long long)f->address);
    } else if (f->address) {
        pl_strbuf_add(out, " at ");
        add_place(view, out);
    } else if (f->code == 11) {
        pl_strbuf_add(out, " at NULL");
    }
}

static void said(struct view *view, struct pl_strbuf *out, const char *before)
{
    view_add_thread(view, view->finding->thread, out);
    pl_strbuf_add(out, before);
    if (view->finding->text_length) {
        pl_strbuf_add(out, ": ");
        add_wire_text(view, out);
    }
}

static void sentence(struct view *view, struct pl_strbuf *out)
{
    const struct pl_wire_finding *f = view->finding;
    switch ((enum pl_finding_kind)f->kind) {
    case PL_FINDING_DATA_RACE:
        data_race(view, out);
        break;
    case PL_FINDING_UNINITIALISED_READ:
        uninitialised(view, out);
        break;
    case PL_FINDING_USE_AFTER_FREE:
        use_after_free(view, out);
        break;
    case PL_FINDING_DOUBLE_FREE:
        double_free(view, out);
        break;
    case PL_FINDING_INVALID_FREE:
        invalid_free(view, out);
        break;
    case PL_FINDING_OUT_OF_BOUNDS:
        out_of_bounds(view, out);
        break;
    case PL_FINDING_LEAK:
        leak(view, out);
        break;
    case PL_FINDING_DEADLOCK:
    case PL_FINDING_LIVELOCK:
        deadlock(view, out);
        break;
    case PL_FINDING_HANG:
        said(view, out, " does not come to an end");
        break;
    case PL_FINDING_ASSERTION:
        said(view, out, " fails an assertion");
        break;
    case PL_FINDING_CRASH:
        crash(view, out);
        break;
    case PL_FINDING_STACK_OVERFLOW:
        view_add_thread(view, f->thread, out);
        pl_strbuf_addf(out, " runs out of its stack of %u KiB (--stack N gives more)",
                       view->wire->options.stack_kib);
        break;
    case PL_FINDING_EXIT:
        view_add_thread(view, f->thread, out);
        pl_strbuf_addf(out, " ends the program with status %u", f->code);
        if (f->text_length) {
            pl_strbuf_add(out, ": ");
            add_wire_text(view, out);
        }
        break;
    case PL_FINDING_WEAK:
        pl_strbuf_add(out, "no order of the steps, one at a time, gives what they read");
        break;
    case PL_FINDING_INVARIANT:
        pl_strbuf_add(out, "the invariant does not hold after the execution");
        break;
    case PL_FINDING_NOT_LINEARIZABLE:
    case PL_FINDING_NOT_QUASI_LINEARIZABLE:
    case PL_FINDING_POINT_MISMATCH:
    case PL_FINDING_STUCK:
    case PL_FINDING_NONDETERMINISTIC:
    case PL_FINDING_UNPUBLISHED:
        pl_strbuf_add(out, view->report->check ? view->report->check->sentence : "");
        break;
    case PL_FINDING_NONE:
    case PL_FINDING_COUNT:
        pl_strbuf_add(out, "nothing found");
        break;
    }
}

uint32_t message_stack(const struct pl_wire_finding *f)
{
    if (f->kind >= PL_FINDING_NOT_LINEARIZABLE && f->kind <= PL_FINDING_INVARIANT)
        return 0; /* no one place */
    if (pl_finding_is_stuck(f->kind))
        for (int joins = 0; joins < 2; joins++)
            for (unsigned t = 0; t < PL_MAX_THREADS; t++)
                if ((f->blocked >> t & 1) && (f->waits_kind[t] == PL_EVENT_JOIN) == joins)
                    return f->waits_stack[t];
    return f->stack ? f->stack : f->alloc_stack;
}

void message_add(struct view *view, struct pl_strbuf *out)
{
    if (!stack_line(view, message_stack(view->finding), out))
        pl_strbuf_add(out, view->report->subject ? view->report->subject : "program");
    pl_strbuf_add(out, ": ");
    sentence(view, out);
}

void pl_report_message(const struct pl_report *report, const struct pl_wire_finding *finding,
                       struct pl_strbuf *out)
{
    struct view view;
    view_init(&view, report, finding);
    message_add(&view, out);
    view_release(&view);
}
