// expect: data-race
// flags: -std=c++20
/*
 * The count of a shared_ptr is atomic, the shared_ptr itself is not: one thread assigns it
 * while another copies it.
 */
#include <memory>
#include <thread>

std::shared_ptr<int> global = std::make_shared<int>(1);

int main()
{
    std::shared_ptr<int> own = global;
    std::thread thread([] { global.reset(); }); // HERE
    std::shared_ptr<int> copy = global;         // HERE
    thread.join();
    return *own > 1;
}
