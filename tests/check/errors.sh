# Bad input: one line, exit code 2; the compiler's own message names the option.
source "$SRC/tests/check/lib.bash"
f=$SRC/subjects/correct/locked_queue.c
refused 'has no PLUMB_OP' check "$f"
refused "none of the calls" check "$f" "${queue[@]}" --test 'add(3) | try_take()'
refused "more than one of the calls" check "$f" "${queue[@]}" --test 'add | try_take'
refused "has no invocation" check "$f" "${queue[@]}" --test 'add(1) | '
refused "none of sc, tso, rc11" check "$f" "${queue[@]}" --test 'add(1)' --model arm
expect 2 check "$f" "${queue[@]}" --test 'add(1)' --spec event --model sc --json result.json
[[ $(key result.json model) = sc ]] || die "the model of an error: $(key result.json model), not sc"
refused "no file given" check "${queue[@]}" --test 'add(1)'
refused "must be C or C++ source" check "$SRC/README.md" "${queue[@]}" --test 'add(1)'
expect 2 check "$f" "${queue[@]}" --call 'ad(&q, 3)' --test 'add(1)' --json result.json
grep -q -- '--call:4:' err || { cat err; die "the option is not named, or another one is"; }
[[ $(key result.json verdict) = error ]] || die "no error in the JSON"
# A setup that fails, an operation that never returns even when it is alone.
cat >never.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static void twice(void) { pthread_mutex_lock(&l); pthread_mutex_lock(&l); }
static void forever(void) { for (volatile int i = 0;; i = i + 1) continue; }
static int n;
static int on(void) { for (;;) __atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST); }
static void fine(void) { }
C
expect 2 check never.c --setup 'abort()' --call 'fine()' --test 'fine()' --model sc
grep -q 'the setup fails: .*abort' err || { cat err; die "a setup that aborts"; }
expect 2 check never.c --setup 'twice()' --call 'fine()' --test 'fine()' --model sc --spec once --map run=fine
grep -q 'the setup fails: .*waits in lock' err || { cat err; die "a setup that waits"; }
expect 2 check never.c --call 'forever()' --call 'fine()' --test 'fine() | forever()' --model sc --hang-seconds 0.5
grep -q 'never returns, even alone' err || { cat err; die "an operation that runs on"; }
for test in 'fine() | on()' 'on() | fine()' 'on(),fine()'; do
    expect 2 check never.c --call 'on()' --call 'fine()' --test "$test" --model sc
    grep -q '^on() never returns, or its loops make too many rounds: alone, in the test ' err && [[ $(wc -l <err) = 1 ]] ||
        { cat err; die "an operation that changes something for ever"; }
done
# What it does with the compiler's words: against the user's text.
expect 2 check never.c --setup 'fin()' --call 'fine()'
grep -q -- '--setup:1:1: .*fin' err || { cat err; die "the option is not named"; }
grep -q '^ *1 | fin()\|^fin()' err || { cat err; die "the text is not shown"; }
expect 2 check never.c --call 'fine()' --call 'int v; int fin(&v) -> v'
grep -q -- '--call:2:12: .*fin' err || { cat err; die "the option is not named, or not the column"; }
grep -q '^ *2 |            fin(&v)$' err || { cat err; die "the text is not shown"; }
! grep -q PLUMB_ err || { cat err; die "what is around the text is shown"; }
expect 2 check never.c --call 'int v; void fine() -> v, w'
grep -q -- '--call:1:26: .*w' err || { cat err; die "a result's column"; }
grep -q '^never.c, with what is to be called, does not compile$' err || { cat err; die "the file is not named"; }

! grep -q 'plumb_\|the driver' err || { cat err; die "what is around the text is shown"; }
expect 2 check never.c --call 'int v fine(&v) -> v'
[[ $(head -n 1 err) = "--call:1:6: error: expected ';' at end of declaration" ]] && ! grep -q -- '--setup\|(void)(' err ||
    { cat err; die "a type that is none"; }
expect 2 check never.c --call 'fine()' --invariant '1 <='
[[ $(head -n 1 err) = '--invariant:1:5: error: expected expression' ]] && ! grep -q '))' err || { cat err; die "half an invariant"; }
refused "--call: 'int v; fine(&v) ->' names no variable behind the arrow" check never.c --call 'int v; fine(&v) ->'
for file in 'fine' 'fine.cc'; do # a function's name is a value, too
    [[ $file = fine ]] && file=never.c || echo 'static int fine(int v) { return v; }' >$file
    expect 2 check $file --call 'fine' --size 2x1
    grep -q -- '--call:1:.*error: static.*: a function is named and not called: its brackets are missing' err ||
        grep -q 'error: static.*: a function is named and not called' err || { cat err; die "$file: not called"; }
