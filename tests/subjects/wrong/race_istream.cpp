// expect: data-race
// A number read from a stream is written, though inside the library.
#include <sstream>
#include <thread>

static unsigned shared;

int main()
{
    std::istringstream in("42");
    std::thread t([] { shared = 1; });
    in >> shared; // HERE
    t.join();
}
