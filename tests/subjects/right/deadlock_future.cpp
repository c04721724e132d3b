// expect: pass
// flags: -std=c++20
/* It is fulfilled. */
#include <future>
#include <thread>

static std::promise<int> promise;

static int get(std::future<int> &future)
{
    return future.get();
}

int main()
{
    std::future<int> future = promise.get_future();
    std::thread thread([] { promise.set_value(0); });
    int value = get(future);
    thread.join();
    return value;
}
