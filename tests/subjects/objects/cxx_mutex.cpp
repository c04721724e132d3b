// flags: -std=c++20
/* The standard's mutexes and locks. */
#undef NDEBUG
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

template <class F> static void elsewhere(F f)
{
    std::thread(f).join();
}

static void plain()
{
    std::mutex mutex;
    int counter = 0;
    auto count = [&] {
        for (int i = 0; i < 3; i++) {
            std::lock_guard<std::mutex> guard(mutex);
            counter++;
        }
    };
    std::thread a(count), b(count);
    count();
    a.join();
    b.join();
    assert(counter == 9);
    std::unique_lock<std::mutex> lock(mutex);
    elsewhere([&] { assert(!mutex.try_lock()); });
    lock.unlock();
    elsewhere([&] {
        assert(mutex.try_lock());
        mutex.unlock();
    });
    assert(lock.try_lock() && lock.owns_lock());
}

static void recursive()
{
    std::recursive_mutex mutex;
    mutex.lock();
    assert(mutex.try_lock());
    elsewhere([&] { assert(!mutex.try_lock()); });
    mutex.unlock();
    elsewhere([&] { assert(!mutex.try_lock()); });
    mutex.unlock();
    elsewhere([&] {
        assert(mutex.try_lock());
        mutex.unlock();
    });
    std::recursive_timed_mutex both;
    both.lock();
    assert(both.try_lock_for(1ms));
    elsewhere([&] { assert(!both.try_lock_for(1ms)); });
    both.unlock();
    both.unlock();
}

static void timed()
{
    std::timed_mutex mutex;
    assert(mutex.try_lock_for(0ms));
    elsewhere([&] {
        assert(!mutex.try_lock());
        assert(!mutex.try_lock_for(1ms));
        assert(!mutex.try_lock_until(std::chrono::steady_clock::now() - 1s));
        assert(!mutex.try_lock_until(std::chrono::system_clock::now() + 1ms));
    });
    int shared = 0;
    std::thread waiter([&] {
        if (mutex.try_lock_for(20s)) {
            shared++;
            mutex.unlock();
        }
    });
    shared++;
    mutex.unlock();
    waiter.join();
    assert(shared == 1 || shared == 2);
}

static void shared()
{
    std::shared_mutex mutex;
    int first = 0, second = 0;
    auto read = [&] {
        std::shared_lock<std::shared_mutex> lock(mutex);
        assert(first == second);
    };
    auto write = [&] {
        std::unique_lock<std::shared_mutex> lock(mutex);
        first++;
        second++;
    };
    std::thread a(read), b(write), c(read), d(write);
    a.join(), b.join(), c.join(), d.join();
    assert(first == 2);
    mutex.lock_shared();
    elsewhere([&] {
        assert(!mutex.try_lock());
        assert(mutex.try_lock_shared());
        mutex.unlock_shared();
    });
    mutex.unlock_shared();
    mutex.lock();
    elsewhere([&] { assert(!mutex.try_lock_shared()); });
    mutex.unlock();
    std::shared_timed_mutex timed;
    timed.lock();
    elsewhere([&] { assert(!timed.try_lock_shared_for(1ms) && !timed.try_lock_for(1ms)); });
    timed.unlock();
}

static void several()
{
    std::mutex x, y;
    int both = 0;
    std::thread a([&] {
        for (int i = 0; i < 2; i++) {
            std::scoped_lock lock(x, y);
            both++;
        }
    });
    for (int i = 0; i < 2; i++) {
        std::scoped_lock lock(y, x); /* the other way round: no deadlock */
        both++;
    }
    a.join();
    assert(both == 4);
    assert(std::try_lock(x, y) == -1);
    elsewhere([&] { assert(std::try_lock(y, x) == 0); });
    x.unlock();
    y.unlock();
}

int main()
{
    plain();
    recursive();
    timed();
    shared();
    several();
    return 0;
}
