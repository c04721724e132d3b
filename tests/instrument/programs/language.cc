// What C++ adds: exceptions through and inside loops, objects before main, virtual functions.
#include <atomic>
#include <cassert>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> zero{0};

struct guard {
    int &n;
    explicit guard(int &count) : n(count) { n++; }
    ~guard() { n--; }
};

static int live;
static int may_throw(int i)
{
    guard g(live);
    if (i == 4)
        throw std::runtime_error("four");
    if (i == 7)
        throw i;
    return i;
}

static int catches()
{
    int sum = 0;
    for (int i = 0; zero.load() == 0; i++) {
        guard g(live);
        try {
            while (true) {
                guard h(live);
                if (may_throw(i) >= zero)
                    break;
            }
            sum += i;
        } catch (const std::runtime_error &e) {
            sum += e.what() == std::string("four") ? 1000 : 0;
        } catch (int n) {
            return sum + n * 10000;
        }
    }
    return 0;
}

static int rethrows(int depth)
{
    for (int i = 0; i < 3 + zero; i++)
        try {
            if (depth == 0)
                throw depth;
            return rethrows(depth - 1);
        } catch (...) {
            if (depth < 2)
                throw;
            return depth + i;
        }
    return -1;
}

static std::string text = "before " + std::string("main"); // made before main
inline std::vector<int> numbers{1, 2, 3};
struct counted {
    static inline int made = 0;
    counted() { made++; }
};
template <class T> struct holder {
    static counted c;
};
template <class T> counted holder<T>::c;
static counted &use = holder<int>::c;
thread_local std::string own = text + "!";

struct shape {
    virtual ~shape() = default;
    virtual int area() const = 0;
};
struct named {
    virtual std::string name() const { return "?"; }
};
struct square : shape, virtual named {
    int side;
    explicit square(int s) : side(s) {}
    int area() const override { return side * side; }
    std::string name() const override { return "square"; }
};

int main()
{
    assert(catches() == 0 + 1 + 2 + 3 + 1000 + 5 + 6 + 70000 && live == 0);
    assert(rethrows(3) == 2);
    assert(text == "before main" && numbers.size() == 3 && counted::made == 1 && &use);
    std::vector<std::unique_ptr<shape>> shapes;
    for (int i = 1; i < 5; i++)
        shapes.push_back(std::make_unique<square>(i));
    int area = 0;
    for (const auto &s : shapes) {
        area += s->area();
        assert(dynamic_cast<named &>(*s).name() == "square");
    }
    assert(area == 30);
    std::function<int(int)> f = [&](int n) { return n ? n + f(n - 1) : 0; };
    assert(f(5) == 15);
    std::atomic<int> ready{0};
    std::thread t([&] {
        assert(own == "before main!");
        int expected = 0;
        while (!ready.compare_exchange_weak(expected, 2))
            expected = 0;
    });
    while (ready != 2)
        std::this_thread::yield();
    t.join();
    static int once = [] { return 7; }();
    assert(once == 7);
}
