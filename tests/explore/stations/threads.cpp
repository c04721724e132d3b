// Thread-locals with destructors, caught exceptions, heap and data of libraries are kept, or no
// station is made.
#include <atomic>
#include <cassert>
#include <cerrno>
#include <sstream>
#include <string>
#include <thread>

static std::atomic<int> x, y, ended;

static void mix(int i)
{
    (i & 1 ? x : y).store(i, std::memory_order_relaxed);
    (void)(i & 1 ? y : x).load(std::memory_order_relaxed);
}

struct local {
    std::string text = "a text that is too long to be without the heap";
    ~local()
    {
        assert(text.size() == 47);
        ended++;
    }
};
static thread_local local mine;
static thread_local int number = 5;

static void caught(int i)
{
    try {
        throw std::string("another text that is too long") + std::to_string(i);
    } catch (std::string &text) {
        mix(i);
        assert(text.size() == 30);
    }
}

static void run(int i)
{
    number += i;
    errno = i;
    std::ostringstream out;
    out << i << ' ' << 2.5;
    caught(i);
    assert(number == 5 + i && errno == i);
    assert(out.str() == std::to_string(i) + " 2.5");
    mine.text += std::to_string(i);
    mix(i);
    assert(number == 5 + i);
}

int main()
{
    std::thread one(run, 1), two(run, 2);
    one.join();
    two.join();
    assert(ended == 2);
}
