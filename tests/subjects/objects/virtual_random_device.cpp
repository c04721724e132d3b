// flags: -std=c++20
/* std::random_device is the same in every execution; see virtual_random.c for how. */
#undef NDEBUG
#include <cassert>
#include <cstdio>
#include <random>

int main()
{
    std::random_device device;
    unsigned numbers[4], stored[4];
    for (unsigned &n : numbers)
        n = device();
    std::mt19937 engine;
    assert(engine() == 3499211612u);
    std::FILE *file = std::fopen("device.bytes", "rb");
    if (!file) {
        file = std::fopen("device.bytes", "wb");
        assert(file && std::fwrite(numbers, sizeof numbers, 1, file) == 1);
    } else {
        assert(std::fread(stored, sizeof stored, 1, file) == 1);
        for (int i = 0; i < 4; i++)
            assert(stored[i] == numbers[i]);
    }
    assert(std::fclose(file) == 0);
    return 0;
}
