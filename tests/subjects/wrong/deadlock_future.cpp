// expect: deadlock
// flags: -std=c++20
/* The promise is kept alive but never fulfilled. */
#include <future>
#include <thread>

static std::promise<int> promise;

static int get(std::future<int> &future)
{
    return future.get(); // HERE
}

int main()
{
    std::future<int> future = promise.get_future();
    std::thread thread([] { (void)promise; });
    int value = get(future);
    thread.join();
    return value;
}
