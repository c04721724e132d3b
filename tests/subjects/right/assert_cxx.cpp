// expect: pass
// flags: -std=c++20
/* One compare and swap. */
#undef NDEBUG
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> taken{false};
static std::atomic<int> owners{0};

static void take()
{
    bool expected = false;
    if (taken.compare_exchange_strong(expected, true)) {
        assert(owners.fetch_add(1) == 0);
    }
}

int main()
{
    std::thread a(take), b(take);
    a.join();
    b.join();
    return 0;
}
