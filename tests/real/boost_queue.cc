/* Boost.Lockfree queue (libboost-dev), three threads that each push and pop.
 *
 * Switches: none; its atomics are std::atomic.
 *
 * Races: needs --races=allow. A node that was popped goes to the queue's own free list, which
 * writes its link with a plain store (freelist_stack::deallocate_impl), while another thread that
 * still holds the old pointer reads the same word (its compare-and-swap then fails, because the
 * pointer carries a tag). The payload of a reused node is read and written the same way.
 *
 * Asserted: L1, L2, L3 of ledger.h; no payload is torn.
 *
 * With -DMISUSE, what must be found: a push that is not for several threads.
 */
#include "ledger.h"
#include <boost/lockfree/queue.hpp>
#include <thread>

#ifdef MISUSE
#define push unsynchronized_push
#endif

enum { THREADS = 3, EACH = 2 };

struct item {
    int value;
    int check; /* ~value: a torn copy shows */
};

int main()
{
    boost::lockfree::queue<item> queue(1); /* one node in the pool: the others come from the heap */
    ledger ledgers[THREADS + 1] = {};
    std::thread threads[THREADS];

    for (int t = 0; t < THREADS; t++)
        threads[t] = std::thread([&queue, &ledgers, t] {
            for (int i = 0; i < EACH; i++) {
                item out = {}, in = {ledger_value(t, i), ~ledger_value(t, i)};

                assert(queue.push(in));
                if (queue.pop(out)) {
                    assert(out.check == ~out.value);
                    ledger_take(&ledgers[t], out.value);
                }
            }
        });
    for (std::thread &t : threads)
        t.join();

    item out;
    while (queue.pop(out))
        ledger_take(&ledgers[THREADS], out.value);
    assert(queue.empty());
    ledger_check(ledgers, THREADS + 1, THREADS, EACH, LEDGER_FIFO);
}
