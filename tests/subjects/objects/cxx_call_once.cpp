// flags: -std=c++20
/* std::call_once: one call that returns; a call that throws does not count and the next one tries
 * again, waiting threads included. */
#undef NDEBUG
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::once_flag flag, throwing;
static int calls, attempts, value; /* plain: ordered by the flag */

static void use()
{
    std::call_once(flag, [] { calls++; });
    assert(calls == 1);
}

static int use_throwing()
{
    int caught = 0;
    for (bool done = false; !done;) {
        try {
            std::call_once(
                throwing,
                [](int n) {
                    if (attempts++ < 2)
                        throw std::runtime_error("again");
                    value = n;
                },
                42);
            done = true;
        } catch (const std::runtime_error &) {
            caught++;
        }
    }
    assert(value == 42 && attempts == 3);
    return caught;
}

int main()
{
    int caught[3];
    std::thread a([&] {
        use();
        caught[0] = use_throwing();
    });
    std::thread b([&] {
        use();
        caught[1] = use_throwing();
    });
    use();
    caught[2] = use_throwing();
    a.join();
    b.join();
    assert(caught[0] + caught[1] + caught[2] == 2);
    return 0;
}
