// expect: pass
// flags: -std=c++20
/* It is caught. */
#include <stdexcept>
#include <thread>

static void fail(bool really)
{
    if (really)
        throw std::runtime_error("nobody catches this");
}

int main()
{
    std::thread thread([] { fail(false); });
    thread.join();
    return 0;
}
