/* The C++ library: std::thread, std::mutex, std::condition_variable, std::shared_ptr; also
 * std::call_once, a static local (guard variable), thread_local, std::weak_ptr.
 *
 * Switches: none. Races: none allowed.
 *
 * Asserted: a bounded buffer guarded by a mutex and two condition variables hands over every value
 * once, in the order of each producer; an object owned by shared_ptr copies in three threads is
 * destroyed once, by the last owner, after all uses, whether a weak_ptr outlives it or goes
 * before; call_once and the static local are initialised once and seen by all; every thread has
 * its own thread_local, destroyed at its end.
 *
 * With -DMISUSE, what must be found: a wake-up that is not sent (deadlock).
 */
#include "ledger.h"
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

enum { PRODUCERS = 2, EACH = 2, CAPACITY = 1 };

class bounded_buffer
{
    std::mutex lock;
    std::condition_variable not_full, not_empty;
    std::deque<int> values;

  public:
    void put(int value)
    {
        std::unique_lock<std::mutex> guard(lock);
        not_full.wait(guard, [this] { return values.size() < CAPACITY; });
        values.push_back(value);
        not_empty.notify_one();
    }

    int take()
    {
        std::unique_lock<std::mutex> guard(lock);
        not_empty.wait(guard, [this] { return !values.empty(); });
        int value = values.front();
        values.pop_front();
#ifndef MISUSE
        not_full.notify_one();
#endif
        return value;
    }
};

static int resources_made; /* plain: main makes them */
static std::atomic<int> resources_destroyed;

struct resource {
    std::string text = "alive"; /* plain memory: a use after the destruction is an error */

    resource() { resources_made++; }
    ~resource()
    {
        assert(text == "alive");
        text = "dead";
        resources_destroyed++;
    }
};

static std::once_flag once;
static int once_runs;

static const std::vector<int> &table()
{
    static const std::vector<int> made = {1, 2, 3};
    return made;
}

struct per_thread {
    int uses = 0;
    ~per_thread() { assert(uses == EACH); }
};
static thread_local per_thread mine;

static void prologue(const std::shared_ptr<resource> &owner)
{
    std::call_once(once, [] { once_runs++; });
    assert(once_runs == 1);
    assert(table().size() == 3 && table()[2] == 3);
    assert(owner->text == "alive");
}

static void produce(bounded_buffer &buffer, std::shared_ptr<resource> owner,
                    std::shared_ptr<resource> other, int p)
{
    prologue(owner);
    assert(other->text == "alive");
    other.reset();
    for (int i = 0; i < EACH; i++) {
        mine.uses++;
        buffer.put(ledger_value(p, i));
    }
}

static void consume(bounded_buffer &buffer, std::weak_ptr<resource> watcher,
                    std::weak_ptr<resource> other, ledger &l)
{
    other.reset();
    for (int i = 0; i < PRODUCERS * EACH; i++)
        ledger_take(&l, buffer.take());
    if (std::shared_ptr<resource> owner = watcher.lock())
        prologue(owner);
    mine.uses += EACH;
}

int main()
{
    bounded_buffer buffer;
    ledger ledgers[2] = {};
    std::weak_ptr<resource> watcher;

    {
        std::shared_ptr<resource> owner = std::make_shared<resource>();
        std::shared_ptr<resource> other = std::make_shared<resource>();
        std::weak_ptr<resource> other_watcher = other;
        watcher = owner;
        std::thread first(produce, std::ref(buffer), owner, other, 0);
        std::thread second(produce, std::ref(buffer), std::move(owner), std::move(other), 1);
        std::thread third(consume, std::ref(buffer), watcher, std::move(other_watcher),
                          std::ref(ledgers[0]));
        first.join();
        second.join();
        third.join();
    }
    assert(watcher.expired());
    assert(resources_made == 2 && resources_destroyed == 2);
    ledger_check(ledgers, 2, PRODUCERS, EACH, LEDGER_FIFO);
}
