// flags: -std=c++20
/* std::thread and std::jthread: arguments, results by reference, identities, hardware calls. */
#undef NDEBUG
#include <cassert>
#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

static void add(int a, int &out, std::unique_ptr<int> owned, std::string text)
{
    out = a + *owned + static_cast<int>(text.size());
}

struct Functor {
    int *hits;
    void operator()() const { ++*hits; }
    void method(int n) const { *hits += n; }
};

int main()
{
    std::thread none;
    assert(!none.joinable() && none.get_id() == std::thread::id());
    int result = 0, hits = 0;
    std::thread a(add, 1, std::ref(result), std::make_unique<int>(10), std::string(100, 'x'));
    std::thread::id id = a.get_id();
    assert(a.joinable() && id != std::this_thread::get_id() && id != std::thread::id());
    std::thread moved = std::move(a);
    assert(!a.joinable() && moved.get_id() == id);
    moved.join();
    assert(!moved.joinable() && result == 111);

    Functor functor{&hits};
    std::thread b(functor);
    b.join();
    std::thread c(&Functor::method, &functor, 5);
    c.join();
    assert(hits == 6);

    std::vector<std::thread> pool;
    int each[4] = {};
    for (int i = 0; i < 4; i++)
        pool.emplace_back([i, &each] { each[i] = i * i; });
    for (auto &thread : pool)
        thread.join();
    assert(each[0] == 0 && each[3] == 9);

    std::thread sleeper([] {
        auto before = std::chrono::steady_clock::now();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        assert(std::chrono::steady_clock::now() - before >= std::chrono::milliseconds(2));
        std::this_thread::sleep_until(std::chrono::steady_clock::now() +
                                      std::chrono::milliseconds(1));
        std::this_thread::yield();
    });
    sleeper.join();
    assert(std::thread::hardware_concurrency() >= 1);

    int rounds = 0;
    {
        std::jthread looping([&rounds](std::stop_token stop) {
            do
                rounds++, std::this_thread::yield();
            while (!stop.stop_requested());
        });
    } /* asks to stop and joins */
    assert(rounds >= 1);

    std::thread detached([] {});
    detached.detach();
    try {
        none.join();
        assert(false);
    } catch (const std::system_error &error) {
        assert(error.code() == std::errc::invalid_argument);
    }
    return 0;
}
