#!/bin/bash
# What ends an exploration early gives unknown and exit code 3; a limit that is just met does not.
# What is not explored is refused in one line with exit code 2, never half explored.
set -eu
. "$SRC/tests/cli/lib.sh"
programs=$SRC/tests/explore/programs

expect 3 explore "$programs/ainc.c" --executions 119 --json r.json
[ "$(key r.json verdict) $(key r.json coverage) $(key r.json executions)" = "unknown partial 119" ] ||
    die "$(cat r.json)"
expect 0 explore "$programs/ainc.c" --executions 120 --json r.json
[ "$(key r.json verdict) $(key r.json coverage) $(key r.json executions)" = "pass exhaustive 120" ] ||
    die "$(cat r.json)"

# Several processes, or one that keeps a checkpoint, make no more than that together; a resumed one neither.
for jobs in 1 2 3; do
    for n in 1 7 1000; do
        rm -f ck
        expect 3 explore "$programs/ainc.c" --executions $n --jobs $jobs --checkpoint ck --json r.json -- -DN=9
        [ "$(key r.json executions)" = $n ] || die "$jobs jobs: $(key r.json executions), not $n"
        expect 3 explore "$programs/ainc.c" --executions $n --jobs $jobs --checkpoint ck --resume ck \
            --json r.json -- -DN=9
        [ "$(key r.json executions)" = $((2 * n)) ] || die "$jobs jobs: $(key r.json executions), not 2 * $n"
        [ $jobs = 1 ] && continue
        expect 3 explore "$programs/ainc.c" --executions $n --jobs $jobs --json r.json -- -DN=9
        [ "$(key r.json executions)" = $n ] || die "$jobs jobs: $(key r.json executions), not $n"
    done
    expect 0 explore "$programs/ainc.c" --executions 120 --jobs $jobs --json r.json
    [ "$(key r.json verdict) $(key r.json coverage) $(key r.json executions)" = "pass exhaustive 120" ] ||
        die "$(cat r.json)"
done

# Without a limit there is none.
expect 0 explore "$programs/ainc.c" --json r.json -- -DN=8
[ "$(key r.json executions)" = 40320 ] || die "$(cat r.json)"

expect 3 explore "$programs/ainc.c" --seconds 0.3 --json r.json -- -DN=12
[ "$(key r.json verdict) $(key r.json coverage)" = "unknown partial" ] || die "$(cat r.json)"
[ "$(key r.json executions)" -gt 0 ] || die "$(cat r.json)"

code=0
"$PLUMB" explore "$programs/ainc.c" --json r.json -- -DN=12 >out 2>err &
plumb=$!
sleep 2
kill -INT $plumb
wait $plumb || code=$?
[ "$code" = 3 ] || { cat out err && die "exit code $code after an interrupt"; }
grep -q '^unknown: interrupted; no finding in [0-9,]* executions of ' out || die "$(cat out)"
[ "$(key r.json verdict)" = unknown ] || die "$(cat r.json)"

# A wait in a loop may wake for no reason again and again: each thread does it once, which is a bound.
expect 0 explore "$SRC/tests/subjects/right/assert_spurious.c" --spurious --json r.json
[ "$(key r.json coverage) $(key r.json executions)" = "bounded 3" ] || die "$(cat r.json)"
grep -q 'no thread wakes for no reason more than once' out || die "$(cat out)"
expect 1 explore "$SRC/tests/subjects/wrong/assert_spurious.c" --spurious --save=no
expect 0 explore "$SRC/tests/subjects/right/assert_weak.c" --spurious --json r.json
[ "$(key r.json coverage)" = exhaustive ] || die "$(cat r.json)"

refused "'tos' is none of rc11|sc|tso" explore "$programs/ainc.c" --model tos

# A program that never ends, whatever is explored: one line; one that does not in some executions: a finding.
never='no step for a long time: the program does not come to an end by itself'
for body in 'volatile int x = 1; while (x);' 'for (;;);' 'unsigned long i = 0; while (1) i++; return (int)i;'; do
    echo "int main(void) { $body }" >never.c
    expect 2 explore never.c --hang-seconds 1
    [ "$(wc -l <err)" = 1 ] || { cat err && die "not one line"; }
    grep -qF "never.c:1: $never" err || { cat out err && die "no word of: $never"; }
done
cat >at_times.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *wait(void *unused)
{
    if (atomic_load(&x))
        for (;;);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, wait, 0);
    atomic_store(&x, 1);
    pthread_join(t, 0);
}
C
expect 1 explore at_times.c --hang-seconds 1 --save=no
grep -q '^violation: hang' out || die "$(cat out)"

# unsupported TEXT <<C: a program that is refused.
unsupported() {
    cat >subject.c
    expect 2 explore subject.c
    [ "$(wc -l <err)" = 1 ] || { cat err && die "not one line"; }
    grep -qF -- "$1" err || { cat out err && die "no word of: $1"; }
}
unsupported "arithmetic is not explored" <<'C'
static __int128 x __attribute__((aligned(16)));
int main(void)
{
    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
    return 0;
}
C
unsupported "more than 32 threads" <<'C'
#include <pthread.h>
static void *body(void *unused)
{
    return unused;
}
int main(void)
{
    pthread_t t[32];
    for (int i = 0; i < 32; i++)
        pthread_create(&t[i], 0, body, 0);
    for (int i = 0; i < 32; i++)
        pthread_join(t[i], 0);
    return 0;
}
C
unsupported "longer than there is room for" <<'C'
static int f;
int main(void)
{
    int rounds = 0;
    while (!__atomic_load_n(&f, __ATOMIC_ACQUIRE))
        rounds++;
    return rounds > 5;
}
C
# The hint is for those it helps: rounds are known only of what the own front end compiles.
echo 'static _Atomic int x; int main(void) { for (int i = 0; i < 3000; i++) x++; return 0; }' >long.c
expect 2 explore long.c --save=no
grep -q -e '--unroll N bounds' err || die "no hint: $(cat err)"
expect 2 explore long.c --save=no --cc gcc
grep -q "own front end compiles" err || die "a hint: $(cat err)"
# Two sizes at one place are not one location.
unsupported "size" <<'C'
static union {
    _Atomic unsigned whole;
    _Atomic unsigned short half[2];
} u = {0x50000};
int main(void)
{
    u.half[0] = 1;
    return u.whole == 0x50001 ? 0 : 1;
}
C
for half in 0 1; do # also not of sixteen bytes, nor if only the other half is the same
    unsupported "size" <<C
static union {
    _Atomic unsigned __int128 whole;
    _Atomic unsigned long half[2];
} u;
int main(void)
{
    u.half[$half] = 1;
    return u.whole == 0;
}
C
done
# Sixteen bytes are explored, more are not.
unsupported "atomics of more than 16 bytes" <<'C'
struct three {
    long a, b, c;
};
static _Atomic struct three x;
int main(void)
{
    x = (struct three){1, 1, 1};
    return 0;
}
C
# As many atomic variables as there is room for, and one more.
cat >places.c <<'C'
static _Atomic int x[N];
int main(void)
{
    for (int i = 0; i < N; i++)
        x[i] = 1;
    return 0;
}
C
expect 0 explore places.c --save=no -- -DN=1024
expect 2 explore places.c --save=no -- -DN=1025
grep -q "more atomic variables, locks and the like than there is room for" err || die "not said: $(cat err)"
