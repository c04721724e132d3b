# An exception that leaves a call is its answer: derived, under a spec, in lines of a subject file.
source "$SRC/tests/check/lib.bash"
cat >stack.cc <<'C'
#include <mutex>
#include <stdexcept>
#include <vector>
struct Stack {
    std::mutex m;
    std::vector<int> v;
    void push(int x) { std::lock_guard<std::mutex> g(m); v.push_back(x); }
    int pop()
    {
#ifdef WRONG
        if (v.empty())
            throw std::out_of_range("empty");
#endif
        std::lock_guard<std::mutex> g(m);
        if (v.empty())
            throw std::out_of_range("empty");
        int x = v.back();
        v.pop_back();
#ifdef LOST
        if (v.empty())
            throw x;
#endif
        return x;
    }
};
C
calls=(--decl 'Stack s' --call 's.push(1)' --call 's.pop()')
for spec in "" "--spec=lifo"; do
    # shellcheck disable=SC2086 # none is no word
    passes stack.cc "${calls[@]}" $spec --size 2x2
done
grep -q '^  2×2  10 tests  all executions explored' out || { cat out; die "not all tests"; }
passes stack.cc "${calls[@]}" --test 's.pop() | s.push(1)' --observations seen.xml
grep -q 'throws std::out_of_range' seen.xml || { cat seen.xml; die "no exception among the answers"; }
passes stack.cc --cc gcc "${calls[@]}" --spec lifo --test "s.pop() | s.push(1)" --model sc
for wrong in WRONG LOST; do
    printf '#define %s\n#include "stack.cc"\n' $wrong >$wrong.cc
done
violates data-race WRONG.cc "${calls[@]}" --test 's.pop() | s.push(1)'
violates not-linearizable LOST.cc "${calls[@]}" --spec lifo --test 's.push(1),s.pop()'
grep -q '^ *pop() = throws int$' out || { cat out; die "the exception is not shown"; }
cat >subject.cc <<'C'
#include <plumb.h>
#include "stack.cc"
static Stack s;
PLUMB_CALL(s.push(1))
PLUMB_CALL(s.pop())
PLUMB_SPEC(lifo)
C
passes subject.cc --size 2x1
# The end of a thread goes on through it, and C knows nothing of all that.
cat >ends.cc <<'C'
#include <pthread.h>
static int leave() { pthread_exit(nullptr); }
C
passes ends.cc --call 'leave()' --test 'leave()'
! grep -q throws out || { cat out; die "pthread_exit is no exception"; }
# So it is on real threads, where nothing is explored.
expect 0 stress stack.cc "${calls[@]}" --spec lifo --threads 2 --rounds 20 --operations 30

# Of libstdc++ nothing but operator new, which we define, too: gcc must link it all the same.
cat >only_new.cc <<'C'
#include <plumb.h>
static int *n;
static void setup() { n = new int(0); }
static plumb_result get(plumb_args) { return plumb_int(*n); }
PLUMB_SUBJECT("c", .setup = setup);
PLUMB_OP(get);
C
passes only_new.cc --cc g++ --size 2x1 --model sc
