# Subject files with a table of operations: domains of arguments, results of every sort, hooks.
source "$SRC/tests/check/lib.bash"

q=$SRC/subjects/correct/queue_table.c
[[ $(grep -vc '^ *$\|^/\*' "$q") -le 20 ]] || die "a queue takes more than 20 lines"
passes "$q" --size 2x1 --model sc
[[ $(key result.json tests) = 10 ]] || die "not four invocations: $(key result.json tests) tests"
[[ ! -s err ]] || { cat err; die "warnings"; }
passes "$q" --test 'enq(1),enq(3) | deq(),deq()'
violates not-linearizable "$q" --spec lifo --model sc
refused "none of the calls" check "$q" --test 'enq(99)'
cc -I"$SRC/include" -fsyntax-only -Wall -Wextra -Wpedantic -Wno-unused -x c "$q"

# Several arguments, domains with zeros and expressions, names, results.
cat >all.c <<'C'
#include <plumb.h>
enum { FEW = 2 };
#define SOME {FEW, -1, 0}
static int cell[3], broken;
static void setup(void) { cell[0] = 7; }
static int holds(void) { return !broken; }
static plumb_result put(plumb_args a) { cell[a.i[0]] = (int)a.i[1]; return plumb_ok(); }
static plumb_result get(plumb_args a) { return plumb_int(cell[a.i[0]]); }
static plumb_result both(plumb_args a) { (void)a; return plumb_and(plumb_bool(1), plumb_and(plumb_int(-5), plumb_text("a\"b"))); }
static plumb_result raw(plumb_args a) { (void)a; return plumb_bytes("\1\2\3\4\5", 5); }
static plumb_result none(plumb_args a) { (void)a; return plumb_empty(); }
static plumb_result large(plumb_args a) { static const char zero[200]; (void)a; return plumb_bytes(zero, 200); }
static plumb_result spoil(plumb_args a) { (void)a; broken = 1; return plumb_pointer(0); }
static plumb_result three(plumb_args a) { return plumb_int(a.i[0] * 100 + a.i[1] * 10 + a.i[2]); }
PLUMB_SUBJECT("cells", .setup = setup, .invariant = holds);
PLUMB_OP(put, .name = "store", .ints = {0, 1,}, .ints2 = SOME);
PLUMB_OP(get, .ints = {0, 1});
PLUMB_OP(both);
PLUMB_OP(raw);
PLUMB_OP(none);
PLUMB_OP(large);
PLUMB_OP(spoil);
PLUMB_OP(three, .ints = {1, (2, 3)}, .ints2 = {4}, .ints3 = {5, '6' - '0'}, .limit = 1);
C
passes all.c --test 'store(0,2),get(0),store(1,-1),store(1,0),get(1),both(),raw(),none(),three(3,4,6)'
refused "none of the calls" check all.c --test 'store(2,0)'
expect 2 check all.c --test 'large()'
grep -q 'more than 126 bytes' err || die 'a large result'
expect 1 check all.c --test 'get(0),both(),raw(),none(),three(3,4,6),spoil()' --save no
grep -q 'INVARIANT BROKEN' out || die "no invariant"
# What they answered, in a violation.
cat >>all.c <<'C'
static plumb_result any(plumb_args a) { (void)a; return plumb_int(plumb_choose(2)); }
PLUMB_OP(any);
C
violates nondeterministic all.c --no-shrink \
    --test 'get(0),both(),raw(),none(),three(1,4,5),any()'
for text in 'get(0) = 7' 'both() = true -5 "a"b"' 'raw() = {01020304 05}' 'none() = empty' \
    'three(1,4,5) = 145'; do
    grep -qF -- "$text" first || { cat first; die "no $text"; }
done

# C++, with either compiler.
cat >queue.cc <<'C'
#include <plumb.h>
#include <deque>
#include <mutex>
namespace {
std::mutex lock;
std::deque<int> items;
void clear() { items.clear(); }
plumb_result push(plumb_args a) { std::lock_guard<std::mutex> g(lock); items.push_back((int)a.i[0]); return plumb_ok(); }
plumb_result pop(plumb_args) { std::lock_guard<std::mutex> g(lock); if (items.empty()) return plumb_empty(); int v = items.front(); items.pop_front(); return plumb_int(v); }
}
PLUMB_SUBJECT("queue", .setup = clear, .spec = "fifo");
PLUMB_OP(push, .ints = {1, 2});
PLUMB_OP(pop);
C
expect 0 check queue.cc --test 'push(1),push(2) | pop()' --model sc -- -Wall -Wextra
[[ ! -s err ]] || { cat err; die "warnings"; }
passes queue.cc --test 'push(1),push(2) | pop()' --model sc --cc g++
violates not-linearizable queue.cc --spec lifo --test 'push(1),push(2),pop()' --model sc
