/* Making a finding ready: the heap blocks and stack addresses its trace speaks of. */
#include "report/view.h"

#include <stdlib.h>

#include "result/layout.h"

static int by_start(const void *a, const void *b)
{
    const struct block *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->event < y->event ? -1 : x->event > y->event;
}

static void read_blocks(struct view *view)
{
    const struct pl_wire_finding *f = view->finding;
    uint32_t room = 1;
    for (uint32_t i = 0; i < view->count; i++)
        room += view->events[i].kind == PL_EVENT_MALLOC;
    view->blocks = calloc(room, sizeof *view->blocks);
    PL_ASSERT(view->blocks);
    bool concerned = f->block == 0;
    for (uint32_t i = 0; i < view->count; i++) {
        const struct pl_wire_event *e = &view->events[i];
        if (e->kind != PL_EVENT_MALLOC)
            continue;
        concerned = concerned || e->address == f->block;
        view->blocks[view->block_count] = (struct block){.start = e->address,
                                                         .size = e->value,
                                                         .event = i,
                                                         .number = view->block_count + 1,
                                                         .stack = e->stack};
        view->block_count++;
    }
    if (!concerned) { /* allocated before the first event kept */
        view->blocks[view->block_count] = (struct block){.start = f->block,
                                                         .size = f->block_size,
                                                         .number = view->block_count + 1,
                                                         .stack = f->alloc_stack};
        view->block_count++;
    }
    qsort(view->blocks, view->block_count, sizeof *view->blocks, by_start);
}

static void note_local(struct view *view, uint64_t address)
{
    if (address < PL_STACKS || address >= PL_STACKS_END)
        return;
    for (uint32_t i = 0; i < view->local_count; i++)
        if (view->locals[i] == address)
            return;
    if (view->local_count < 256)
        view->locals[view->local_count++] = address;
}

void view_init(struct view *view, const struct pl_report *report,
               const struct pl_wire_finding *finding)
{
    *view = (struct view){.report = report,
                          .wire = report->wire,
                          .finding = finding,
                          .events = &report->wire->event[finding->first_event],
                          .count = finding->events};
    PL_ASSERT(finding->first_event + (uint64_t)finding->events <= PL_MAX_EVENTS);
    read_blocks(view);
    view->locals = calloc(256, sizeof *view->locals);
    PL_ASSERT(view->locals);
    for (uint32_t i = 0; i < view->count; i++)
        note_local(view, view->events[i].address);
    note_local(view, finding->address);
}

void view_release(struct view *view)
{
    free(view->blocks);
    free(view->locals);
}

unsigned view_preemptions(const struct view *view)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < view->count; i++)
        count += (view->events[i].flags & PL_EVENT_F_SWITCH) != 0;
    return count;
}
