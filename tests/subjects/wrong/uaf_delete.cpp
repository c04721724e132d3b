// expect: use-after-free
// flags: -std=c++20
/* A reference to an element of a vector does not survive push_back. */
#include "../help.h"
#include <vector>

int main()
{
    std::vector<int> numbers{1};
    int *first = static_cast<int *>(launder(&numbers[0]));
    for (int i = 0; i < 100; i++)
        numbers.push_back(i); // FREE
    return *first > 1;        // HERE
}
