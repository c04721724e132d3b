/* What the programs of this directory assert.
 *
 * Every value put into a container is one of producer p's values p*100+0, p*100+1, ... Each thread
 * that takes values writes them into a ledger of its own; the last ledger belongs to main, which
 * drains the container alone after the threads are joined. Then, in every schedule:
 *
 *   L1  every value that was put is in exactly one ledger, exactly once (none lost, none doubled);
 *   L2  no other value is in any ledger;
 *   L3  (first in, first out) in one ledger the values of one producer ascend, and those that main
 *       drained are later than all that were taken before;
 *   L4  (last in, first out) the values of one producer that main drained descend.
 *
 * A bag has neither L3 nor L4.
 */
#ifndef LEDGER_H
#define LEDGER_H

#include <assert.h>

enum { LEDGER_MAX = 32, LEDGER_PRODUCERS = 4 };

enum ledger_order { LEDGER_FIFO, LEDGER_LIFO, LEDGER_BAG };

struct ledger {
    int n;
    int got[LEDGER_MAX];
};

static inline int ledger_value(int producer, int i)
{
    return producer * 100 + i;
}

static inline void ledger_take(struct ledger *l, int value)
{
    assert(l->n < LEDGER_MAX);
    l->got[l->n++] = value;
}

/* One ledger against L3 or L4; last[p] is the latest value of p seen so far. */
static inline void ledger_check_order(const struct ledger *l, int is_drain, enum ledger_order order)
{
    int last[LEDGER_PRODUCERS] = {-1, -1, -1, -1};

    for (int k = 0; k < l->n; k++) {
        int p = l->got[k] / 100, i = l->got[k] % 100;

        if (order == LEDGER_FIFO)
            assert(i > last[p]); /* L3 */
        else if (order == LEDGER_LIFO && is_drain && last[p] >= 0)
            assert(i < last[p]); /* L4 */
        last[p] = i;
    }
}

static inline void ledger_check(const struct ledger *l, int ledgers, int producers, int each,
                                enum ledger_order order)
{
    int seen[LEDGER_PRODUCERS][LEDGER_MAX] = {{0}};
    int first_drained[LEDGER_PRODUCERS];

    for (int p = 0; p < producers; p++)
        first_drained[p] = each;
    for (int k = 0; k < l[ledgers - 1].n; k++) {
        int p = l[ledgers - 1].got[k] / 100, i = l[ledgers - 1].got[k] % 100;

        assert(p >= 0 && p < producers); /* L2 */
        if (i < first_drained[p])
            first_drained[p] = i;
    }
    for (int t = 0; t < ledgers; t++) {
        for (int k = 0; k < l[t].n; k++) {
            int p = l[t].got[k] / 100, i = l[t].got[k] % 100;

            assert(p >= 0 && p < producers && i >= 0 && i < each); /* L2 */
            assert(seen[p][i] == 0);                               /* L1: doubled */
            seen[p][i] = 1;
            if (order == LEDGER_FIFO && t < ledgers - 1)
                assert(i < first_drained[p]); /* L3 */
        }
        ledger_check_order(&l[t], t == ledgers - 1, order);
    }
    for (int p = 0; p < producers; p++)
        for (int i = 0; i < each; i++)
            assert(seen[p][i] == 1); /* L1: lost */
}

#endif
