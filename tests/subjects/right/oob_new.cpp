// expect: pass
// flags: -std=c++20
/* The index is inside. */
#include "../help.h"
#include <vector>

int main()
{
    std::vector<int> numbers(5);
    numbers.shrink_to_fit();
    auto at = reinterpret_cast<std::size_t>(launder(reinterpret_cast<void *>(4)));
    static_cast<int *>(launder(numbers.data()))[at] = 1;
    return 0;
}
