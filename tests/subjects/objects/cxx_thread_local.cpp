// flags: -std=c++20
/* thread_local objects: constructed for each thread that uses them, destroyed when it ends, before
 * join returns; the last constructed first. */
#undef NDEBUG
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

static std::atomic<int> alive{0}, made{0};

struct Counted {
    int id;
    std::string text;
    Counted() : id(++made), text(50, 't') { alive++; }
    ~Counted()
    {
        assert(text == std::string(50, 't'));
        alive--;
    }
};

static thread_local Counted global;
static thread_local int plain = 7;
static thread_local std::string order;

struct Noting {
    char letter;
    std::string *out;
    ~Noting() { *out += letter; }
};

int main()
{
    assert(plain == 7 && order.empty());
    plain = 1;
    int main_id = global.id;
    assert(alive == 1 && main_id == 1);
    auto body = [main_id] {
        assert(plain == 7);
        plain = 100;
        assert(global.id != main_id);
        global.text[0] = 't';
        static thread_local Counted local;
        assert(local.id != global.id);
        order = "x";
    };
    std::thread a(body), b(body);
    a.join();
    b.join();
    assert(alive == 1 && made == 5);
    assert(plain == 1 && order.empty());

    std::string letters;
    std::thread c([&letters] {
        static thread_local Noting first{'a', &letters};
        static thread_local Noting second{'b', &letters};
        static thread_local Noting third{'c', &letters};
        assert(first.letter == 'a' && second.letter == 'b' && third.letter == 'c');
    });
    c.join();
    assert(letters == "cba");
    std::thread never_uses([] {});
    never_uses.join();
    assert(made == 5);
    return 0;
}
