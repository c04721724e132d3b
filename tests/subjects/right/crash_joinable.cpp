// expect: pass
// flags: -std=c++20
/* It is joined. */
#include <thread>

static void nothing() {}

static void forget(bool join)
{
    std::thread thread(nothing);
    if (join)
        thread.join();
}

int main()
{
    forget(true);
    return 0;
}
