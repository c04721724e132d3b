// Two threads add to one atomic counter.
#include <atomic>
#include <cassert>
#include <thread>

#ifndef STEP
#define STEP 1
#endif

static std::atomic<int> counter;

int main()
{
    std::thread a([] { counter += STEP; });
    std::thread b([] { counter += STEP; });
    a.join();
    b.join();
    assert(counter == 2 * (STEP));
}
