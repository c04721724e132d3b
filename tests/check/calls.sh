# What may stand in --call, --setup, --decl; results of every sort; names of invocations.
source "$SRC/tests/check/lib.bash"

cat >all.c <<'C'
#include <stdbool.h>
#include <stdint.h>
enum colour { RED, GREEN };
struct pair { int a, b; };
struct ring { int value; bool full; };
static bool get(struct ring *r, int *out) { bool full = r->full; if (full) *out = r->value; r->full = false; return full; }
static void put(struct ring *r, int value) { r->value = value; r->full = true; }
static enum colour colour(void) { return GREEN; }
static struct pair both(void) { return (struct pair){1, -2}; }
static double half(void) { return 0.5; }
static float quarter(void) { return 0.25f; }
static void *nothing(void) { return 0; }
static int8_t small(void) { return -3; }
static uint64_t large(void) { return UINT64_MAX; }
int main(void) { return 1; }
C
ring=(--decl 'struct ring ring, *r = &ring' --setup 'r->full = false' --teardown 'r = 0')
# One thread: its answers are in the report of an invariant that does not hold.
rm -f found.plumb
expect 1 check all.c "${ring[@]}" --call 'put(r, 7)' --call 'int v; bool get(r, &v) -> v' \
    --call 'colour()' --call 'both()' --call 'half()' --call 'quarter()' --call 'nothing()' \
    --call 'small()' --call 'large()' --invariant '1' --invariant 'r->full' \
    --test 'put(7),get(),get,colour(),both(),half(),quarter(),nothing(),small(),large()' --save no
grep -q 'INVARIANT BROKEN' out || die "no invariant"

# Nondeterminism, alone.
cat >choose.c <<'C'
#include <plumb.h>
static int any(void) { return plumb_choose(3); }
static int same(void) { return plumb_choose(3) * 0; }
C
violates nondeterministic choose.c --call 'any()' --call 'same()' --test 'same() | any()'
grep -q 'any() answers' first || die "which answers?"
passes choose.c --call 'any()' --call 'same()' --test 'same() | same()'

# The same in C++.
cat >queue.cc <<'C'
#include <mutex>
#include <deque>
namespace {
std::mutex lock;
std::deque<int> items;
struct queue {
    void push(int x) { std::lock_guard<std::mutex> g(lock); items.push_back(x); }
    bool pop(int &x) { std::lock_guard<std::mutex> g(lock); if (items.empty()) return false; x = items.front(); items.pop_front(); return true; }
} q;
}
C
passes queue.cc --call 'q.push(1)' --call 'int v = 0; q.pop(v) -> v' --test 'push(1) | pop()'

# An initial and a final sequence.
passes "$SRC/subjects/correct/locked_queue.c" "${queue[@]}" --init 'add(2)' --final 'try_take()' \
    --test 'add(1) | try_take()'
violates not-linearizable "$SRC/subjects/wrong/lost_stack.c" "${stack[@]}" --init 'push(1)' \
    --test 'pop() | pop()'
grep -q 'before it: push(1)' first || die "the initial sequence is not shown"

# A structure with padding: what is between its members is no answer, its members are. In C and C++, of
# every compiler.
cat >padded.c <<'C'
#ifdef __cplusplus
#include <atomic>
using std::atomic_int;
#else
#include <stdatomic.h>
#endif
#include <stdbool.h>
struct padded { bool ok; int v; struct { char c; double d; } in; };
static atomic_int n;
static struct padded right(int v) { struct padded r; r.ok = true; r.v = v; r.in.c = 'x'; r.in.d = 0.5; return r; }
static struct padded lost(void) { int v = n; n = v + 1; return right(v); }
C
cp padded.c padded.cc
for file in padded.c padded.cc; do
    for cc in '' '--cc gcc' '--cc clang-19'; do
        passes $file $cc --call 'right(1)' --call 'right(2)' --size 2x1 --model sc
    done
    expect 1 check $file --call 'lost()' --size 2x1 --model sc --save no
    grep -q 'lost() = true 0 120 0.5   lost() = true 0 120 0.5' out || { cat out; die "$file: the members"; }
