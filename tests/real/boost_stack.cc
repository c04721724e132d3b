/* Boost.Lockfree stack (libboost-dev), three threads that each push and pop.
 *
 * Switches: none; its atomics are std::atomic.
 *
 * Races: needs --races=allow. pop and the free list read the link of the top node with a plain or
 * volatile load before their compare-and-swap; meanwhile another thread may take that node, and
 * the free list or the next push writes the link with a plain store (the compare-and-swap then
 * fails on the tag).
 *
 * Asserted: L1, L2, L4 of ledger.h.
 *
 * With -DMISUSE, what must be found: a pop that is not for several threads.
 */
#include "ledger.h"
#include <boost/lockfree/stack.hpp>
#include <thread>

#ifdef MISUSE
#define pop unsynchronized_pop
#endif

enum { THREADS = 3, EACH = 2 };

int main()
{
    boost::lockfree::stack<int> stack(1);
    ledger ledgers[THREADS + 1] = {};
    std::thread threads[THREADS];

    for (int t = 0; t < THREADS; t++)
        threads[t] = std::thread([&stack, &ledgers, t] {
            for (int i = 0; i < EACH; i++) {
                int out;

                assert(stack.push(ledger_value(t, i)));
                if (stack.pop(out))
                    ledger_take(&ledgers[t], out);
            }
        });
    for (std::thread &t : threads)
        t.join();

    int out;
    while (stack.pop(out))
        ledger_take(&ledgers[THREADS], out);
    assert(stack.empty());
    ledger_check(ledgers, THREADS + 1, THREADS, EACH, LEDGER_LIFO);
}
