// expect: data-race
// flags: -std=c++20
/*
 * An object of a derived class is being destroyed while another thread calls a virtual
 * function of it.
 */
#include <new>
#include <thread>

struct Base {
    virtual ~Base() { __asm__ volatile("" : : "r"(this) : "memory"); } // HERE
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
    return object->value(); // HERE
}

int main()
{
    Base *object = new (room) Derived;
    std::thread thread([object] { (void)call(object); });
    object->~Base();
    thread.join();
    return 0;
}