done
echo 'int x = ;' >broken_spec.c
expect 2 check never.c --call 'fine()' --spec broken_spec.c
[[ $(tail -n 1 err) = *"/broken_spec.c does not compile" && $(grep -c 'the driver' err) = 0 ]] || { cat err; die "a spec"; }
echo 'int main(void) { return 0; }' >main.c
refused "a file besides never.c defines main, too, and only there it is put aside: leave that file out" \
    check never.c main.c --call 'fine()'

# What stands twice in a table, and a limit that is none.
subject() { printf '#include <plumb.h>\nstatic plumb_result add(plumb_args a) { return plumb_int(a.i[0]); }\n%s\n' "$@" >twice.c; }
subject 'PLUMB_OP(add, .ints = {1}); PLUMB_OP(add, .ints = {2, 1});'
refused "twice.c: add(1) is among its operations twice" check twice.c
subject 'PLUMB_OP(add, .ints = {1, 1});'
refused "twice.c: add(1) is among its operations twice" check twice.c
subject 'PLUMB_OP(add, .ints = {1}, .limit = -1);'
refused "PLUMB_OP: .limit is at least 1, or 0: any number of calls" check twice.c

# Options that would do nothing, and what is wrong with a test, are named.
cat >one.c <<'C'
#include <stdatomic.h>
static atomic_int n;
static int inc(void) { return atomic_fetch_add(&n, 1); }
C
one=(one.c --call 'inc()')
refused "--lazy-reads: goes with --decider enumerate" check "${one[@]}" --lazy-reads off
refused "--hash: goes with --decider enumerate" check "${one[@]}" --hash off
refused "--complete: goes with --criterion quasi" check "${one[@]}" --complete off
refused "--map: goes with --spec" check "${one[@]}" --map inc=inc
refused "--test says which tests to run: without --size and --random" check "${one[@]}" --test 'inc()' --size 2x1
refused "--test says which tests to run: without --size and --random" check "${one[@]}" --test 'inc()' --random 3
refused "--clients says which tests to run: without --size and --random" check "${one[@]}" --clients 1+1 --size 2x1
refused "--cell is for tests that are made: --test is written out, as in 'enq(1),deq() | deq()'" \
    check "${one[@]}" --cell 'inc();inc()' --test 'inc()'
refused "--auto chooses the tests itself: without --clients" check "${one[@]}" --clients 1+1 --auto
refused "--initial: goes with --spec" check "${one[@]}" --initial 1
refused "--test: a test has 'dec()'" check "${one[@]}" --test 'dec()'
for test in 'inc(),' ',inc()' 'inc(),,inc()' 'inc(), | inc()' ','; do
    refused "--test: a test has a comma with no call beside it" check "${one[@]}" --test "$test"
done
refused "--init, --final: a test has 'dec()'" check "${one[@]}" --final 'dec()'
refused "--cell: a test has 'dec()'" check "${one[@]}" --cell 'dec()'

# One call has so few tests that all are run, and then it is over; the spec is named.
expect 0 check "${one[@]}" --golden-flags -DX --json result.json
grep -q '^one.c: 1 call, spec what one.c with -DX does alone, 60 s' out || { cat out; die "the golden spec"; }
grep -q '^pass, bounded: linearizable in .*the only test of 3x3; under sc and rc11' out || { cat out; die "all sizes"; }
# A model that there is not is not named by the result, nor is another.
expect 2 check "${one[@]}" --model arm --json result.json
[[ $(jq -r '"\(.verdict) \(has("model"))"' result.json) = 'error false' ]] || { cat result.json; die "a model"; }

# A call that never returns when it is alone, whatever came before it, is none to check; one that waits
# at times is named beside the pass: here it is a lock that take() leaves locked.
cat >waits.c <<'C'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void put(void) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); }
static int take(void) { pthread_mutex_lock(&m); if (!n) return -1; n--; pthread_mutex_unlock(&m); return 1; }
static int twice(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 1; }
static void fine(void) {}
C
expect 2 check waits.c --call 'fine()' --call 'twice()' --size 2x1
grep -q '^twice() never returns: it waits in every serial run, whatever was called before it; if that is meant, ' err ||
    { cat err; die "who never returns"; }
expect 0 check waits.c --call 'twice()' --size 2x1 --blocking twice
! grep -q '^  waited' out || { cat out; die "it is marked"; }
expect 0 check waits.c --call 'put()' --call 'take()' --size 2x1 --json result.json
grep -qxF '  waited for ever in some serial run, which is taken to be meant: put(), take() (--blocking says so)' out ||
    { cat out; die "who waits"; }
[[ $(key result.json waited 0) = 'put()' ]] || die "waited"
