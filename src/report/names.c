/* A data address -> the words for it: variable, block, local, thread-local. */
#include "report/view.h"
#include "result/layout.h"

enum { RED_ZONE = 64 }; /* how far outside a block an address still speaks of it */

void pl_report_thread(struct pl_strbuf *out, unsigned thread)
{
    if (thread == 0)
        pl_strbuf_add(out, "main");
    else
        pl_strbuf_addf(out, "thread %u", thread);
}

unsigned view_thread(const struct view *view, unsigned thread)
{
    unsigned called = thread < PL_MAX_THREADS ? view->finding->called[thread] : 0;
    return called ? called - 1 : thread;
}

void view_add_thread(const struct view *view, unsigned thread, struct pl_strbuf *out)
{
    pl_report_thread(out, view_thread(view, thread));
}

void pl_report_count(struct pl_strbuf *out, uint64_t number)
{
    if (number >= 1000) {
        pl_report_count(out, number / 1000);
        pl_strbuf_addf(out, ",%03u", (unsigned)(number % 1000));
    } else {
        pl_strbuf_addf(out, "%u", (unsigned)number);
    }
}

struct block *view_block(struct view *view, uint32_t at, uint64_t address)
{
    uint32_t low = 0, high = view->block_count;
    while (low < high) { /* the first block that starts after the address */
        uint32_t middle = (low + high) / 2;
        if (view->blocks[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    /* Before it lie the blocks at the nearest start, oldest first: take the youngest that
       was there at the time. */
    for (uint32_t i = low; i-- > 0;) {
        struct block *b = &view->blocks[i];
        if (address >= b->start + b->size + RED_ZONE)
            return NULL;
        if (b->event <= at)
            return b;
    }
    return NULL;
}

void view_block_name(struct view *view, struct block *block, struct pl_strbuf *out)
{
    if (!block->type_known) {
        uint64_t addresses[PL_MAX_DEPTH];
        size_t count = stack_addresses(view->wire, block->stack, addresses, PL_MAX_DEPTH);
        block->type = pl_symbols_block_type(view->report->symbols, addresses, count, block->size);
        block->type_known = true;
    }
    if (block->type)
        name_short(pl_type_name(block->type), out);
    else
        pl_strbuf_add(out, "block");
    pl_strbuf_addf(out, "#%u", block->number);
}

static void add_block_place(struct view *view, struct block *block, uint64_t address, uint64_t size,
                            struct pl_strbuf *out, enum pl_value *value)
{
    uint64_t offset = address - block->start;
    view_block_name(view, block, out);
    if (block->type && offset + size <= block->size)
        pl_type_path(view->report->symbols, block->type, block->size, offset, size, out, value);
    else if (offset)
        pl_strbuf_addf(out, "+%llu", (unsigned long long)offset);
}

static uint32_t local_number(const struct view *view, uint64_t address)
{
    for (uint32_t i = 0; i < view->local_count; i++)
        if (view->locals[i] == address)
            return i + 1;
    return 0;
}

void view_place(struct view *view, uint32_t at, uint64_t address, uint64_t size,
                struct pl_strbuf *out, enum pl_value *value)
{
    *value = PL_VALUE_UNKNOWN;
    if (address >= PL_STACKS && address < PL_STACKS_END) {
        uint32_t number = local_number(view, address);
        pl_strbuf_add(out, "local");
        if (number)
            pl_strbuf_addf(out, "#%u", number);
        pl_strbuf_add(out, " of ");
        view_add_thread(view, (unsigned)((address - PL_STACKS) / PL_STACK_STRIDE), out);
        return;
    }
    if (address >= PL_TLS && address < PL_TLS_END) {
        pl_strbuf_add(out, "thread-local of ");
        view_add_thread(view, (unsigned)((address - PL_TLS) / PL_TLS_STRIDE), out);
        return;
    }
    struct block *block = view_block(view, at, address);
    if (block) {
        add_block_place(view, block, address, size, out, value);
        return;
    }
    if (pl_symbols_data(view->report->symbols, address, size, out, value))
        return;
    if (address >= PL_MAPS && address < PL_MAPS_END)
        pl_strbuf_addf(out, "mapping+%llu", (unsigned long long)(address - PL_MAPS));
    else if (address < 65536)
        pl_strbuf_addf(out, "address %llu", (unsigned long long)address);
    else if (address >= PL_HEAP && address < PL_STACKS)
        pl_strbuf_add(out, view->finding->kind == PL_FINDING_OUT_OF_BOUNDS &&
                                   address == view->finding->address
                               ? "no block"
                               : "a block allocated earlier");
    else if (view_is_of_the_system(address))
        pl_strbuf_add(out, "memory without a name");
    else
        pl_strbuf_addf(out, "address 0x%llx", (unsigned long long)address);
}
