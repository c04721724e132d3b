# Which tests the modes run, what is said of them, and several processes side by side.
source "$SRC/tests/check/lib.bash"
s=$SRC/subjects

# One line a stage, then a verdict that names what was exhausted.
passes "$s/correct/locked_queue.c" "${queue[@]}" --size 2x2 --save no
sed 's/, [0-9.]* s$//' out >lines
cat >expected <<T
$s/correct/locked_queue.c: 3 calls, spec derived from serial runs, models sc then rc11
  2×2  45 tests  all executions explored  sc 270  rc11 270
T
head -2 lines | same - expected
grep -q '^pass, bounded: linearizable in all 45 tests of 2x2; under sc and rc11; 540 executions' lines ||
    { cat lines; die "the verdict"; }
[[ $(python3 -c 'import json; s = json.load(open("result.json"))["stages"][0]
print(s["kind"], s["threads"], s["calls"], s["whole"], s["models"]["rc11"]["executions"])') \
    = 'all 2 2 True 270' ]] || die "stages in JSON"

# The same for every number of processes: counts, and the violation.
cp result.json alone.json
for jobs in 2 5; do
    passes "$s/correct/locked_queue.c" "${queue[@]}" --size 2x2 --jobs $jobs
    for k in tests executions histories steps; do
        [[ $(key result.json $k) = $(key alone.json $k) ]] || die "--jobs $jobs: $k"
    done
done
for jobs in 1 3; do
    expect 1 check "$s/wrong/slot_queue.c" "${queue[@]}" --jobs $jobs --save no --json result.json
    grep -v '^violation: ' out >"shown$jobs"
    key result.json executions >>"shown$jobs"
done
same shown1 shown3
expect 1 check "$s/wrong/timeout_queue.c" "${queue[@]}" --size 2x2 --model sc --keep-going --save no \
    --json result.json
sed 's/, [0-9.]* s$//' out >shown1
expect 1 check "$s/wrong/timeout_queue.c" "${queue[@]}" --size 2x2 --model sc --keep-going --save no \
    --json result.json --jobs 2
sed 's/, [0-9.]* s$//' out | same - shown1

# An error of a process is an error.
expect 2 check "$s/correct/locked_queue.c" "${queue[@]}" --call '(void)system("true")' --size 2x1 \
    --jobs 2
[[ -s err ]] || die "no sentence"

# Interrupted: what is known.
"$PLUMB" check "$s/correct/locked_queue.c" "${queue[@]}" --size 3x3 --jobs 2 >out 2>err &
pid=$!
for _ in {1..100}; do
    grep -q calls out && break
    sleep 0.1
done
sleep 1
kill -INT $pid
code=0
wait $pid || code=$?
[[ $code = 3 ]] || { cat out err; die "interrupted: exit code $code"; }
grep -q '^unknown: interrupted; nothing wrong in what was' out || { cat out; die "interrupted"; }

# Line-Up's AutoCheck: n x n tests of the first n calls. The bug takes two calls of a thread.
expect 1 check "$s/wrong/slot_queue.c" "${queue[@]}" --auto --model sc --save no --json result.json
grep -q '^  1×1  1 test  all executions explored' out || die "1x1"
expect 0 check "$s/correct/counter.c" --call 'inc()' --call 'get()' --auto --seconds 3 --json result.json
grep -q 'the only test of 1x1, all 10 tests of 2x2' out || { cat out; die "auto"; }
expect 2 check "$s/correct/counter.c" --call 'inc()' --auto --size 2x2

# Sequences as cells: of two cells there are three tests with two threads.
passes "$s/correct/locked_queue.c" "${queue[@]}" --cell 'add(1);try_take()' --cell 'add(2)' --size 2x1 \
    --model sc
[[ $(key result.json tests) = 3 && $(key result.json executions) = 11 ]] || die "cells"
expect 2 check "$s/correct/locked_queue.c" "${queue[@]}" --cell 'add(1) | add(2)'
expect 2 check "$s/correct/locked_queue.c" "${queue[@]}" --cell 'nothing()'

# Groups and limits hold for generated tests, too.
passes "$s/correct/locked_queue.c" "${queue[@]}" --size 2x1 --group add --model sc
[[ $(key result.json tests) = 3 ]] || die "a group: $(key result.json tests) tests"
