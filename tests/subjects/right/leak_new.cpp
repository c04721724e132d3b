// expect: pass --leaks
// flags: -std=c++20
/* A unique_ptr and an exception. */
#include "../help.h"
#include <memory>
#include <stdexcept>

static void risky(bool fails)
{
    std::unique_ptr<int> raw(static_cast<int *>(launder(new int(5))));
    if (fails)
        throw std::runtime_error("lost");
}

int main()
{
    try {
        risky(true);
    } catch (const std::runtime_error &) {
    }
    return 0;
}
