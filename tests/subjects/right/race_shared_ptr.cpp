// expect: pass
// flags: -std=c++20
/* Each thread has its own shared_ptr to the same object. */
#include <memory>
#include <thread>

std::shared_ptr<int> global = std::make_shared<int>(1);

int main()
{
    std::shared_ptr<int> own = global;
    std::thread thread([] { global.reset(); });
    std::shared_ptr<int> copy = own;
    thread.join();
    return *own > 1;
}
