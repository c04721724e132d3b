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
