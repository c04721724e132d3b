# Ctrl-C ends the run in order; a budget of time is kept; progress only on a terminal.
. "$SRC/tests/cli/lib.sh"
right_program right.c

code=0
"$PLUMB" run right.c --executions 1000000000 --json r.json >out 2>err &
plumb=$!
sleep 2
kill -INT $plumb
wait $plumb || code=$?
[ "$code" = 3 ] || { cat out err && die "exit code $code after an interrupt"; }
grep -q '^unknown: interrupted; no finding in [0-9,]* executions of right.c' out || die "$(cat out)"
[ "$(key r.json verdict)" = unknown ] || die "$(cat r.json)"
[ "$(key r.json executions)" -gt 0 ] || die "$(cat r.json)"
[ ! -s err ] || { cat err && die "progress where there is no terminal"; }

expect 0 run right.c --seconds 0.5
grep -q '^pass, sampled: no finding in' out || die "$(cat out)"

# Both asked for, one not reached.
expect 3 run right.c --seconds 0.3 --executions 1000000000
grep -q '^unknown: the time ran out' out || die "$(cat out)"

# until COMMAND...: within ten seconds
until_true() {
    for _ in $(seq 200); do
        "$@" && return
        sleep 0.05
    done
    die "not within ten seconds: $*"
}

# While it compiles, by any signal that asks it to end: the verdict of another day is nobody's, and nothing stays behind.
cat >slow-clang <<'SH'
#!/bin/sh
case $* in *--version*) exec clang-19 --version ;; esac
: >compiling
exec sleep 60
SH
chmod +x slow-clang
mkdir tmp
is_clean() { [ -z "$(ls tmp)" ]; }
for signal in INT TERM HUP; do
    rm -f compiling
    echo '{"verdict": "pass"}' >r.json
    code=0
    TMPDIR=$PWD/tmp "$PLUMB" run right.c --cc ./slow-clang --json r.json >out 2>err &
    plumb=$!
    until_true [ -e compiling ]
    [ ! -s r.json ] || die "$(cat r.json)"
    kill -$signal $plumb
    wait $plumb || code=$?
    [ "$code" = 3 ] || { cat out err && die "exit code $code after $signal while it compiles"; }
    grep -q '^unknown: interrupted before its end, ' out || die "$(cat out)"
    [ ! -s err ] || die "$(cat err)"
    [ "$(key r.json verdict)" = unknown ] || die "$(cat r.json)"
    is_clean || die "left behind: $(ls tmp)"
done

# A reader that went away ends it, too.
TMPDIR=$PWD/tmp "$PLUMB" run right.c --executions 10 2>err | true || true
until_true is_clean

# While a wrong test is made smaller: it is shown as it is by then. Whoever does not wait even for that is told what is wrong.
cat >slow.c <<'C'
#include <stdatomic.h>
static atomic_int n, m;
int next(void)
{
    int old = atomic_load(&n);
    atomic_store(&n, old + 1);
    return old;
}
void work(void)
{
    for (int i = 0; i < 6; i++)
        atomic_fetch_add(&m, 1);
}
C
for jobs in 1 2; do
    for times in 1 2; do
        code=0
        "$PLUMB" check slow.c --call 'next()' --call 'work()' --test 'work(),work(),next() | work(),work(),next() | work(),work()' \
            --jobs $jobs --save no --json r.json >out 2>err &
        plumb=$!
        until_true grep -q 'stopped at the first violation' out
        sleep 0.3
        for _ in $(seq $times); do kill -INT $plumb; done
        wait $plumb || code=$?
        [ "$code" = 1 ] || { cat out err && die "exit code $code after $times interrupts while it shrinks"; }
        grep -q '^violation: not-linearizable, ' out || die "$(cat out)"
        [ "$(key r.json violation kind)" = not-linearizable ] || die "$(cat r.json)"
        [ $times = 2 ] || grep -qE 'minimal as far as explored|not explored to their end' out || die "$(cat out)"
    done
done
