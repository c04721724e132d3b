// flags: -std=c++20
/* One exception shared by threads through exception_ptr: whoever lets go last destroys it. The
 * reference count lives inside the compiled C++ library, where no instrumentation reaches. */
#undef NDEBUG
#include <atomic>
#include <cassert>
#include <exception>
#include <string>
#include <thread>

static std::atomic<int> alive{0};

struct Error {
    int code;
    std::string text;
    explicit Error(int c) : code(c), text(60, 'e') { alive++; }
    Error(const Error &other) : code(other.code), text(other.text) { alive++; }
    ~Error()
    {
        code = 0;
        alive--;
    }
};

static void look(std::exception_ptr pointer)
{
    try {
        std::rethrow_exception(pointer);
    } catch (const Error &error) {
        assert(error.code == 17 && error.text.size() == 60);
    }
}

int main()
{
    std::exception_ptr pointer = std::make_exception_ptr(Error(17));
    std::thread a(look, pointer), b(look, pointer);
    look(pointer);
    pointer = nullptr;
    a.join();
    b.join();
    assert(alive == 0);
    return 0;
}
