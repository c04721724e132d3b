// flags: -std=c++20
/* Reference counts: the object dies exactly once, after its last user; weak pointers see that. */
#undef NDEBUG
#include <atomic>
#include <cassert>
#include <memory>
#include <string>
#include <thread>

static std::atomic<int> destroyed{0};

struct Object {
    int value = 5;
    std::string text = std::string(64, 'o');
    ~Object()
    {
        value = 0;
        destroyed++;
    }
};

int main()
{
    auto object = std::make_shared<Object>();
    std::weak_ptr<Object> weak = object;
    auto use = [](std::shared_ptr<Object> mine) {
        auto copy = mine;
        mine.reset();
        assert(copy->value == 5 && copy->text.size() == 64);
    };
    std::thread a(use, object), b(use, object);
    object.reset();
    std::thread c([weak] {
        if (auto locked = weak.lock())
            assert(locked->value == 5);
    });
    a.join();
    b.join();
    c.join();
    assert(destroyed == 1 && weak.expired());

    std::shared_ptr<Object> separate(new Object);
    std::thread d([copy = separate]() mutable {
        assert(copy->value == 5);
        copy.reset();
    });
    assert(separate->value == 5);
    separate.reset();
    d.join();
    assert(destroyed == 2);
    return 0;
}
