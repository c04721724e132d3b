// expect: crash
// flags: -std=c++20
/* An exception leaves a thread: std::terminate. */
#include <stdexcept>
#include <thread>

static void fail(bool really)
{
    if (really)
        throw std::runtime_error("nobody catches this"); // HERE
}

int main()
{
    std::thread thread([] { fail(true); });
    thread.join();
    return 0;
}
