// expect: assertion
// flags: -std=c++20
/* Check, then act, on two atomics. */
#undef NDEBUG
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> taken{false};
static std::atomic<int> owners{0};

static void take()
{
    bool expected = taken.load();
    if (!expected) {
        taken.store(true);
        assert(owners.fetch_add(1) == 0); // HERE
    }
}

int main()
{
    std::thread a(take), b(take);
    a.join();
    b.join();
    return 0;
}
