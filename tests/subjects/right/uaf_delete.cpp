// expect: pass
// flags: -std=c++20
/* It is taken after push_back. */
#include "../help.h"
#include <vector>

int main()
{
    std::vector<int> numbers{1};
    int *first = static_cast<int *>(launder(&numbers[0]));
    for (int i = 0; i < 100; i++)
        numbers.push_back(i);
    first = &numbers[0];
    return *first > 1;
}
