/* One step of an execution in words: "q.head.load acquire = node#1". */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "report/view.h"
#include "result/layout.h"

const char *event_word(unsigned kind)
{
    static const char *const words[] = {
#define X(name, word) word,
        PL_EVENT_TABLE(X)
#undef X
    };
    return kind < PL_EVENT_COUNT ? words[kind] : "?";
}

const char *order_word(unsigned order)
{
    static const char *const words[] = {"relaxed", "consume", "acquire",
                                        "release", "acq_rel", "seq_cst"};
    return order < sizeof words / sizeof words[0] ? words[order] : NULL;
}

/* strsignal and sigabbrev_np speak the user's language or lack the SIG. */
const char *signal_name(unsigned number)
{
    switch (number) {
    case SIGSEGV:
        return "SIGSEGV (invalid memory access)";
    case SIGBUS:
        return "SIGBUS (invalid memory access)";
    case SIGFPE:
        return "SIGFPE (division by zero or overflow)";
    case SIGILL:
        return "SIGILL (illegal instruction)";
    case SIGABRT:
        return "SIGABRT (abort)";
    case SIGTRAP:
        return "SIGTRAP (trap)";
    case SIGSYS:
        return "SIGSYS (bad system call)";
    case SIGKILL:
        return "SIGKILL";
    case SIGTERM:
        return "SIGTERM";
    default:
        return NULL;
    }
}

static const char *errno_name(uint64_t number)
{
    switch (number) {
    case EBUSY:
        return "EBUSY";
    case EDEADLK:
        return "EDEADLK";
    case ETIMEDOUT:
        return "ETIMEDOUT";
    case EPERM:
        return "EPERM";
    case EAGAIN:
        return "EAGAIN";
    case EINVAL:
        return "EINVAL";
    default:
        return "an error";
    }
}

static void add_order(const struct pl_wire_event *e, struct pl_strbuf *out)
{
    const char *order = order_word(e->order);
    if (order)
        pl_strbuf_addf(out, " %s", order);
}

/* The read that found what nobody wrote: its value means nothing. */
static bool is_undefined(const struct view *view, uint32_t i)
{
    return view->finding->kind == PL_FINDING_UNINITIALISED_READ &&
           i + 1 == view->finding->this_event;
}

/* Atomic accesses look like the calls in the source: place.load order = value. */
static void add_atomic(struct view *view, uint32_t i, struct pl_strbuf *out)
{
    const struct pl_wire_event *e = &view->events[i];
    enum pl_value kind;
    bool known = e->flags & PL_EVENT_F_VALUE;
    view_place(view, i, e->address, e->size, out, &kind);
    unsigned word = e->kind == PL_EVENT_CAS_FAIL ? PL_EVENT_CAS_OK : e->kind;
    pl_strbuf_addf(out, ".%s", event_word(word));
    add_order(e, out);
    if (e->kind == PL_EVENT_CAS_FAIL)
        pl_strbuf_add(out, " fails");
    if (is_undefined(view, i))
        pl_strbuf_add(out, ", never written");
    if (!known || is_undefined(view, i))
        return;
    pl_strbuf_add(out, e->kind == PL_EVENT_STORE      ? " "
                       : e->kind == PL_EVENT_CAS_FAIL ? ", finds "
                                                      : " = ");
    view_value(view, i, e->value, e->size, kind, out);
    if (e->kind >= PL_EVENT_EXCHANGE && e->kind <= PL_EVENT_CAS_OK) {
        pl_strbuf_add(out, ", now ");
        view_value(view, i, e->value2, e->size, kind, out);
    }
}

static void add_plain(struct view *view, uint32_t i, struct pl_strbuf *out)
{
    const struct pl_wire_event *e = &view->events[i];
    enum pl_value kind;
    pl_strbuf_addf(out, "%s ", event_word(e->kind));
    view_place(view, i, e->address, e->size, out, &kind);
    if (is_undefined(view, i)) {
        pl_strbuf_add(out, ", never written");
    } else if (e->flags & PL_EVENT_F_VALUE) {
        pl_strbuf_add(out, " = ");
        view_value(view, i, e->value, e->size, kind, out);
    }
}

static void add_heap(struct view *view, uint32_t i, struct pl_strbuf *out)
{
    const struct pl_wire_event *e = &view->events[i];
    struct block *block = view_block(view, i, e->address);
    if (e->kind == PL_EVENT_MALLOC)
        pl_strbuf_addf(out, "malloc(%llu) = ", (unsigned long long)e->value);
    else
        pl_strbuf_add(out, "free(");
    enum pl_value ignored;
    if (block && block->start == e->address)
        view_block_name(view, block, out);
    else if (e->address == 0)
        pl_strbuf_add(out, "NULL");
    else
        view_place(view, i, e->address, 0, out, &ignored);
    if (e->kind == PL_EVENT_FREE)
        pl_strbuf_add(out, ")");
}

