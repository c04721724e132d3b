// flags: -std=c++20
/* Exceptions inside threads: through frames with destructors, several threads at once, nested,
 * rethrown in another thread; each thread has its own current exception. */
#undef NDEBUG
#include <cassert>
#include <exception>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <typeinfo>

struct Tracker {
    int &count;
    explicit Tracker(int &c) : count(c) { count++; }
    ~Tracker() { count--; }
};

static std::mutex mutex;

static void deep(int depth, int &count, const std::string &text)
{
    Tracker tracker(count);
    std::lock_guard<std::mutex> *none = nullptr;
    (void)none;
    if (depth == 0)
        throw std::runtime_error(text);
    deep(depth - 1, count, text);
}

static void body(const std::string &text)
{
    int count = 0;
    for (int i = 0; i < 3; i++) {
        try {
            deep(5, count, text);
            assert(false);
        } catch (const std::logic_error &) {
            assert(false);
        } catch (const std::exception &error) {
            assert(text == error.what());
            assert(count == 0);
            std::this_thread::yield(); /* inside a handler: others throw meanwhile */
            assert(std::current_exception() != nullptr);
            try {
                throw 5;
            } catch (int n) {
                assert(n == 5);
                std::this_thread::yield();
            }
            assert(text == error.what());
        }
        assert(std::current_exception() == nullptr && std::uncaught_exceptions() == 0);
    }
    try {
        std::lock_guard<std::mutex> guard(mutex);
        throw std::bad_alloc();
    } catch (const std::bad_alloc &) {
    }
    try {
        try {
            throw std::string(text);
        } catch (...) {
            throw;
        }
    } catch (const std::string &again) {
        assert(again == text);
    }
}

int main()
{
    std::thread a(body, std::string(40, 'a')), b(body, std::string(40, 'b'));
    body(std::string(40, 'c'));
    a.join();
    b.join();

    std::exception_ptr carried;
    std::thread c([&carried] {
        try {
            throw std::out_of_range("far");
        } catch (...) {
            carried = std::current_exception();
        }
    });
    c.join();
    try {
        std::rethrow_exception(carried);
    } catch (const std::out_of_range &error) {
        assert(std::string("far") == error.what());
    }
    bool failed = false;
    try {
        Tracker *volatile null = nullptr;
        (void)typeid(*null);
        (void)std::stoi("not a number");
    } catch (const std::exception &) {
        failed = true;
    }
    assert(failed);
    return 0;
}
