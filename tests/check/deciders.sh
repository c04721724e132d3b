# The decider that lists every history and every order: the same verdicts, and its counts.
source "$SRC/tests/check/lib.bash"
s=$SRC/subjects

stat() { key result.json stats "$1"; }

# A test of calls that never answer anything else shows every interleaving of calls and returns:
# 4!/(2!2!), 8!/(4!4!), 6!/(2!2!2!) of them.
cat >tick.c <<'C'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void tick(void) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); }
C
while read -r histories test; do
    for hash in on off; do
        passes tick.c --call 'tick()' --test "$test" --model sc --decider enumerate --hash $hash --stats
        [[ $(stat distinct) = "$histories" ]] || { cat out; die "$test: distinct histories"; }
        [[ $hash = off || $(stat checked) = "$histories" ]] || die "$test: checked once each"
        [[ $hash = on || $(stat checked) = $(stat generated) ]] || die "$test: each checked"
    done
    [[ $(stat generated) -gt $histories ]] || die "$test: no history of two executions"
done <<'T'
6 tick()|tick()
70 tick(),tick()|tick(),tick()
90 tick()|tick()|tick()
T

# A full 3x3 test has 9!/(3!3!3!) serial histories.
passes tick.c --call 'tick()' --test 'tick,tick,tick | tick,tick,tick | tick,tick,tick' --model sc --stats
[[ $(stat serial) = 1680 && $(stat decider) = walk ]] || die "serial histories: $(stat serial)"
grep -q '^  serial histories *1,680$' out || die "the number is not printed"

# Reads need no order of their own: fewer orders are tried.
args=("$s/correct/counter.c" --spec counter --call 'inc()' --call 'get()'
    --test 'inc(),get() | get(),inc()' --model sc --decider enumerate --stats)
passes "${args[@]}" --lazy-reads off
many=$(stat orders)
passes "${args[@]}"
[[ $(stat orders) -lt $many ]] || die "lazy reads: $(stat orders), without $many"

# The thesis's Figure 3.11: two executions with the same answers and the same state at their end,
# one of them wrong. Nothing that is remembered of the first may excuse the second.
cat >stale.c <<'C'
#include <stdatomic.h>
#include <stdbool.h>
static atomic_int present;
static _Thread_local int looked, cached;
static bool add(int v) { (void)v; return !atomic_exchange(&present, 1); }
static bool contains(int v)
{
    (void)v;
    int now = atomic_load(&present);
    if (!looked) { looked = 1; cached = now; }
    return cached;
}
C
for decider in 'walk on' 'enumerate on' 'enumerate off'; do
    violates not-linearizable stale.c --spec set --call 'add(7)' --call 'contains(7)' \
        --test 'add(7),contains(7) | contains(7),contains(7)' --model sc --no-shrink \
        --decider "${decider% *}" --hash "${decider#* }"
done

# The same verdicts of both.
for decider in walk enumerate; do
    violates not-linearizable "$s/wrong/timeout_queue.c" "${queue[@]}" --decider $decider \
        --test 'add(1),try_take() | add(2),try_take()'
    key result.json violation >"$decider.json"
    violates stuck "$s/wrong/reset_event.c" --call 'set()' --call 'reset()' --call 'wait()' \
        --test 'wait() | set(),reset(),set()' --model sc --decider $decider
    passes "$s/correct/treiber_stack.c" "${stack[@]}" --test 'push(1),pop() | push(2),pop()' \
        --decider $decider
done
same walk.json enumerate.json

# --keep-going: a test is explored to its end, so all its histories are counted; and two errors
# of one test are two violations, each as small as it can be.
cat >two.c <<'C'
#include <stdatomic.h>
static atomic_int a, b;
static int inc_a(void) { int v = atomic_load(&a); atomic_store(&a, v + 1); return v; }
static int inc_b(void) { int v = atomic_load(&b); atomic_store(&b, v + 1); return v; }
C
expect 1 check two.c --call 'inc_a()' --call 'inc_b()' --test 'inc_a(),inc_b() | inc_a(),inc_b()' \
    --model sc --keep-going --json result.json --save no
[[ $(grep -c '^NOT LINEARIZABLE' out) = 2 ]] || { cat out; die "two violations"; }
grep -q 'Test: inc_a() | inc_a()' out && grep -q 'Test: inc_b() | inc_b()' out || die "not minimal"
expect 1 check two.c --call 'inc_a()' --call 'inc_b()' --test 'inc_a(),inc_b() | inc_a(),inc_b()' \
    --model sc --json result.json --save no
[[ $(grep -c '^NOT LINEARIZABLE' out) = 1 ]] || die "one violation is enough"

# No criterion: errors are found all the same, histories are not looked at.
passes "$s/wrong/timeout_queue.c" "${queue[@]}" --test 'add(1),try_take() | add(2)' --criterion none
[[ $(key result.json histories) = 0 && $(key result.json criterion) = none ]] || die "none"
grep -q 'histories were not checked' out || die "what a pass without criterion is worth"

# Deciding keeps to the time, too, and ends with Ctrl-C: all histories of this test, one by one, are
# more than anybody can wait for.
cat >many.c <<'C'
static int nothing(int v) { return v; }
C
many=(many.c --call 'nothing(1)' --model sc --decider enumerate --hash off
      --test 'nothing,nothing,nothing | nothing,nothing,nothing | nothing,nothing,nothing | nothing,nothing,nothing')
for jobs in 1 2; do
    timeout 100 "$PLUMB" check "${many[@]}" --seconds 1 --jobs $jobs >out 2>&1 && die "it ended" || code=$?
    [[ $code = 3 ]] && grep -q '^unknown: not all was explored' out || { cat out; die "code $code, --jobs $jobs"; }
    timeout --preserve-status -s INT 4 timeout 100 "$PLUMB" check "${many[@]}" --jobs $jobs >out 2>&1 && die "it ended" || code=$?
    [[ $code = 3 ]] && grep -q '^unknown: interrupted' out || { cat out; die "code $code after Ctrl-C, --jobs $jobs"; }
done

# What has taken effect and never returns is stuck, whatever the others answer because of it; so the
# two calls that show it are the smallest test.
cat >waits.c <<'C'
#include <stdatomic.h>
static atomic_int n;
static void hold(void) { atomic_store(&n, 1); while (atomic_load(&n) != 1) continue; }
static int add(void) { return atomic_fetch_add(&n, 1); }
C
for decider in walk enumerate; do
    for model in sc rc11; do
        violates stuck waits.c --call 'hold()' --call 'add()' --test 'add() | add() | hold()' --model $model --decider=$decider
        [[ $(key result.json violation test) = 'add() | hold()' ]] || die "$(key result.json violation test)"
        grep -q '^waits.c: hold() on thread 2 never returns, though it has taken effect: without it the others' out ||
            { cat out; die "who is stuck"; }
    done
done
# Answers that nothing explains, with or without what is pending, are not linearizable.
cat >lost.c <<'C'
#include <stdatomic.h>
static atomic_int n, never;
static void hold(void) { while (!atomic_load(&never)) continue; }
static int add(void) { int v = atomic_load(&n); atomic_store(&n, v + 1); return v; }
C
violates not-linearizable lost.c --call 'hold()' --call 'add()' --test 'add() | add() | hold()' --model sc
[[ $(key result.json violation test) = 'add() | add()' ]] || die "$(key result.json violation test)"
