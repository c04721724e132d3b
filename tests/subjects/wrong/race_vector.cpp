// expect: data-race
// flags: -std=c++20
/* Two threads push to one vector without a lock. */
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
std::vector<int> numbers;

static void push(int n)
{
    numbers.push_back(n); // HERE
}

static void locked(int n)
{
    std::unique_lock<std::mutex> lock(mutex, std::defer_lock);
    push(n);
}

int main()
{
    std::thread a(locked, 1), b(locked, 2);
    a.join();
    b.join();
    return 0;
}