static void add_object(struct view *view, uint32_t i, struct pl_strbuf *out)
{
    const struct pl_wire_event *e = &view->events[i];
    enum pl_value ignored;
    if (e->kind == PL_EVENT_BLOCKED && e->address >= PL_TLS && e->address < PL_TLS_END) {
        /* a thread is known by the address of its control block */
        pl_strbuf_add(out, "waits for the end of ");
        view_add_thread(view, (unsigned)((e->address - PL_TLS) / PL_TLS_STRIDE), out);
        return;
    }
    if (e->kind == PL_EVENT_BLOCKED && e->value == PL_EVENT_SPIN) {
        pl_strbuf_add(out, "goes round again: nothing has changed");
        return;
    }
    pl_strbuf_add(out, event_word(e->kind));
    if (e->kind == PL_EVENT_BLOCKED && e->address)
        pl_strbuf_add(out, " on");
    if (e->kind == PL_EVENT_TIMEOUT && e->address)
        pl_strbuf_add(out, " waiting for");
    if (e->address) {
        pl_strbuf_add(out, " ");
        view_place(view, i, e->address, 0, out, &ignored);
    }
    if ((e->kind == PL_EVENT_TRYLOCK) && (e->flags & PL_EVENT_F_VALUE) && e->value)
        pl_strbuf_addf(out, " fails (%s)", errno_name(e->value));
}

/* "▶ enq(1)", "◀ enq(1) = true", "● enq(1)" at a point that was passed. */
static void add_invocation(const struct view *view, const struct pl_wire_event *e,
                           struct pl_strbuf *out)
{
    const struct pl_report_check *c = view->report->check;
    bool known = c && e->value < c->operations;
    pl_strbuf_add(out, e->kind == PL_EVENT_CALL ? "▶ " : e->kind == PL_EVENT_EFFECT ? "● " : "◀ ");
    if (!known) {
        pl_strbuf_addf(out, "invocation %llu", (unsigned long long)e->value + 1);
        return;
    }
    pl_strbuf_add(out, c->name[e->value]);
    if (e->kind == PL_EVENT_RETURN && c->response[e->value][0])
        pl_strbuf_addf(out, " = %s", c->response[e->value]);
}

void event_text(struct view *view, uint32_t i, struct pl_strbuf *out)
{
    const struct pl_wire_event *e = &view->events[i];
    if (e->kind >= PL_EVENT_READ && e->kind <= PL_EVENT_VOLATILE_WRITE) {
        add_plain(view, i, out);
    } else if (e->kind >= PL_EVENT_LOAD && e->kind <= PL_EVENT_CAS_FAIL) {
        add_atomic(view, i, out);
    } else if (e->kind == PL_EVENT_FENCE) {
        pl_strbuf_add(out, "fence");
        add_order(e, out);
    } else if (e->kind == PL_EVENT_MALLOC || e->kind == PL_EVENT_FREE) {
        add_heap(view, i, out);
    } else if (e->kind == PL_EVENT_CREATE || e->kind == PL_EVENT_JOIN ||
               e->kind == PL_EVENT_DETACH) {
        /* "create thread 2", "join thread 2"; the words already end in "thread". */
        pl_strbuf_addf(out, "%s %u", event_word(e->kind), view_thread(view, (unsigned)e->value));
    } else if (e->kind == PL_EVENT_CALL || e->kind == PL_EVENT_RETURN ||
               e->kind == PL_EVENT_EFFECT) {
        add_invocation(view, e, out);
    } else {
        add_object(view, i, out);
    }
    if (is_undefined(view, i))
        return;
    const char *stale = e->flags & PL_EVENT_F_STALE ? ", stale" : "";
    if (e->kind == PL_EVENT_STORE && *stale && e->from)
        pl_strbuf_addf(out, " (overwritten by step %llu)",
                       (unsigned long long)view->finding->dropped + e->from);
    else if (e->from && e->from <= view->count && view->events[e->from - 1].thread != e->thread)
        pl_strbuf_addf(out, " (from step %llu%s)",
                       (unsigned long long)view->finding->dropped + e->from, stale);
    else if (!e->from && *stale)
        pl_strbuf_add(out, " (the initial value, stale)");
}
