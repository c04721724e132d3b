// flags: -std=c++20
/* Local statics: initialised once, nobody passes before it is complete, a throwing initialiser is
 * tried again, destructors run at exit in reverse order. */
#undef NDEBUG
#include <cassert>
#include <cstdlib>
#include <string>
#include <thread>

static int constructed, attempts, destroyed;

struct Checked {
    int value;
    std::string text;
    Checked() : value(42), text(100, 'c')
    {
        constructed++;
        std::this_thread::yield();
    }
    ~Checked() { destroyed++; }
};

static Checked &instance()
{
    static Checked checked;
    return checked;
}

struct Throws {
    explicit Throws(int limit)
    {
        if (attempts++ < limit)
            throw attempts;
    }
};

static int throwing()
{
    int caught = 0;
    for (;;) {
        try {
            static Throws throws(2);
            return caught;
        } catch (int) {
            caught++;
        }
    }
}

static int nested()
{
    static int inner = instance().value + 1; /* a guard inside a guard */
    return inner;
}

static int recursive(int n)
{
    if (n == 0)
        return 1;
    static thread_local int mine = 0; /* no guard shared by threads */
    mine++;
    return recursive(n - 1) + 1;
}

int main()
{
    assert(constructed == 0 && destroyed == 0);
    std::atexit([] { assert(destroyed == 1); }); /* registered first: runs last */
    int caught[3];
    auto body = [&caught](int me) {
        assert(nested() == 43);
        Checked &checked = instance();
        assert(checked.value == 42 && checked.text == std::string(100, 'c'));
        assert(constructed == 1);
        caught[me] = throwing();
        assert(recursive(3) == 4);
    };
    std::thread a(body, 0), b(body, 1);
    body(2);
    a.join();
    b.join();
    assert(constructed == 1 && attempts == 3);
    assert(caught[0] + caught[1] + caught[2] == 2);
    return 0;
}
