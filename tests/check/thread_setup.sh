# What each thread needs before its calls, main needs before its own: --init and --final.
source "$SRC/tests/check/lib.bash"
cat >registered.c <<'C'
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int n, registered;
static _Thread_local atomic_int *mine;
static void enter(void) { mine = &n; registered++; }
static void leave(void) { mine = NULL; registered--; }
static int inc(void) { return atomic_fetch_add(mine, 1); }
C
for model in sc rc11; do
    for around in "--init=inc()" "--final=inc()" "--init=inc(),inc()"; do
        passes registered.c --setup 'n = 0' --thread-setup 'enter()' --thread-teardown 'leave()' \
            --invariant 'registered == 0' --call 'inc()' --test 'inc() | inc()' "$around" --model $model
    done
done

# A thread that the setup makes is called after those of the test, in every part of the report.
cat >worker.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static int plain;
static pthread_t worker;
static void *work(void *p) { (void)plain; PLAIN; return p; }
static void setup(void) { x = plain = 0; pthread_create(&worker, 0, work, 0); }
static void teardown(void) { pthread_join(worker, 0); }
static int inc(void) { int r = x; x = r + 1; return r; }
static void touch(void) { plain++; }
C
around=(--setup 'setup()' --teardown 'teardown()' --save no --json result.json)
expect 1 check worker.c "${around[@]}" --call 'inc()' --test 'inc() | inc()' --model sc -- -DPLAIN=
grep -q '^ *#.*  thread 1 .*  thread 2$' out || { cat out; die "the test's threads have other numbers"; }
! grep -q '^ *#.*thread 3' out || { cat out; die "a third column"; }
expect 1 check worker.c "${around[@]}" --call 'touch()' --test 'touch()' --model sc -- -DPLAIN=plain++
grep -q 'thread [12] .* plain, and nothing orders this after the .* by thread [12] at' out ||
    { cat out; die "the worker's number"; }
grep -q '▶ touch()' out && awk '/^ *#  /{print index($0, "thread 1") < index($0, "thread 2")}' out | grep -qx 1 ||
    { cat out; die "the order of the columns"; }
