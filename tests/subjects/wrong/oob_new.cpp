// expect: out-of-bounds
// flags: -std=c++20
/* operator[] of a vector does not check. */
#include "../help.h"
#include <vector>

int main()
{
    std::vector<int> numbers(5); // ALLOC
    numbers.shrink_to_fit();
    auto at = reinterpret_cast<std::size_t>(launder(reinterpret_cast<void *>(5)));
    static_cast<int *>(launder(numbers.data()))[at] = 1; // HERE
    return 0;
}
