// expect: crash
// flags: -std=c++20
/* An exception reaches a noexcept function. */
#include <stdexcept>

static void fail(int n)
{
    if (n > 0)
        throw n;
}

static void quiet(int n) noexcept
{
    fail(n); // HERE
}

int main(int argc, char **)
{
    try {
        quiet(argc);
    } catch (int) {
    }
    return 0;
}
