// expect: leak --leaks
// flags: -std=c++20
/* A raw owning pointer and an exception. */
#include "../help.h"
#include <memory>
#include <stdexcept>

static void risky(bool fails)
{
    int *raw = static_cast<int *>(launder(new int(5))); // HERE
    if (fails)
        throw std::runtime_error("lost");
    delete raw;
}

int main()
{
    try {
        risky(true);
    } catch (const std::runtime_error &) {
    }
    return 0;
}
