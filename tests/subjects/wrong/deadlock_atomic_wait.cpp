// expect: deadlock
// flags: -std=c++20
/* The value is changed, nobody is notified. */
#include <atomic>
#include <thread>

static std::atomic<int> word{0}, other{0};

static void wait_word()
{
    word.wait(0); // HERE
}

int main()
{
    std::thread thread(wait_word);
    for (int i = 0; i < 200; i++) /* time for the thread to stop spinning and sleep */
        other.fetch_add(1);
    word.store(1);
    thread.join();
    return 0;
}
