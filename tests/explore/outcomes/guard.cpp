/* Who initialises a function-local static. */
#include <atomic>
#include <thread>

#include "outcome.h"

static std::atomic<int> seen, made;
static thread_local int me;

struct thing {
    int runner, value;
    thing() : runner(me), value(1) { made.fetch_add(1, std::memory_order_relaxed); }
};

static thing &the()
{
    static thing one;
    return one;
}

static void user(int number)
{
    me = number;
    if (made.load(std::memory_order_relaxed))
        seen.fetch_add(4);
    assert(the().value == 1);
}

int main()
{
    std::thread a(user, 1), b(user, 2);
    user(0);
    a.join();
    b.join();
    assert(made.load() == 1);
    outcome(the().runner + seen.load());
    return 0;
}
