/*
 * Which steps of a trace are a thread's own business: plain accesses to memory that no other thread
 * touches, unless the finding is about it, or about what this thread does: then what it computed
 * may be what went wrong, and only its handles of other threads are left out.
 */
#include <stdlib.h>

#include "report/view.h"
#include "result/layout.h"

struct access {
    uint64_t start, end;
    uint32_t event;
};

static bool touches_memory(const struct pl_wire_event *e)
{
    return e->address && e->kind >= PL_EVENT_READ && e->kind <= PL_EVENT_CAS_FAIL;
}

static bool is_plain(const struct pl_wire_event *e)
{
    return e->address && (e->kind == PL_EVENT_READ || e->kind == PL_EVENT_WRITE);
}

/* pthread_t: a thread is known by the address of its control block. */
static bool is_handle(const struct pl_wire_event *e)
{
    return (e->flags & PL_EVENT_F_VALUE) && e->size == 8 && e->value >= PL_TLS &&
           e->value < PL_TLS_END;
}

static int by_start(const void *a, const void *b)
{
    const struct access *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

static bool matters(const struct view *view, uint32_t i)
{
    const struct pl_wire_finding *f = view->finding;
    const struct pl_wire_event *e = &view->events[i];
    return !is_plain(e) || i + 1 == f->this_event || i + 1 == f->other_event ||
           trace_concerns(view, e) || (e->thread == f->thread && !is_handle(e));
}

void trace_own(const struct view *view, bool *own)
{
    struct access *list = calloc(view->count + 1, sizeof *list);
    PL_ASSERT(list);
    size_t count = 0;
    for (uint32_t i = 0; i < view->count; i++) {
        const struct pl_wire_event *e = &view->events[i];
        own[i] = false;
        if (touches_memory(e))
            list[count++] = (struct access){e->address, e->address + (e->size ? e->size : 1), i};
    }
    qsort(list, count, sizeof *list, by_start);
    for (size_t first = 0, next; first < count; first = next) { /* those that hang together */
        unsigned thread = view->events[list[first].event].thread;
        uint64_t end = list[first].end;
        bool alone = true;
        for (next = first; next < count && (next == first || list[next].start < end); next++) {
            end = list[next].end > end ? list[next].end : end;
            alone = alone && view->events[list[next].event].thread == thread;
        }
        for (size_t k = first; alone && k < next; k++)
            own[list[k].event] = !matters(view, list[k].event);
    }
    free(list);
}
