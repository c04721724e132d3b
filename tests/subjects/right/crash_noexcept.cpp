// expect: pass
// flags: -std=c++20
/* It is thrown past none. */
#include <stdexcept>

static void fail(int n)
{
    if (n > 0)
        throw n;
}

static void quiet(int n)
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
