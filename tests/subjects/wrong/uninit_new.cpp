// expect: uninitialised-read
// flags: -std=c++20
/* new of a plain type without () leaves it unset. */
#include "../help.h"
#include <memory>

static int *make()
{
    return static_cast<int *>(launder(new int)); // ALLOC
}

int main()
{
    std::unique_ptr<int> number(make());
    return *number == 12345; // HERE
}
