// flags: -std=c++20
/* Futures, promises, packaged tasks and async: values and exceptions come over, waits block. */
#undef NDEBUG
#include <cassert>
#include <chrono>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

using namespace std::chrono_literals;

int main()
{
    std::promise<std::string> promise;
    std::future<std::string> future = promise.get_future();
    assert(future.wait_for(0s) == std::future_status::timeout);
    std::thread setter([&promise] { promise.set_value(std::string(200, 'v')); });
    future.wait();
    assert(future.wait_for(0s) == std::future_status::ready);
    assert(future.get() == std::string(200, 'v') && !future.valid());
    setter.join();

    auto failing = std::async(std::launch::async, []() -> int { throw std::runtime_error("no"); });
    try {
        failing.get();
        assert(false);
    } catch (const std::runtime_error &error) {
        assert(std::string(error.what()) == "no");
    }
    auto deferred = std::async(std::launch::deferred, [] { return std::this_thread::get_id(); });
    assert(deferred.wait_for(0s) == std::future_status::deferred);
    assert(deferred.get() == std::this_thread::get_id());
    auto running = std::async(std::launch::async, [] { return std::this_thread::get_id(); });
    assert(running.get() != std::this_thread::get_id());

    std::packaged_task<int(int)> task([](int n) { return n * n; });
    std::shared_future<int> shared = task.get_future().share();
    int got[2] = {};
    std::thread reader([shared, &got] { got[0] = shared.get(); });
    std::thread reader2([shared, &got] { got[1] = shared.get(); });
    task(7);
    reader.join();
    reader2.join();
    assert(got[0] == 49 && got[1] == 49 && shared.get() == 49);

    std::future<int> broken;
    {
        std::promise<int> dies;
        broken = dies.get_future();
    }
    try {
        broken.get();
        assert(false);
    } catch (const std::future_error &error) {
        assert(error.code() == std::future_errc::broken_promise);
    }
    return 0;
}
