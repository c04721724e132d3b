// flags: -std=c++20 -fsized-deallocation
/* operator new and delete in every form. */
#undef NDEBUG
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <thread>
#include <vector>

struct alignas(64) Line {
    char bytes[64];
};
struct alignas(4096) Page {
    char bytes[100];
};
struct Plain {
    int a = 1;
    double b = 2;
};
struct WithDestructor {
    static inline int alive = 0;
    int a = 5;
    WithDestructor() { alive++; }
    ~WithDestructor() { alive--; }
};

static bool aligned(const void *p, std::size_t to)
{
    return reinterpret_cast<std::uintptr_t>(p) % to == 0;
}

int main()
{
    auto *one = new Plain;
    assert(aligned(one, alignof(std::max_align_t)) && one->a == 1 && one->b == 2);
    delete one;
    auto *many = new WithDestructor[10];
    assert(WithDestructor::alive == 10 && many[9].a == 5);
    delete[] many;
    assert(WithDestructor::alive == 0);
    auto *line = new Line;
    auto *lines = new Line[3];
    auto *page = new Page;
    assert(aligned(line, 64) && aligned(lines, 64) && aligned(&lines[2], 64) &&
           aligned(page, 4096));
    std::memset(lines, 7, 3 * sizeof(Line));
    assert(lines[2].bytes[63] == 7);
    delete line;
    delete[] lines;
    delete page;
    int *nothrow = new (std::nothrow) int(5);
    assert(nothrow && *nothrow == 5);
    delete nothrow;
    volatile std::size_t huge = SIZE_MAX / 4;
    assert(::operator new[](huge, std::nothrow) == nullptr);
    bool thrown = false;
    try {
        ::operator delete(::operator new(huge));
    } catch (const std::bad_alloc &) {
        thrown = true;
    }
    assert(thrown);
    void *raw = ::operator new(100);
    ::operator delete(raw, std::size_t(100));
    raw = ::operator new(100, std::align_val_t(256));
    assert(aligned(raw, 256));
    ::operator delete(raw, std::size_t(100), std::align_val_t(256));
    raw = ::operator new[](100, std::align_val_t(128), std::nothrow);
    assert(aligned(raw, 128));
    ::operator delete[](raw, std::align_val_t(128));
    alignas(Plain) char room[sizeof(Plain)];
    auto *placed = new (room) Plain;
    assert(placed->a == 1);
    placed->~Plain();
    char *empty = new char[0];
    assert(empty);
    delete[] empty;
    delete static_cast<int *>(nullptr);

    std::vector<int *> handed(20);
    std::thread maker([&handed] {
        for (auto &p : handed)
            p = new int(9);
    });
    maker.join();
    std::thread taker([&handed] {
        for (auto *p : handed) {
            assert(*p == 9);
            delete p;
        }
    });
    taker.join();
    return 0;
}
