# What is said of a violation: how small, which values, which group of the observations it missed;
# and the results for build servers.
source "$SRC/tests/check/lib.bash"
s=$SRC/subjects

# Fewer operations, fewer threads, simpler arguments; and whether nothing can go is said.
violates not-linearizable "$s/wrong/slot_queue.c" "${queue[@]}" --model sc --observations seen.xml \
    --test 'add(2),try_take() | add(2),add(1) | try_take()' --junit result.xml
[[ $(key result.json violation test) = 'add(1),try_take() | add(2)' ]] ||
    die "$(key result.json violation test)"
grep -q '^NOT LINEARIZABLE under sc$' second || die "under which model"
grep -q 'Shrunk from 5 operations to 3. Nothing can be left out.' second || die "how small"
grep -q 'try_take() answers 0, though the value 1 had been put before and was never taken.' second ||
    { cat second; die "the values"; }
grep -q 'Observations: no group of this test in seen.xml has these answers.' second || die "the group"
violates not-linearizable "$s/wrong/slot_queue.c" "${queue[@]}" --model sc --no-shrink \
    --test 'add(2),try_take() | add(2),add(1)'
grep -q 'Shrunk\|Nothing can' second && die "--no-shrink"
# Threads are joined where that shows it, too.
cat >last.c <<'C'
#include <stdatomic.h>
static atomic_int last;
static void put(int v) { atomic_store(&last, v); }
static int take(void) { return atomic_load(&last); }
C
violates not-linearizable last.c --spec fifo --map enq=put,deq=take --call 'put(1)' --call 'put(2)' \
    --call 'take()' --test 'put(2) | take(),take() | take()' --model sc
[[ $(key result.json violation test) = 'put(1),take(),take()' ]] || die "$(key result.json violation test)"
grep -q 'The value 1 was put once and taken twice.' second || { cat second; die "taken twice"; }
cat >swapped.c <<'C'
static int item[8], count;
static void enq(int v) { item[count++] = v; }
static int deq(void) { return count ? item[--count] : -1; }
C
violates not-linearizable swapped.c --spec fifo --call 'enq(1)' --call 'enq(2)' --call 'deq()' \
    --test 'enq(1),enq(2),deq(),deq()' --model sc --no-shrink
grep -q 'The value 1 was put before 2, but taken after it.' second || { cat second; die "overtaken"; }
# A call that never returns.
violates stuck "$s/wrong/reset_event.c" --call 'set()' --call 'reset()' --call 'wait()' \
    --test 'wait(),set() | set(),reset(),set()' --model sc
grep -q 'after  set(), reset(), set()  wait() returns at once in every serial run' second ||
    { cat second; die "what nothing justifies"; }
# A race is shrunk, too.
cat >race.c <<'C'
static int n;
static void inc(void) { n++; }
static int get(void) { return 0; }
C
expect 1 check race.c --call 'inc()' --call 'get()' --test 'get(),inc() | inc(),get() | get()' \
    --json result.json --save found.plumb
[[ $(key result.json violation kind) = data-race ]] || die "no race"
[[ $(key result.json violation test) = 'inc() | inc()' ]] || die "$(key result.json violation test)"
expect 1 replay found.plumb
grep -q 'Shrunk from 5 operations to 2. Nothing can be left out.' out || die "of a race, replayed"
# An error path that unlocks twice, and so what the next one holds.
cat >twice.c <<'C'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int full;
static int put(void)
{
    pthread_mutex_lock(&lock);
    int before = full;
    full = 1;
    pthread_mutex_unlock(&lock);
    if (before)
        pthread_mutex_unlock(&lock);
    return !before;
}
static int take(void)
{
    pthread_mutex_lock(&lock);
    int before = full;
    full = 0;
    pthread_mutex_unlock(&lock);
    return before;
}
C
for model in sc rc11; do
    expect 1 check twice.c --call 'put()' --call 'take()' --test 'put(),put() | take() | take()' --model $model \
        --json result.json --save no
    [[ $(key result.json violation kind) = data-race ]] || die "unlocked twice: no race under $model"
done

# Line-Up's Figure 7: a queue whose take waits. One group for each set of answers.
cat >waits.c <<'C'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int item[8], head, tail;
static void add(int v)
{
    pthread_mutex_lock(&lock);
    item[tail++] = v;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&lock);
}
static int take(void)
{
    pthread_mutex_lock(&lock);
    while (head == tail) pthread_cond_wait(&cond, &lock);
    int v = item[head++];
    pthread_mutex_unlock(&lock);
    return v;
}
static int try_take(void)
{
    pthread_mutex_lock(&lock);
    int v = head == tail ? 0 : item[head++];
    pthread_mutex_unlock(&lock);
    return v;
}
C
passes waits.c --call 'add(200)' --call 'add(400)' --call 'take()' --call 'try_take()' \
    --test 'add(200),add(400) | take(),try_take()' --model sc --observations seen.xml
