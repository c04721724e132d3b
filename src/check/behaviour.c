/* Orders of calls and returns as bit masks: at most 62 events, so one word is a row. */
#include "check/behaviour.h"

uint64_t pl_order_events(const struct pl_order *order)
{
    uint64_t events = ((uint64_t)1 << (2 * order->operations)) - 1;
    for (unsigned i = 0; i < order->operations; i++)
        if (order->pending >> i & 1)
            events &= ~pl_event_bit(2 * i + 1);
    return events;
}

bool pl_order_close(const struct pl_order *order, struct pl_order *out)
{
    if (order->operations > PL_MOST_CALLED)
        return false;
    *out = *order;
    out->pending &= pl_operations_all(order);
    uint64_t events = pl_order_events(out);
    unsigned count = 2 * order->operations;
    for (unsigned e = 0; e < count; e++)
        out->before[e] = events >> e & 1 ? (order->before[e] & events) : 0;
    for (unsigned i = 0; i < order->operations; i++)
        if (events >> (2 * i + 1) & 1)
            out->before[2 * i + 1] |= pl_event_bit(2 * i);
    for (unsigned via = 0; via < count; via++) /* Warshall */
        for (unsigned e = 0; e < count; e++)
            if (out->before[e] >> via & 1)
                out->before[e] |= out->before[via];
    for (unsigned e = 0; e < count; e++)
        if (out->before[e] >> e & 1)
            return false;
    return true;
}

void pl_order_operations(const struct pl_order *order, uint32_t before[PL_MOST_CALLED])
{
    for (unsigned j = 0; j < order->operations; j++) {
        before[j] = 0;
        for (unsigned i = 0; i < order->operations; i++)
            if (order->before[2 * j] >> (2 * i + 1) & 1)
                before[j] |= (uint32_t)1 << i;
    }
}

void pl_order_late(struct pl_order *order, uint32_t late)
{
    uint64_t returns = 0, all = pl_order_events(order);
    late &= ~order->pending;
    for (unsigned i = 0; i < order->operations; i++)
        if (late >> i & 1)
            returns |= pl_event_bit(2 * i + 1);
    for (unsigned e = 0; returns && e < 2 * order->operations; e++)
        order->before[e] = returns >> e & 1 ? all & ~returns : order->before[e] & ~returns;
}
