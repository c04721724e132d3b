// expect: pass
// flags: -std=c++20
/* It is destroyed after the call. */
#include <new>
#include <thread>

struct Base {
    virtual ~Base() { __asm__ volatile("" : : "r"(this) : "memory"); }
    virtual int value() const { return 1; }
    int plain = 1;
};
struct Derived : Base {
    ~Derived() override = default;
    int value() const override { return 2; }
};

alignas(Derived) static char room[sizeof(Derived)];

static int call(Base *object)
{
    return object->value();
}

int main()
{
    Base *object = new (room) Derived;
    std::thread thread([object] { (void)call(object); });
    thread.join();
    object->~Base();
    return 0;
}
