# plumb bench papers: the frame, and two rows of Line-Up's Table 2 with few tests.
source "$SRC/tests/check/lib.bash"
bench=(bench papers --subjects "$SRC/subjects" --seconds 30)

expect 0 "${bench[@]}" --only lineup --row ManualResetEvent --tests 12 --json r.json
grep -q '^ManualResetEvent(Pre) *A *|  828 1680   93    7' out || { cat out; die "the paper's figures"; }
[[ $(key r.json verdict) = pass && $(key r.json rows 1 name) = ManualResetEvent ]] || die "rows"
[[ $(key r.json rows 1 unbounded pass) = 12 && $(key r.json rows 1 rc11 pass) = 12 ]] || die "passes"
pass=$(key r.json rows 0 unbounded pass) fail=$(key r.json rows 0 unbounded fail)
((fail > 0 && pass + fail == 12)) || die "cause A: $pass pass, $fail fail"

# Time is over: what was left is counted, and is no claim.
expect 3 "${bench[@]}" --only lineup --row SemaphoreSlim --tests 30 --seconds 0.001 --json r.json
[[ $(key r.json verdict) = unknown && $(key r.json message) = '1 row, 0 not as in the paper, 1 not done in the time' ]] ||
    die "$(key r.json message)"
[[ $(key r.json rows 0 unbounded left) -gt 0 && $(key r.json rows 0 unbounded fail) = 0 ]] || die "left"
# A row that should fail and does not is not as in the paper.
expect 1 "${bench[@]}" --row 'Queue(Pre)' --tests 2 --seconds 0.001 --json r.json
[[ $(key r.json message) = '1 row, 1 not as in the paper' ]] || die "$(key r.json message)"

# Round-Up: verdicts under each reading, and Table V of the k-stack.
expect 0 "${bench[@]}" --only roundup --row 'Stack b' --json r.json
[[ $(key r.json message) = '4 rows, 0 not as in the paper' ]] || die "$(key r.json message)"
grep -q '^Quasi Stack b2 *2\*2+4 2 | YES     2.8 | YES  *6/6  *[0-9.]* | no !  *0/6  *[0-9.]* | no ! ' out ||
    { cat out; die "the readings"; }
expect 0 "${bench[@]}" --only roundup --row k-stack --json r.json
for reading in positions all-subsets; do
    [[ $(key r.json rows 0 $reading kind) = not-quasi-linearizable && $(key r.json rows 2 $reading pass) = 1 ]] ||
        die "Table V, $reading"
done

# CGVT: with this seed the first round under D-PCT is stuck, and those after it are looked at, too.
expect 0 "${bench[@]}" --only cgvt --row BUList1 --seconds 4 --seed 4 --json r.json
[[ $(key r.json rows 0 bad) -ge 1 && $(key r.json rows 0 methods 0 calls) = 2 ]] || { cat out; die "BUList1"; }

# Every client of one call a thread; the wrong queue fails under rc11 alone. The times are ours to print.
expect 0 "${bench[@]}" --only clients --row Treiber --json r.json
[[ $(key r.json rows 0 rc11 executions) = 546 && $(key r.json rows 0 sc pass) = 1 ]] || { cat out; die "clients"; }
expect 0 "${bench[@]}" --only clients --row acquire --json r.json
[[ $(key r.json rows 0 rc11 kind) = not-linearizable && $(key r.json rows 0 sc fail) = 0 ]] || { cat out; die "acquire"; }
# What checking adds: the same executions with and without.
expect 0 "${bench[@]}" --only checking --row 'hazard' --json r.json
for run in exploring checking; do
    [[ $(key r.json rows 0 $run tests) = 90 && $(key r.json rows 0 $run executions) = 3224 ]] || { cat out; die "$run"; }
done
[[ $(key r.json rows 0 exploring histories) = 0 && $(key r.json rows 0 checking histories) -gt 0 ]] || die "histories"

refused 'plumb bench papers' bench
refused "did you mean lineup" bench papers --subjects "$SRC/subjects" --only lineip
refused 'no directory nowhere' bench papers --subjects nowhere
[[ $("$PLUMB" bench papers --subjects nowhere --json e.json 2>&1 || true) && $(key e.json verdict) = error ]] ||
    die 'no JSON on an error'