done
# Also of members that are wide, arrays, bit-fields, a precise long double; with litter in between.
cat >odd.c <<'C'
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
static atomic_int n;
static void *litter(void *at, unsigned long size) { memset(at, 37 * n++ + 11, size); return at; }
struct wide { char c; __int128 x; };
struct array { char c; int v[2]; const char *name[2]; uint8_t u[3]; };
struct bits { unsigned a : 3, b : 3; double d; };
struct precise { char c; long double d; };
struct inner { char c; int i; };
struct nested { int v; struct inner at[2]; };
#define MAKE(type, ...) struct type r; litter(&r, sizeof r); __VA_ARGS__; return r;
static struct wide wide(int v) { MAKE(wide, r.c = 1; r.x = (__int128)v << 64) }
static struct array array(int v) { MAKE(array, r.c = 1; r.v[0] = v; r.v[1] = 2; r.name[0] = r.name[1] = 0; memset(r.u, 7, 3)) }
static struct bits bits(int v) { MAKE(bits, r.a = (unsigned)v & 7; r.b = 3; r.d = 0.5) }
static struct precise precise(int v) { MAKE(precise, r.c = 1; r.d = v / 3.0L) }
static struct nested nested(int v) { MAKE(nested, r.v = v; r.at[0].c = r.at[1].c = 1; r.at[0].i = r.at[1].i = 2) }
static atomic_int count;
static int next(void) { int v = count; count = v + 1; return v; }
C
for cc in '' '--cc gcc'; do
    for name in wide array bits precise; do
        passes odd.c $cc --call "$name(1)" --call "$name(2)" --size 2x1 --model sc
        expect 1 check odd.c $cc --call "$name(next())" --test "$name(next()) | $name(next())" --model sc --save no
        grep -q '^NOT LINEARIZABLE' out || { cat out; die "$cc $name: its members"; }
    done
done
# What is padding in an array of structures clang does not tell: nothing is compared then.
passes odd.c --cc gcc --call 'nested(1)' --size 2x1 --model sc
expect 2 check odd.c --call 'nested(1)' --size 2x1 --model sc
grep -q '^an answer whose members are objects, or arrays of such: name what' err || { cat err; die "nested"; }
passes odd.c --call 'struct nested s = nested(1); s.v => s.at[0].c, s.at[1].i' --size 2x1 --model sc
# Debian's clang (14) cannot tell, and says so; of numbers it is as good as any.
printf '#include <stdatomic.h>\nstatic atomic_int n;\nstatic int next(void) { return n++; }\n' >next.c
passes next.c --cc clang --call 'next()' --size 2x2 --model sc
for file in padded.c padded.cc; do
    cc=$([ $file = padded.c ] && echo clang || echo clang++)
    if clang -dM -E - </dev/null | grep -qE '__clang_major__ (9|1[0-4])$'; then
        expect 2 check $file --cc "$cc" --call 'right(1)' --size 2x1
        cat out err | grep -q 'leave --cc out, or use gcc' || { cat out err; die "$file: an old clang"; }
    else
        passes $file --cc "$cc" --call 'right(1)' --call 'right(2)' --size 2x1 --model sc
    fi
done
passes padded.c --call 'right(1)' --size 2x1 --model sc
grep -q 'linearizable in the only test of 2x1' out || { cat out; die "one test"; }
# bool is known to calls, whatever the file includes.
cat >flag.c <<'C'
#include <stdatomic.h>
static atomic_int n;
static int half(int *out) { *out = atomic_fetch_add(&n, 1); return *out % 2; }
C
expect 0 check flag.c --call 'int v; bool half(&v) -> v' --test 'half(&v) | half(&v)' --model sc

