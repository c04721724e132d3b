// expect: crash
// flags: -std=c++20
/* An exception reaches a noexcept function. */
#include <stdexcept>

static void fail(int n)
{
    if (n > 0)
        throw n; // HERE
}

static void quiet(int n) noexcept
{
    fail(n);
}

int main(int argc, char **)
{
    try {
        quiet(argc);
    } catch (int) {
    }
    return 0;
}
