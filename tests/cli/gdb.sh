# plumb replay --gdb stops at the failing line of the user's code.
. "$SRC/tests/cli/lib.sh"
race_program race.c
cat >crash.c <<'C'
#include <pthread.h>
#include <stddef.h>

static int *where;

static void *work(void *unused)
{
    *where = 1;
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
    return 0;
}
C

expect 1 run race.c
expect 0 replay --gdb --batch race-1.plumb
grep -qE '^#[0-9]+ .*add \(.*race\.c:8' out || { cat out err && die "not at race.c:8"; }
# Only where it stands: no word of gdb's about threads, breakpoints, libraries.
head -n 1 out | grep -q '^#' || { cat out && die "gdb says more"; }
[ ! -s err ] || { cat err && die "gdb complains"; }

expect 1 run crash.c
grep -q '^crash.c:8: ' out || die "$(cat out)"
expect 0 replay --gdb --batch crash-1.plumb
grep -qE '^#[0-9]+ .*work \(.*crash\.c:8' out || { cat out err && die "not at crash.c:8"; }

expect 2 replay --batch race-1.plumb

# A history has no failing line: stopped at its first call, with the next one a `continue` away.
cat >count.c <<'C'
#include <stdatomic.h>
static atomic_int n;
static int inc(void) { int v = atomic_load(&n); atomic_store(&n, v + 1); return v; }
C
expect 1 check count.c --call 'inc()' --test 'inc() | inc()' --model sc --save count.plumb
expect 0 replay --gdb --batch count.plumb
head -n 1 out | grep -q '^#0 *plumb_given_0 () at .*--call:1$' || { cat out err && die "not at the call"; }
printf 'step\nframe\ncontinue\nframe\n' | "$PLUMB" replay --gdb count.plumb >out 2>err || true
grep -q 'inc () at .*count\.c:3' out || { cat out err && die "no step into the call"; }
[ "$(grep -c '#0 *plumb_given_0 () at' out)" = 2 ] || { cat out err && die "not at the second call"; }