# Of a class its value counts, not what else is in it: what an empty optional holds, where a string has
# its characters. And of a long double the bytes that belong to it.
cat >classes.cc <<'C'
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>
static std::atomic<int> n{0};
[[gnu::noinline]] static void litter(int k)
{
    volatile char b[400];
    for (int i = 0; i < 400; i++)
        b[i] = (char)(37 * k + i);
}
static int next() { int v = n.load(); litter(v + 3); n.store(v + 1); litter(v + 7); return v; }
static std::tuple<char, int, double> three() { int v = next(); return {'x', v, 0.5}; }
static std::pair<bool, std::optional<int>> maybe() { int v = next(); return {true, v ? std::optional<int>(v) : std::nullopt}; }
static std::string text() { return "number " + std::to_string(next()); }
static std::vector<int> list() { return {next(), 2}; }
static std::array<int, 2> array() { return {next(), 2}; }
static std::variant<int, std::string> either() { if (next()) return 1; return "none"; }
static std::unique_ptr<int> owned() { return next() ? nullptr : std::make_unique<int>(1); }
class handle { char kind = 'h'; int number; public: explicit handle(int v) : number(v) {} };
static handle opened() { return handle(next()); }
static long double wide() { return next() + 0.5L; }
static long double third() { return (next() + 1) / 3.0L; }
struct labelled { int n; std::string label; };
static labelled label() { return {next(), "a"}; }
static std::optional<int> take() { int v = n.exchange(0); if (v) return v; return std::nullopt; }
static void put(int v) { n.store(v); }
C
cat >snapshot.cc <<'C'
#include <array>
#include <mutex>
static std::mutex m;
static std::array<int, 2> at{};
static std::array<int, 2> scan() { std::lock_guard<std::mutex> g(m); return at; }
static void update(int i, int v) { std::lock_guard<std::mutex> g(m); at[i] = v; }
C
cat >set.cc <<'C'
#include <atomic>
#include <vector>
static std::atomic<int> inside;
static bool add(int) { return !inside.exchange(1); }
static std::vector<int> read() { if (inside) return {0}; return {}; }
C
cat >lists.cc <<'C'
#include <atomic>
#include <optional>
#include <string>
#include <vector>
using std::optional;
using std::pair;
using std::vector;
static std::atomic<int> a, b;
/* Before, in the midst of it, after. */
template <class T> static T one_of(T first, T second, T third)
{
    int x = a.load(), y = b.load();
    return x == 0 && y == 0 ? first : x == 0 ? second : third;
}
static vector<size_t> number() { return one_of<vector<size_t>>({}, {0}, {9}); }
static vector<vector<int>> inner() { return one_of<vector<vector<int>>>({{1}, {2, 3}}, {{1, 2}, {3}}, {{9}}); }
typedef pair<vector<int>, vector<int>> two;
static two both() { return one_of<two>({{1}, {2, 3}}, {{1, 2}, {3}}, {}); }
typedef optional<optional<int>> twice;
static twice level() { return one_of<twice>(twice(), twice(optional<int>()), twice(5)); }
typedef optional<vector<int>> some;
static some held() { return one_of<some>(some(), some(vector<int>()), some(vector<int>(1, 5))); }
typedef pair<optional<int>, optional<int>> none;
static pair<optional<int>, optional<int>> pairs() { return one_of<none>({0, {}}, {{}, {}}, {{}, 0}); }
static vector<optional<none>> several()
{
    none empty;
    return one_of<vector<optional<none>>>({empty}, {{}, {}}, {});
}
static vector<std::string> texts() { return one_of<vector<std::string>>({"a", "b"}, {"ab"}, {}); }
static void put() { a.store(1); b.store(1); }
C
for cc in '' '--cc gcc'; do
    passes classes.cc $cc --call 'three()' --call 'maybe()' --call 'text()' --call 'list()' --call 'array()' \
        --call 'either()' --call 'owned()' --call 'wide()' --call 'third()' --model sc \
        --test 'three(),maybe(),text(),list(),array(),either(),owned(),wide(),third()'
    while read -r name answer; do
        expect 1 check classes.cc $cc --call "$name()" --test "$name() | $name()" --model sc --save no
        grep -qF "$name() = $answer   $name() = $answer" out || { cat out; die "$cc $name"; }
    done <<'T'
three 120 0 0.5
maybe true empty
text "number 0"
list 0 2
array 0 2
either 1 "none"
wide 0.5
T
    # Nor are lists alike that differ in how long they are, or of what: seen half way through it each
    # answers something that no order gives.
    while read -r name answer; do
        expect 1 check lists.cc $cc --setup 'a = 0; b = 0' --call "$name()" --call 'put()' --test "$name() | put()" \
            --model sc --save no
        grep -qF "$name() = $answer   " out || { cat out; die "$cc $name"; }
    done <<'T'
number 0
inner [[1 2] [3]]
both [1 2] [3]
level [empty]
held [[]]
pairs empty empty
several [empty empty]
texts "ab"
T
    # An optional is a take that may find nothing.
    passes classes.cc $cc --call 'put(1)' --call 'take()' --spec bag --test 'put(1) | take(),take()' --model sc
done
passes snapshot.cc --call 'scan()' --call 'update(0, 1)' --call 'update(1, 2)' --spec snapshot --size 2x2 --model sc
passes set.cc --setup 'inside = 0' --call 'add(0)' --call 'read()' --spec set --size 2x2 --model sc
expect 1 check classes.cc --call 'opened()' --test 'opened() | opened()' --model sc --save no
grep -qF 'opened() = 104 0   opened() = 104 0' out || { cat out; die "private members"; }
grep -q 'check\.h' out && { cat out; die "how it is recorded is no part of how it happens"; }
expect 2 check classes.cc --call 'label()' --test 'label() | label()' --model sc
grep -q "^an answer whose members are objects, or arrays of such: name what of it counts, as in 'auto v = get(); v.key => v.name'" err ||
    { cat err; die "members that are objects"; }
passes classes.cc --call 'auto v = label(); v.n => v.label' --test 'v.n,v.n' --model sc

