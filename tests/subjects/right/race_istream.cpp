// Numbers and characters read from a stream after a join; a fresh variable that is read into counts
// as written.
#include <cassert>
#include <memory>
#include <sstream>
#include <thread>

static unsigned shared;

int main()
{
    std::istringstream in("42 -1 2.5 1 x y z");
    std::thread t([] { shared = 1; });
    t.join();
    auto number = std::unique_ptr<int>(new int);
    auto real = std::unique_ptr<double>(new double);
    bool flag;
    char one, two;
    in >> shared >> *number >> *real >> flag >> one >> std::ws;
    in.get(two);
    assert(shared == 42 && *number == -1 && *real == 2.5 && flag && one == 'x' && two == 'y');
}
