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
