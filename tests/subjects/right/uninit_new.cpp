// expect: pass
// flags: -std=c++20
/* With {} it is zero. */
#include "../help.h"
#include <memory>

static int *make()
{
    return static_cast<int *>(launder(new int{}));
}

int main()
{
    std::unique_ptr<int> number(make());
    return *number == 12345;
}
