/* A table that only grows; wide.h. */
#include "runtime/wide.h"

#include "runtime/rt.h"

enum { MOST = 1 << 16, SLOTS = 2 * MOST };

static pl_wide value_of[MOST];
static uint32_t slot[SLOTS], count; /* 1 + number */

static uint32_t hash(pl_wide value)
{
    uint64_t h = ((uint64_t)value ^ (uint64_t)(value >> 64) * 0x9e3779b97f4a7c15u);
    return (uint32_t)(h * 0xbf58476d1ce4e5b9u >> 40) & (SLOTS - 1);
}

uint64_t pl_wide_number(pl_wide value)
{
    uint32_t at = hash(value);
    for (; slot[at]; at = (at + 1) & (SLOTS - 1))
        if (value_of[slot[at] - 1] == value)
            return slot[at] - 1;
    if (count == MOST)
        pl_unsupported("more than 65536 different values of 16 bytes", rt.pc);
    value_of[count++] = value;
    slot[at] = count;
    return count - 1;
}

pl_wide pl_wide_value(uint64_t number)
{
    return number < count ? value_of[number] : 0;
}
