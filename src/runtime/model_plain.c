/*
 * Plain and volatile accesses as events of the graph: volatile ones, and under --races=allow
 * those that take part in a race. They are relaxed atomics to the explorer.
 *
 * Of an access compiled elsewhere we see only the hook before it. So a read's value is put into
 * memory first, and what memory has to hold for the others is put back when the thread comes
 * here again; a write's event is made then, with the value it left. In between nobody else runs:
 * a switch of threads comes here first, because rt.next_check makes it.
 */
#include <string.h>

#include "runtime/model.h"

static struct {
    uint64_t address, kept, pc; /* kept: what memory held for everybody */
    unsigned size;
    bool any, write;
} left PL_STATE;

static uint64_t memory(uint64_t address, unsigned size)
{
    uint64_t value = 0;
    memcpy(&value, (const void *)address, size);
    return value;
}

void pl_model_settle(void)
{
    if (pl_likely(!left.any))
        return;
    left.any = false;
    uint64_t value = memory(left.address, left.size);
    memcpy((void *)left.address, &left.kept, left.size);
    if (left.write)
        pl_model_store(left.address, left.size, PL_ORDER_RELAXED, value, left.pc);
}

void pl_model_forget_access(void)
{
    left.any = false;
}

void pl_model_access(uint64_t address, unsigned size, bool read, bool write, uint64_t pc)
{
    if (size > 8 || (address & (size - 1)))
        pl_unsupported("volatile or racing accesses that are not of 1, 2, 4 or 8 aligned bytes are "
                       "not explored",
                       pc);
    pl_model_settle();
    uint64_t value = 0, kept;
    if (read)
        value = pl_model_load(address, size, PL_ORDER_RELAXED, pc);
    else
        pl_point(pc);
    kept = memory(address, size);
    if (read)
        memcpy((void *)address, &value, size);
    left.address = address;
    left.size = size;
    left.kept = kept;
    left.pc = pc;
    left.write = write;
    left.any = true;
    rt.next_check = rt.steps;
}

/* ---- races, learnt ---- */

enum { MOST_RACY = 4096 };
static uint32_t racy[MOST_RACY],
    racy_count; /* sorted; code is below 4 GiB or told by its low half */

static uint32_t place_of(uint32_t pc)
{
    uint32_t low = 0, high = racy_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (racy[middle] < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool pl_model_is_racy(uint64_t pc)
{
    if (pl_likely(!racy_count))
        return false;
    uint32_t place = place_of((uint32_t)pc);
    return place < racy_count && racy[place] == (uint32_t)pc;
}

static bool learn(uint32_t pc)
{
    uint32_t place = place_of(pc);
    if (!pc || (place < racy_count && racy[place] == pc))
        return false;
    if (racy_count == MOST_RACY)
        pl_unsupported("more than 4096 places in the code race", pc);
    memmove(&racy[place + 1], &racy[place], (racy_count - place) * sizeof *racy);
    racy[place] = pc;
    racy_count++;
    return true;
}

void pl_model_race(uint64_t pc, uint64_t other_pc)
{
    bool one = learn((uint32_t)pc), other = learn((uint32_t)other_pc);
    if (!one && !other)
        pl_unsupported("a race with memory that a library call reads or writes is not explored; "
                       "plumb run --races=allow takes it",
                       pc);
    pl_model_restart();
}

uint32_t pl_model_races_bytes(void)
{
    return 4 + racy_count * 4;
}

uint32_t pl_model_races_save(uint8_t *out, uint32_t room)
{
    uint32_t bytes = pl_model_races_bytes();
    if (room < bytes)
        return 0;
    memcpy(out, &racy_count, 4);
    memcpy(out + 4, racy, racy_count * sizeof *racy);
    return bytes;
}

uint32_t pl_model_races_load(const uint8_t *bytes, uint64_t count)
{
    uint32_t claimed = 0;
    if (count >= 4)
        memcpy(&claimed, bytes, 4);
    if (count < 4 || claimed > MOST_RACY || count < 4 + (uint64_t)claimed * 4)
        return 0;
    racy_count = claimed;
    memcpy(racy, bytes + 4, racy_count * sizeof *racy);
    return 4 + racy_count * 4;
}
