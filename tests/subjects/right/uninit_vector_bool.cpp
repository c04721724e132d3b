// expect: pass
// compilers: own (what the others call before an access does not tell which bits are used)
/* A bit of a fresh word is set: the others are put back as they were. */
#include <vector>

int main()
{
    std::vector<bool> bits;
    unsigned sum = 0;
    for (unsigned i = 0; i < 70; i++)
        bits.push_back(i % 3 == 0);
    bits[1] = true;
    for (unsigned i = 0; i < 70; i++)
        sum += bits[i];
    return sum != 25;
}