# The first call may be any, also one that a test cannot be written with.
cat >several.c <<'C'
#include <stdatomic.h>
#include <stdbool.h>
static atomic_int n;
static bool both(int *half, int *rest) { int v = n++; *half = v / 2; *rest = v % 2; return true; }
C
passes several.c --call 'int a, b; both(&a, &b) -> a, b' --call 'n = 3' --size 2x2 --init 'n=3' --final 'both()' --model sc
passes several.c --call 'n == 1 || n == 2' --call 'n++' --size 2x1 --model sc --init 'n++'
passes several.c --call 'n++, 1' --size 2x1 --model sc

# An array that a call fills is recorded as what is in it, in C as in C++, and with every compiler.
cat >torn.c <<'C'
#include <stdatomic.h>
static atomic_int half[2];
static void set(int v) { half[0] = v; half[1] = v; }
static int get(int *out) { out[0] = half[0]; out[1] = half[1]; return 1; }
struct pair { char a; int b; };
static struct pair pairs[2];
static _Atomic(int *) pointer;
C
cp torn.c torn.cc
sed -i 's/_Atomic(int \*)/int */; s/#include <stdatomic.h>/#include <atomic>\nusing std::atomic_int;/' torn.cc
torn=(--call 'set(1)' --call 'int o[2]; get(o) -> o' --test 'set(1) | get()' --model sc)
for of in torn.c torn.cc 'torn.c --cc gcc' 'torn.c --cc clang'; do
    # shellcheck disable=SC2086
    violates not-linearizable $of "${torn[@]}"
done
passes torn.c "${torn[@]:0:4}" --test 'set(1),get()' --model sc
passes torn.c --call 'pointer' --test 'pointer | pointer' --model sc
expect 2 check torn.c --call 'pairs' --test 'pairs' --model sc
grep -q '^an answer whose members are objects, or arrays of such' err || { cat err; die "an array of structures"; }
# To read it is a step of the call; what is not read in one piece, or has padding deeper inside, is not known.
cat >plain.c <<'C'
static int both[2];
static void set(void) { both[0] = both[1] = 1; }
static _Atomic char marks[2];
struct pair { char a; int b; };
static struct pair pairs[2][2];
C
violates data-race plain.c --call 'set()' --call 'both' --test 'set() | both' --model sc
for array in marks pairs; do
    expect 2 check plain.c --call "$array" --test "$array" --model sc
    expect 2 check plain.c --call "$array" --test "$array" --model sc --cc gcc
done
passes plain.c --call 'both' --call 'const int o[2] = {1, 2}; (void)o => o' --test 'both,(void)o' --model sc --cc gcc
passes plain.c --call 'both' --call 'const int o[2] = {1, 2}; (void)o => o' --test 'both,(void)o' --model sc

# --include: beside the file, as the file itself would say it; where we are; along -I; a header of the system.
mkdir -p beside along
echo 'static inline int near(void) { return 1; }' >beside/near.h
echo 'static inline int far(void) { return 2; }' >along/far.h
echo 'static inline int here(void) { return 3; }' >here.h
echo 'static inline int both(void) { return near() + far() + here() + (int)strlen("ab"); }' >beside/parts.c
expect 0 check beside/parts.c --include '<string.h>' --include near.h --include ./far.h --include here.h --call 'both()' --size 2x1 --model sc -- -Ialong
refused_by_compiler() { expect 2 check "$@"; grep -q "^--include:1:.*nowhere.h' file not found" err || { cat err; die "no header"; }; }
refused_by_compiler beside/parts.c --include nowhere.h --call 'both()' --size 2x1

# A variable that is never looked at is named: where 0 is success it would hide what is wrong.
cat >posix.c <<'C'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int a, b;
struct two { int a, b; };
static void set(int v)
{
    pthread_mutex_lock(&lock);
    a = v;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    b = v;
    pthread_mutex_unlock(&lock);
}
static int get(struct two *t)
{
    pthread_mutex_lock(&lock);
    *t = (struct two){a, b};
    pthread_mutex_unlock(&lock);
    return 0;
}
C
for jobs in 1 2; do
    passes posix.c --setup 'a = b = 0' --call 'set(1)' --call 'struct two t; int get(&t) -> t' --size 2x1 --model sc --jobs $jobs
    grep -qxF "  t was never looked at: get() answered 0, false or NULL every time; where that is success, write '!get(&t) -> t'" out ||
        { cat out; die "nobody says that t is not compared"; }
done
passes posix.c --setup 'a = b = 0' --call 'struct two t; int get(&t) => t' --call 'struct two t; !get(&t) -> t' --size 2x1 --model sc
! grep 'never looked at' out || die "they were"
violates not-linearizable posix.c --setup 'a = b = 0' --call 'set(1)' --call 'struct two t; !get(&t) -> t' --size 2x1 --model sc
