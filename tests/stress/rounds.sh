# Real threads: what is right passes, what is wrong is found, named and brought down to a small test.
. "$SRC/tests/check/lib.bash"
box=$SRC/tests/stress/subjects/box.c


"$PLUMB" stress "$box" --rounds 40 --threads 4 --operations 400 --json right.json >right.txt ||
    die "a right queue does not pass: $(cat right.txt)"
[ "$(jq -r .verdict right.json)" = pass ] || die "verdict"
[ "$(jq -r .coverage right.json)" = sampled ] || die "coverage"
[ "$(jq -r .command right.json)" = stress ] || die "command"
grep -q 'no violation in 40 rounds' right.txt || die "rounds: $(cat right.txt)"
grep -Eq 'recording one costs [0-9]+ ns' right.txt || die "the cost of recording is not said"

# The one that the documents speak of is right for longer than a test, too.
"$PLUMB" stress "$SRC/subjects/correct/queue_table.c" --rounds 10 --threads 4 --operations 400 >right.txt ||
    die "a right queue does not pass: $(cat right.txt)"

code=0
"$PLUMB" stress "$box" --seconds 20 --operations 400 --json twice.json -- -DTWICE >twice.txt || code=$?
[ $code = 1 ] || die "a value taken twice: exit code $code"
[ "$(jq -r .violation.kind twice.json)" = not-linearizable ] || die "kind"
history=$(jq -r '.findings[0].history' twice.json)
[ -s "$history" ] || die "no history was written"
grep -q 'minimal: no call can be left out' twice.txt || die "not minimal: $(cat twice.txt)"
grep -Eq 'Localised: [23] concurrent calls' twice.txt || die "not localised: $(cat twice.txt)"
grep -q 'plumb replay box-1.plumb' twice.txt || die "no replay"

# The history is bad by itself, and the small test is wrong under plumb check, too.
code=0
"$PLUMB" history "$history" --spec fifo >/dev/null || code=$?
[ $code = 1 ] || die "plumb history says $code of $history"
code=0
"$PLUMB" replay box-1.plumb >/dev/null || code=$?
[ $code = 1 ] || die "replay says $code"

# ends KIND FLAG PATTERN: the round's end is a finding.
ends() {
    local code=0
    "$PLUMB" stress "$box" --seconds 20 --hang-seconds 1 --json end.json -- -D"$2" >end.txt || code=$?
    [ $code = 1 ] || die "$2: exit code $code: $(cat end.txt)"
    [ "$(jq -r .violation.kind end.json)" = "$1" ] || die "$2: $(jq -c .violation end.json)"
    grep -Eq "$3" end.txt || die "$2: $(cat end.txt)"
}
ends crash CRASH 'box\.c:24: thread [0-9] in put\(1\): Segmentation fault'
ends double-free FREED 'box\.c:[0-9]+: thread [0-9] in put\(1\): Aborted'
ends crash SPILT 'box\.c:[0-9]+: thread [0-9] in put\(1\): Aborted'
ends assertion ABORT 'box\.c:28: thread [0-9] in put\(1\): Aborted'
ends exit LEAVE 'exit code 3'
ends hang HANG 'did not end in 1 s; .*is in put\(1\)'
ends invariant BROKEN 'invariant does not hold'
