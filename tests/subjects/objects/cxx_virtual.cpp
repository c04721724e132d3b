// flags: -std=c++20
/* Virtual functions: the pointer to the table is written in constructors and destructors (an
 * access of its own to the instrumentation) and read by other threads that are ordered after. */
#undef NDEBUG
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct Base {
    virtual ~Base() = default;
    virtual int value() const { return 1; }
};
struct Middle : Base {
    int value() const override { return 2; }
};
struct Derived : Middle {
    int extra = 3;
    int value() const override { return extra; }
};

static std::atomic<Base *> published{nullptr};

int main()
{
    std::thread reader([] {
        Base *seen = published.load(std::memory_order_acquire);
        if (seen)
            assert(seen->value() == 3 && dynamic_cast<Derived *>(seen));
    });
    std::unique_ptr<Base> object = std::make_unique<Derived>();
    published.store(object.get(), std::memory_order_release);
    assert(object->value() == 3);
    reader.join();
    return 0;
}
