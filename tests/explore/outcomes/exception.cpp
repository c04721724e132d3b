/* Whose exception is kept: its count of references changes out of sight, under a mutex and not. */
#include <exception>
#include <mutex>
#include <thread>

#include "outcome.h"

static std::mutex mutex;
static std::exception_ptr first;

static void thrower(int number)
{
    try {
        throw number;
    } catch (...) {
        std::lock_guard<std::mutex> lock(mutex);
        if (!first)
            first = std::current_exception();
    }
}

int main()
{
    std::thread a(thrower, 1), b(thrower, 2);
    a.join();
    b.join();
    int number = 0;
    try {
        std::rethrow_exception(first);
    } catch (int caught) {
        number = caught;
    }
    first = nullptr;
    outcome(number);
    return 0;
}
