// expect: double-free
// flags: -std=c++20
/* Two unique_ptr own the same object. */
#include "../help.h"
#include <memory>

static int *make()
{
    return static_cast<int *>(launder(new int(5))); // ALLOC
}

int main()
{
    std::unique_ptr<int> one(make());
    std::unique_ptr<int> two(static_cast<int *>(launder(one.get())));
    two.reset(); // FREE
    one.reset(); // HERE
    return 0;
}
