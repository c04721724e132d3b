/*
 * Which steps of a trace are where threads meet: accesses to memory that several of them use and at
 * least one writes. Of a long trace the ones that matter most are told from the rest: PASSES, those
 * at which a value, or the last word on a place, goes from one thread to another; then all others
 * at places that are used seldom.
 *
 *     thread 1    read n                            write n       PASSES: the read before, the
 * write thread 2                read n   write n                    of thread 2, the write after it
 */
#include <stdlib.h>

#include "report/view.h"

struct access {
    uint64_t start, end;
    uint32_t event;
};

/* Accesses of one place, in the order of the trace. */
struct place {
    const struct access *at;
    size_t count;
};

static bool writes(unsigned kind)
{
    return kind == PL_EVENT_WRITE || kind == PL_EVENT_VOLATILE_WRITE ||
           (kind >= PL_EVENT_STORE && kind <= PL_EVENT_CAS_OK);
}

static int by_start(const void *a, const void *b)
{
    const struct access *x = a, *y = b;
    return x->start != y->start ? (x->start > y->start) - (x->start < y->start)
                                : (x->event > y->event) - (x->event < y->event);
}

static int by_event(const void *a, const void *b)
{
    const struct access *x = a, *y = b;
    return (x->event > y->event) - (x->event < y->event);
}

static int by_count(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->count != y->count ? (x->count > y->count) - (x->count < y->count)
                                : (x->at->event > y->at->event) - (x->at->event < y->at->event);
}

static bool is_shared(const struct view *view, const struct place *p)
{
    bool several = false, written = false;
    for (size_t k = 0; k < p->count; k++) {
        const struct pl_wire_event *e = &view->events[p->at[k].event];
        several = several || e->thread != view->events[p->at[0].event].thread;
        written = written || writes(e->kind);
    }
    return several && written;
}

/* A write passes the word on from the last reads of the others, and from the last write; a read
 * takes it from the write. */
static void mark_passes(const struct view *view, const struct place *p, enum shared *out)
{
    uint32_t read[PL_MAX_THREADS] = {0}, write = 0; /* 1 + event, 0 = none */
    for (size_t k = 0; k < p->count; k++) {
        uint32_t i = p->at[k].event;
        const struct pl_wire_event *e = &view->events[i];
        uint32_t from[PL_MAX_THREADS + 1] = {write}, froms = 1;
        for (unsigned t = 0; t < PL_MAX_THREADS && writes(e->kind); t++)
            from[froms++] = read[t];
        for (unsigned n = 0; n < froms; n++)
            if (from[n] && view->events[from[n] - 1].thread != e->thread)
                out[from[n] - 1] = out[i] = SHARED_PASSES;
        if (writes(e->kind)) {
            write = i + 1;
            for (unsigned t = 0; t < PL_MAX_THREADS; t++)
                read[t] = 0;
        } else {
            read[e->thread % PL_MAX_THREADS] = i + 1;
        }
    }
}

static size_t read_accesses(const struct view *view, const bool *quiet, struct access *list)
{
    size_t count = 0;
    for (uint32_t i = 0; i < view->count; i++) {
        const struct pl_wire_event *e = &view->events[i];
        if (!quiet[i] && e->address && e->kind >= PL_EVENT_READ && e->kind <= PL_EVENT_CAS_FAIL)
            list[count++] = (struct access){e->address, e->address + (e->size ? e->size : 1), i};
    }
    return count;
}

static size_t read_places(const struct view *view, struct access *list, size_t count,
                          struct place *place)
{
    size_t places = 0;
    qsort(list, count, sizeof *list, by_start);
    for (size_t first = 0, next; first < count; first = next) { /* those that hang together */
        uint64_t end = list[first].end;
        for (next = first + 1; next < count && list[next].start < end; next++)
            end = list[next].end > end ? list[next].end : end;
        qsort(&list[first], next - first, sizeof *list, by_event);
        place[places] = (struct place){&list[first], next - first};
        places += is_shared(view, &place[places]);
    }
    qsort(place, places, sizeof *place, by_count);
    return places;
}

void trace_shared(const struct view *view, const bool *quiet, unsigned room, enum shared *out)
{
    struct access *list = calloc(view->count + 1, sizeof *list);
    struct place *place = calloc(view->count + 1, sizeof *place);
    PL_ASSERT(list && place);
    for (uint32_t i = 0; i < view->count; i++)
        out[i] = SHARED_NOT;
    size_t count = read_accesses(view, quiet, list);
    size_t places = read_places(view, list, count, place), used = 0;
    for (size_t p = 0; p < places; p++)
        mark_passes(view, &place[p], out);
    for (size_t p = 0; p < places && used + place[p].count <= room; p++)
        for (size_t k = 0; k < place[p].count; k++, used++)
            if (out[place[p].at[k].event] == SHARED_NOT)
                out[place[p].at[k].event] = SHARED_SELDOM;
    free(place);
    free(list);
}
