# The lines and branches that no test reached are named beside a pass.
source "$SRC/tests/check/lib.bash"

cat >ring.c <<'C'
#include <pthread.h>
#include "wrap.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static int put(int v)
{
    int answer;
    pthread_mutex_lock(&lock);
    if (count == 2)
        answer = refuse(v);
    else
        answer = ++count;
    if (count > 7)
        count = 7;
    pthread_mutex_unlock(&lock);
    return answer;
}
void reset(void)
{
    pthread_mutex_lock(&lock);
    count = 0;
    pthread_mutex_unlock(&lock);
}
C
cat >wrap.h <<'C'
static int refused;
static int refuse(int v)
{
    refused += v;
    return -refused;
}
C
lines() { # KEY: file:line (function), sorted
    python3 -c 'import json, sys
for e in json.load(open("result.json"))["reached"][sys.argv[1]]:
    print("%s:%d (%s)" % (e["file"], e["line"], e["function"]))' "$1"
}

passes ring.c --call 'put(1)' --size 2x1 --model sc
lines not_reached >got
cat >expected <<'T'
ring.c:10 (put)
ring.c:14 (put)
ring.c:20 (reset)
ring.c:21 (reset)
ring.c:22 (reset)
wrap.h:4 (refuse)
wrap.h:5 (refuse)
T
same got expected
lines one_way | grep -qx 'ring.c:13 (put)' || { lines one_way; die "a branch that goes one way"; }
grep -q '^  not reached by any test: ring.c:10 (put), ring.c:14 (put), ring.c:20-22 (reset), wrap.h:4-5 (refuse)$' out ||
    { cat out; die "not printed"; }
grep -q '^  branches that went one way only: .*ring.c:13 (put)' out || { cat out; die "branches"; }

# More calls reach more; with several processes side by side the same.
for jobs in 1 2; do
    passes ring.c --call 'put(1)' --call 'reset()' --size 2x2 --model sc --jobs $jobs
    lines not_reached >got
    [[ $(cat got) = 'ring.c:14 (put)' ]] || { cat got; die "--jobs $jobs"; }
done

# Another compiler's code has no table: that is said.
passes ring.c --call 'put(1)' --size 2x1 --model sc --cc gcc
grep -q 'which lines the tests reached is not known' out || die "accepted objects"

# An accepted object beside our own code: of the one it is known, of the other that is said.
echo 'int part(int v) { return v ? v + 1 : 0; }' >part.c
gcc -O1 -g -fsanitize=thread -c part.c -o part.o
cat >whole.c <<'C'
int part(int v);
static int call(int v) { return part(v); }
C
passes whole.c part.o --call 'call(1)' --size 2x1 --model sc
grep -q '^  which lines of part.o the tests reached is not known: not built by plumb$' out || { cat out; die "part.o"; }
[[ $(jq -c .reached.unknown result.json) = '["part.o"]' ]] || die "part.o in the JSON"

# A written spec is run by the decider: its lines are none that a test could reach, in its own file or beside
# the object.
cat >steps.h <<'C'
#include <plumb/spec.h>
struct plumb_state {
    int count;
};
static int more(int count)
{
    return count + 1;
}
PLUMB_START
{
    s->count = 0;
}
PLUMB_STEP(put)
{
    if (s->count == 2)
        return plumb_int(-a.i[0]);
    return plumb_int(s->count = more(s->count));
}
C
cp steps.h steps.c
sed '/^static int more/,/^}/d; s/more(s->count)/s->count + 1/' steps.h >few.h
cat ring.c few.h >both.c
passes ring.c --call 'put(1)' --spec steps.c --test 'put(1) | put(1)' --model sc
! grep -q "steps.c[:\"]\|plumb_st" out result.json || { cat out; die "a spec in its own file"; }
passes both.c --call 'put(1)' --spec written --test 'put(1) | put(1)' --model sc
grep -q 'not reached by any test: both.c:10 (put), both.c:14 (put), both.c:20-22 (reset), wrap.h:4-5 (refuse)$' out ||
    { cat out; die "a spec beside the object"; }

# A main of the file's own is put aside, and no part of it.
sed '$ a int main(int count, char **word)\n{\n    return count > 1 ? word[1][0] : 0;\n}' ring.c >whole.c
passes whole.c --call 'put(1)' --test 'put(1) | put(1)' --model sc
! grep -q 'main' out || { cat out; die "its own main"; }

# Functions of C++ by the names they have in the source.
cat >box.cc <<'C'
#include <atomic>
namespace ns
{
template <class T> struct box {
    std::atomic<T> v{0};
    T add(T k) { return v.fetch_add(k); }
    T operator()(T k) const { return k + v.load(); }
};
} // namespace ns
static ns::box<int> b;
int twice(int (*f)(int)) { return f(1) + f(2); }
extern "C" int both(int k) { return b(k); }
C
passes box.cc --call 'b.add(1)' --test 'add(1) | add(1)' --model sc
[[ $(jq -c '[.reached.not_reached[].function]' result.json) = '["ns::box<int>::operator()","twice"]' ]] ||
    { jq .reached result.json; die "names of C++"; }
