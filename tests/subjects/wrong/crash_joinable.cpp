// expect: crash
// flags: -std=c++20
/* A std::thread is destroyed before it was joined: std::terminate. */
#include <thread>

static void nothing() {}

static void forget(bool join)
{
    std::thread thread(nothing);
    if (join)
        thread.join();
} // HERE

int main()
{
    forget(false);
    return 0;
}