cat >expected <<'X'
<?xml version="1.0" encoding="UTF-8"?>
<observations subject="waits.c">
  <observationset test="add(200),add(400) | take(),try_take()">
    <observation id="1">
      <thread id="1">1 2</thread>
      <thread id="2">3 4</thread>
      <op id="1" name="add(200)"/>
      <op id="2" name="add(400)"/>
      <op id="3" name="take()">200</op>
      <op id="4" name="try_take()">400</op>
      <history>1[ ]1 2[ ]2 3[ ]3 4[ ]4</history>
      <history>1[ ]1 3[ ]3 2[ ]2 4[ ]4</history>
    </observation>
    <observation id="2">
      <thread id="1">1 2</thread>
      <thread id="2">3 4</thread>
      <op id="1" name="add(200)"/>
      <op id="2" name="add(400)"/>
      <op id="3" name="take()">200</op>
      <op id="4" name="try_take()">0</op>
      <history>1[ ]1 3[ ]3 4[ ]4 2[ ]2</history>
    </observation>
    <observation id="3">
      <thread id="1"></thread>
      <thread id="2">3B</thread>
      <op id="3" name="take()"/>
      <history>3[ #</history>
    </observation>
  </observationset>
</observations>
X
same seen.xml expected
expect 2 check waits.c --call 'add(1)' --call 'take()' --spec fifo --observations seen.xml
expect 2 check waits.c --call 'add(1)' --call 'take()' --observations /nowhere/seen.xml

# The commands of a report can be pasted.
expect 1 check "$s/wrong/counter1.c" --call 'inc()' --call 'get()' --model sc --save "it's one.plumb"
command=$(sed -n 's/^    Again:   plumb //p' out)
[[ $command = "replay 'it'\\''s one.plumb'" ]] && eval "expect 1 $command" || { cat out; die "the command: $command"; }

# JUnit: a case for each stage and model.
python3 - <<'P'
import xml.etree.ElementTree as t
suite = t.parse("result.xml").getroot()[0]
assert suite.attrib["failures"] == "1" and suite.attrib["tests"] == "1", suite.attrib
case = suite[0]
assert case.attrib["name"] == "given tests under sc" and case[0].attrib["type"] == "not-linearizable"
P
passes waits.c --call 'add(1)' --call 'try_take()' --size 2x1 --junit result.xml
grep -c '<testcase' result.xml | grep -qx 2 || die "two models are two cases"
# A verdict of unknown is not green, though no particular tests were asked for.
expect 3 check waits.c --call 'add(1)' --call 'try_take()' --seconds 0.001 --junit result.xml
python3 - <<'P'
import xml.etree.ElementTree as t
suite = t.parse("result.xml").getroot()[0]
assert suite.attrib["errors"] == "1" and suite.attrib["failures"] == "0", suite.attrib
assert suite[-1].attrib["name"] == "verdict" and suite[-1][0].attrib["message"].startswith("not all was explored")
P
cat >'a<b&".c' <<'C'
int main(void) { return 0; }
C
expect 0 run 'a<b&".c' --executions 2 --junit result.xml
python3 -c 'import xml.etree.ElementTree as t
assert t.parse("result.xml").getroot()[0][0].attrib["classname"] == "a<b&\".c"' || die "escapes"

# What the tool puts around the calls has no place in a report: its functions, its file, its types. (The
# block of a std::latch is of a size that one of them has.)
cat >around.cc <<'C'
#include <atomic>
#include <cstdlib>
#include <vector>
static std::atomic<int> *turn;
static int *at;
static void begin() { turn = new std::atomic<int>(0); at = new int(0); }
static void end() { delete at; delete at; }
static int race() { return (*at)++; }
static void meet() { int v = *turn; *turn = v + 1; while (*turn < 2) continue; }
static std::vector<std::vector<int>> lost() { int v = *turn; *turn = v + 1; return {{v}}; }
static std::vector<int> large() { return std::vector<int>(40); }
C
for words in "1 race()" "1 meet()" "1 lost()" "2 large()"; do
    expect ${words%% *} check around.cc --setup 'begin()' --call "${words#* }" --test "${words#* } | ${words#* }" \
        --model sc --save no --no-shrink --json result.json
    ! grep 'plumb_\|the driver\|check\.h' out err result.json || die "names of the tool, ${words#* }"
done
expect 1 check around.cc --setup 'begin()' --teardown 'end()' --call 'lost()' --test 'lost()' --model sc --save no
! grep 'plumb_\|the driver' out err || die "names of the tool in the teardown"
grep -q '^      (teardown)  --teardown:1' out || { cat out; die "the teardown is not named"; }

# The history has the calls, too, that failed and may do so.
cat >failing.c <<'C'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int item, full;
static void put(int v) { pthread_mutex_lock(&m); item = v; full = 1; pthread_mutex_unlock(&m); }
static int take(void)
{
    pthread_mutex_lock(&m);
    int v = full ? item : 0;
    full = 0;
    pthread_mutex_unlock(&m);
    if (!v || pthread_mutex_trylock(&m))
        return 0; /* and what it took is lost */
    pthread_mutex_unlock(&m);
    return v;
}
static int try_take(void)
{
    if (pthread_mutex_trylock(&m))
        return 0;
    int v = full ? item : 0;
    full = 0;
    pthread_mutex_unlock(&m);
    return v;
}
C
violates not-linearizable failing.c --call 'put(1)' --call 'take()' --call 'try_take()' --may-fail take \
    --test 'put(1),take() | try_take()' --model sc --no-shrink
grep -q '▶ put(1) ◀ put(1) .*▶ take() .*◀ take() = 0' second || { cat second; die "the call that failed is left out"; }

# No line twice, and none that ends in nothing.
cat >words.c <<'C'
#include <plumb/spec.h>
#include <stdatomic.h>
static atomic_int n, used;
static _Thread_local int me;
static int inc(void) { int v = n; n = v + 1; return v; }
static void enter(void) { me = atomic_fetch_add(&used, 1); }
static int mine(void) { return me; }
static void put(int v) { n = v; }
struct pair { int a, b; };
static atomic_int first, second;
static void both(int v) { first = v; second = v; }
static struct pair look(void) { return (struct pair){first, second}; }
C
violates not-linearizable words.c --call 'inc()' --test 'inc() | inc()' --model sc
[[ $(grep -c 'after  inc() = 0  inc() answers 1, not 0' second) = 1 ]] || { cat second; die "a line twice"; }
cat >put_spec.c <<'C'
#include <plumb/spec.h>
struct plumb_state { int n; };
PLUMB_STEP(put) { s->n++; return plumb_int(1); }
C
violates not-linearizable words.c --call 'put(1)' --test 'put(1)' --spec put_spec.c --model sc --no-shrink
grep -q 'put(1) answers 1, not without an answer$' second || { cat second; die "a call without an answer"; }
# Runs that differ by what the threads do to set themselves up.
violates nondeterministic words.c --thread-setup 'enter()' --call 'mine()' --test 'mine() | mine()' --model sc
grep -q 'mine() answers [01] in one serial run and [01] in another$' second || { cat second; die "which runs"; }
grep -q 'How it happens (execution 0, 0 preemptions)' second && ! grep -q ' runs —$' second ||
    { cat second; die "whose turn it is is no preemption"; }
[[ $(grep -c 'used.fetch_add' second) = 2 ]] || { cat second; die "what they did before is hidden"; }
# An answer that is never given alone is not out of date, but torn.
violates not-linearizable words.c --call 'both(1)' --call 'look()' --test 'both(1) | look()' --model sc
! grep -q 'PLUMB_STEP(look)' second || { cat second; die "a torn read is said to be out of date"; }
refused 'no test of any size respects the groups and limits' check words.c --call 'put(1)' --limit put=1

# For machines: the calls, the history, why it is wrong; of a replay, too.
violates not-linearizable words.c --call 'inc()' --test 'inc() | inc()' --model sc
expect 1 replay found.plumb --json again.json
for file in result.json again.json; do
    [[ $(jq -c '.findings[0].calls' $file) = \
        '[{"call":"inc()","thread":1,"returned":true,"answer":"0"},{"call":"inc()","thread":2,"returned":true,"answer":"0"}]' ]] ||
        { jq .findings[0].calls $file; die "$file: the calls"; }
    [[ $(jq -c '.findings[0].history' $file) = '[{"call":0},{"call":1},{"return":0},{"return":1}]' ]] ||
        { jq .findings[0].history $file; die "$file: the history"; }
    jq -e '.findings[0].why | index("after  inc() = 0  inc() answers 1, not 0")' $file >/dev/null ||
        { jq .findings[0].why $file; die "$file: why"; }
done
