// expect: deadlock
// flags: -std=c++20
/* notify_one for two waiters. */
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable condition;
static bool ready;

static void wait_ready()
{
    std::unique_lock<std::mutex> lock(mutex);
    condition.wait(lock, [] { return ready; }); // HERE
}

int main()
{
    std::thread a(wait_ready), b(wait_ready);
    {
        std::lock_guard<std::mutex> lock(mutex);
        ready = true;
    }
    condition.notify_one();
    a.join();
    b.join();
    return 0;
}
