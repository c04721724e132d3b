/* Two threads let go of one object: exactly one destroys it. libstdc++ would look at both counts of
 * a shared_ptr by one load, which no model knows; it is kept from that. */
// counts: sc=2 tso=2 rc11=2
// finding: -DTWICE sc=data-race tso=data-race rc11=data-race
#include <cassert>
#include <memory>
#include <thread>

static int destroyed;

struct object {
    ~object() { destroyed++; }
};

int main()
{
    auto first = std::make_shared<object>();
#ifdef TWICE /* both let go of the same pointer */
    std::thread thread([&first] { first.reset(); });
#else
    std::thread thread([second = first]() mutable { second.reset(); });
#endif
    first.reset();
    thread.join();
    assert(destroyed == 1);
}
