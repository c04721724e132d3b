// flags: -std=c++20
/* std::atomic: wait blocks while the value is the old one; notify wakes; other types too. */
#undef NDEBUG
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

static std::atomic<int> word{0};
static std::atomic<std::uint64_t> wide{0};
static std::atomic<bool> flag{false};
static std::atomic_flag bit;
static int payload;

int main()
{
    word.wait(1); /* it is not 1: no wait */
    std::thread a([] {
        word.wait(0);
        assert(word.load() == 1);
        assert(payload == 5);
        wide.store(1);
        wide.notify_one();
    });
    std::thread b([] {
        wide.wait(0);
        assert(wide.load() == 1 && payload == 5);
        flag.store(true, std::memory_order_release);
        flag.notify_all();
    });
    payload = 5;
    word.store(1, std::memory_order_release);
    word.notify_all();
    flag.wait(false);
    assert(flag.load());
    a.join();
    b.join();

    std::thread c([] {
        bit.wait(false);
        assert(bit.test());
    });
    assert(!bit.test_and_set());
    bit.notify_one();
    c.join();
    return 0;
}
