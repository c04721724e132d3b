# Bad input: one sentence, exit code 2.
. "$SRC/tests/check/lib.bash"
box=$SRC/tests/stress/subjects/box.c
refuses() {
    local pattern=$1 code=0
    shift
    "$PLUMB" stress "$@" >out.txt 2>err.txt || code=$?
    [ $code = 2 ] || die "$*: exit code $code"
    [ "$(wc -l <err.txt)" = 1 ] || die "$*: not one line: $(cat err.txt)"
    grep -Eq -- "$pattern" err.txt || die "$*: $(cat err.txt)"
}
refuses 'no file given' --threads 2
refuses 'which --spec' "$SRC/subjects/correct/counter.c" --call 'inc()'
cat >written.c <<'C'
#include <plumb/spec.h>
struct plumb_state { int count; };
PLUMB_STEP(inc) { s->count++; return plumb_ok(); }
C
refuses 'a written spec judges small tests only' "$SRC/subjects/correct/counter.c" --call 'inc()' --spec written.c
refuses '--threads: at most 64' "$box" --threads 65
refuses '--operations: at most' "$box" --operations 2000000
refuses '--history .: cannot be written: Is a directory' "$box" --history .
refuses '--history nowhere/h: cannot be written: No such file' "$box" --history nowhere/h
refuses 'cannot|No such' /nonexistent.c --spec fifo
refuses '--seconds' "$box" --seconds never
"$PLUMB" stress --help | grep -q 'plumb stress queue_subject.c' || die "no examples"
