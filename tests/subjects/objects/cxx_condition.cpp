// flags: -std=c++20
/* std::condition_variable and _any: waits with and without predicate, timed, stoppable. */
#undef NDEBUG
#include <barrier>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

static void queue()
{
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<int> items;
    std::vector<int> taken;
    bool closed = false;
    std::thread consumer([&] {
        for (;;) {
            std::unique_lock<std::mutex> lock(mutex);
            changed.wait(lock, [&] { return closed || !items.empty(); });
            if (items.empty())
                return;
            taken.push_back(items.front());
            items.pop_front();
        }
    });
    for (int i = 0; i < 4; i++) {
        {
            std::lock_guard<std::mutex> lock(mutex);
            items.push_back(i);
        }
        changed.notify_one();
    }
    {
        std::lock_guard<std::mutex> lock(mutex);
        closed = true;
    }
    changed.notify_all();
    consumer.join();
    assert((taken == std::vector<int>{0, 1, 2, 3}));
}

static void timed()
{
    std::mutex mutex;
    std::condition_variable never, maybe;
    std::unique_lock<std::mutex> lock(mutex);
    assert(!never.wait_for(lock, 1ms, [] { return false; }));
    assert(never.wait_for(lock, 0ms, [] { return true; }));
    while (never.wait_until(lock, std::chrono::steady_clock::now() - 1s) != std::cv_status::timeout)
        ;
    while (never.wait_until(lock, std::chrono::system_clock::now() + 1ms) !=
           std::cv_status::timeout)
        ;
    assert(lock.owns_lock());
    bool ready = false;
    std::thread setter([&] {
        std::lock_guard<std::mutex> guard(mutex);
        ready = true;
        maybe.notify_one();
    });
    bool seen = maybe.wait_for(lock, 20s, [&] { return ready; });
    assert(seen == ready);
    lock.unlock();
    setter.join();
    assert(ready);
}

static void any()
{
    std::shared_mutex mutex;
    std::condition_variable_any changed;
    int turn = 0;
    std::thread waiter([&] {
        std::shared_lock<std::shared_mutex> lock(mutex);
        changed.wait(lock, [&] { return turn == 1; });
    });
    {
        std::unique_lock<std::shared_mutex> lock(mutex);
        turn = 1;
    }
    changed.notify_all();
    waiter.join();
    std::jthread stoppable([&](std::stop_token stop) {
        std::unique_lock<std::shared_mutex> lock(mutex);
        assert(!changed.wait(lock, stop, [] { return false; }));
    });
    stoppable.request_stop();
}

static void modern()
{
    std::counting_semaphore<4> permits(1);
    std::latch both(2);
    std::barrier<> meet(2);
    int data = 0;
    std::thread other([&] {
        permits.acquire();
        data++;
        permits.release();
        both.arrive_and_wait();
        meet.arrive_and_wait();
        meet.arrive_and_wait();
    });
    permits.acquire();
    data++;
    permits.release();
    both.arrive_and_wait();
    assert(data == 2);
    meet.arrive_and_wait();
    meet.arrive_and_wait();
    other.join();
    assert(permits.try_acquire());
    assert(!permits.try_acquire());
    assert(!permits.try_acquire_for(1ms));
}

int main()
{
    queue();
    timed();
    any();
    modern();
    return 0;
}
