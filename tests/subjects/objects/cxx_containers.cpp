// flags: -std=c++20
// executions: 60
/* Containers, strings and streams: parts of them live in the compiled C++ library and write heap
 * memory that instrumented code then reads. Nothing here is uninitialised, nothing races. */
#undef NDEBUG
#include <algorithm>
#include <cassert>
#include <deque>
#include <functional>
#include <iomanip>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>

static std::mutex mutex;
static std::map<int, std::string> tree;
static std::unordered_map<std::string, int> hashed;
static std::list<int> list;

static void fill(int base)
{
    for (int i = 0; i < 8; i++) {
        std::lock_guard<std::mutex> guard(mutex);
        std::string key = "a key longer than the small buffer " + std::to_string(base + i);
        tree[base + i] = key;
        hashed[key] = base + i;
        list.push_back(base + i);
    }
    std::lock_guard<std::mutex> guard(mutex);
    tree.erase(base);
}

static void alone()
{
    std::ostringstream out;
    out << "int " << 42 << " double " << 2.5 << ' ' << std::hex << std::setw(6) << std::setfill('0')
        << 255 << std::boolalpha << ' ' << true;
    assert(out.str() == "int 42 double 2.5 0000ff true");
    std::istringstream in("12 3.5 word\nthe rest of it, a long line that needs the heap");
    int i;
    double d;
    std::string word, line;
    assert(in >> i >> d >> word);
    in.ignore();
    assert(std::getline(in, line));
    assert(i == 12 && d == 3.5 && word == "word" && line.size() == 47);
    line.insert(3, std::string(100, 'i'));
    line.replace(0, 2, "replacement");
    line.append(line);
    assert(line.find("iii") == 12 && line.substr(0, 11) == "replacement");
    auto heap = std::make_unique<std::string>(line);
    assert(std::count(heap->begin(), heap->end(), 'i') >= 200);
    assert(std::stod("1e3") == 1000 && std::stol("-77") == -77);

    std::vector<int> numbers(100);
    for (int n = 0; n < 100; n++)
        numbers[static_cast<std::size_t>(n)] = n * 37 % 100;
    std::sort(numbers.begin(), numbers.end());
    assert(std::is_sorted(numbers.begin(), numbers.end()) && numbers[99] == 99);
    std::deque<std::string> deque;
    for (int n = 0; n < 50; n++)
        n % 2 ? deque.push_back(std::to_string(n)) : deque.push_front(std::to_string(n));
    assert(deque.front() == "48" && deque.back() == "49");
    std::set<int> set(numbers.rbegin(), numbers.rend());
    assert(set.size() == 100 && *set.begin() == 0 && *set.lower_bound(50) == 50);
    std::list<int> sorted{3, 1, 2};
    sorted.sort();
    sorted.splice(sorted.end(), std::list<int>{9, 8});
    assert(sorted.front() == 1 && sorted.back() == 8 && sorted.size() == 5);
    std::function<int(int)> twice = [&numbers](int n) { return n * 2 + numbers[0]; };
    assert(twice(4) == 8);
    std::variant<int, std::string> variant = std::string(40, 'v');
    assert(std::get<std::string>(variant).size() == 40);
    std::optional<std::vector<int>> optional(numbers);
    assert(optional->size() == 100);
    std::cout << "to standard output " << 1 << std::endl;
    std::cerr << "to standard error\n";
}

int main()
{
    std::thread a(fill, 0), b(fill, 100);
    fill(200);
    a.join();
    b.join();
    assert(tree.size() == 21 && hashed.size() == 24 && list.size() == 24);
    for (const auto &[key, text] : tree)
        assert(hashed.at(text) == key);
    std::thread c(alone);
    alone();
    c.join();
    /* Alone: the library fills a table of the locale without a lock at the first use. */
    assert(std::regex_match("abc123", std::regex("[a-c]+\\d{3}")));
    tree.clear();
    return 0;
}
