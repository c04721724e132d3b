/* moodycamel ConcurrentQueue (libconcurrentqueue-dev), two producers and a consumer.
 *
 * Switches: none; its atomics are std::atomic. (It marks a function as not to be sanitized when it
 * sees clang's thread sanitizer; the tool hides the sanitizer from the preprocessor.)
 *
 * Races: none allowed.
 *
 * Asserted: L1, L2, L3 of ledger.h. One producer uses a token, the other the implicit producer the
 * queue makes for its thread; both put one value alone and the rest in bulk; the blocks hold two
 * values, so that blocks run out and are reused. The values are pointers to plain memory.
 *
 * With -DMISUSE, what must be found: one token used by two threads.
 */
#include "ledger.h"
#include <concurrentqueue/concurrentqueue.h>
#include <thread>

enum { PRODUCERS = 2, EACH = 3 };

struct small_blocks : moodycamel::ConcurrentQueueDefaultTraits {
    static const size_t BLOCK_SIZE = 2;
    static const size_t INITIAL_IMPLICIT_PRODUCER_HASH_SIZE = 2;
    static const size_t EXPLICIT_INITIAL_INDEX_SIZE = 2;
    static const size_t IMPLICIT_INITIAL_INDEX_SIZE = 2;
};

static void take(ledger *l, int *value)
{
    ledger_take(l, *value);
    delete value;
}

int main()
{
    moodycamel::ConcurrentQueue<int *, small_blocks> queue(2);
    ledger ledgers[2] = {};

    moodycamel::ProducerToken token(queue);

    std::thread with_token([&queue, &token] {
        int *rest[EACH - 1];

        assert(queue.enqueue(token, new int(ledger_value(0, 0))));
        for (int i = 1; i < EACH; i++)
            rest[i - 1] = new int(ledger_value(0, i));
        assert(queue.enqueue_bulk(token, rest, EACH - 1));
    });
#ifdef MISUSE
#define PRODUCER token,
#else
#define PRODUCER
#endif
    std::thread implicit([&] {
        int *rest[EACH - 1];

        assert(queue.enqueue(PRODUCER new int(ledger_value(1, 0))));
        for (int i = 1; i < EACH; i++)
            rest[i - 1] = new int(ledger_value(1, i));
        assert(queue.enqueue_bulk(PRODUCER rest, EACH - 1));
    });
    std::thread consumer([&queue, &ledgers] {
        moodycamel::ConsumerToken token(queue);
        int *out[2];

        for (int i = 0; i < 2; i++)
            if (queue.try_dequeue(out[0]))
                take(&ledgers[0], out[0]);
        size_t n = queue.try_dequeue_bulk(token, out, 2);
        for (size_t k = 0; k < n; k++)
            take(&ledgers[0], out[k]);
    });
    with_token.join();
    implicit.join();
    consumer.join();

    int *out;
    while (queue.try_dequeue(out))
        take(&ledgers[1], out);
    assert(queue.size_approx() == 0);
    ledger_check(ledgers, 2, PRODUCERS, EACH, LEDGER_FIFO);
}
