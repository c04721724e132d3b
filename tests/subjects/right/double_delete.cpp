// expect: pass
// flags: -std=c++20
/* One does. */
#include "../help.h"
#include <memory>

static int *make()
{
    return static_cast<int *>(launder(new int(5)));
}

int main()
{
    std::unique_ptr<int> one(make());
    std::unique_ptr<int> two(static_cast<int *>(launder(nullptr)));
    two.reset();
    one.reset();
    return 0;
}
