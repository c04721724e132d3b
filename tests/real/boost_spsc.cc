/* Boost.Lockfree spsc_queue (libboost-dev), one producer, one consumer, a ring of two.
 *
 * Switches: none; its atomics are std::atomic.
 *
 * Races: none allowed; the ring publishes with release and acquire.
 *
 * Asserted: the consumer gets exactly the values put, in order, with the string each one points
 * to, which the producer wrote with plain stores. The ring is full and empty on the way, so both
 * sides spin.
 *
 * With -DMISUSE, what must be found: a second consumer.
 */
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <memory>
#include <string>
#include <thread>

enum { VALUES = 5 };

int main()
{
    boost::lockfree::spsc_queue<std::string *, boost::lockfree::capacity<2>> ring;

    std::thread producer([&ring] {
        for (int i = 0; i < VALUES; i++) {
            std::string *text = new std::string("value " + std::to_string(i));

            while (!ring.push(text))
                std::this_thread::yield();
        }
    });
    std::thread consumer([&ring] {
        for (int i = 0; i < VALUES; i++) {
            std::string *raw = nullptr;

            while (!ring.pop(raw))
                std::this_thread::yield();
            std::unique_ptr<std::string> text(raw);
            assert(*text == "value " + std::to_string(i));
        }
    });
#ifdef MISUSE
    std::string *stolen = nullptr;
    if (ring.pop(stolen))
        assert(stolen->size() == 7);
#endif
    producer.join();
    consumer.join();
    assert(ring.read_available() == 0);
}
