#!/usr/bin/env bash
# Prints which share of the time of exploring checking takes: tests with and without a criterion.
#
#   [PLUMB=plumb] [REPEAT=5] bench/check.sh
#
# The time is the processor's, of all processes, user and system, the least of so many runs by turns, less that
# of building the subject and starting (the same command with one execution). share is what the criterion adds,
# in percent of the time without it; tests that explore for less than 0.05 s say little. by the clock: the same
# of the time on the wall, which is less where a second processor decides while the first explores.
set -euo pipefail
export LC_ALL=C
plumb=${PLUMB:-plumb}
repeat=${REPEAT:-5}
subjects=$(cd "$(dirname "${BASH_SOURCE[0]}")/../subjects/correct" && pwd)
out=$(mktemp)
trap 'rm -f "$out" "$out.json"' EXIT

# seconds ARGS...: processor and wall of one run; the verdict must be a pass, or unknown where only one execution was
# asked for.
seconds() {
    local code=0
    TIMEFORMAT='%U %S %R'
    { time "$plumb" check "$@" --save=no --json "$out.json" >/dev/null 2>&1 || code=$?; } 2>"$out"
    [ "$code" = 0 ] || [ "$code" = 3 ] || { echo "check.sh: $*: exit code $code" >&2; exit 1; }
    awk '{ print $1 + $2, $3 }' "$out"
}

# less A B: of pairs, the less of each.
less() {
    awk -v a="$1" -v b="$2" 'BEGIN { if (split(a, x) < 2) { print b; exit } split(b, y)
        print (y[1] < x[1] ? y[1] : x[1]), (y[2] < x[2] ? y[2] : x[2]) }'
}

# measure SUBJECT MODEL TEST SPEC...
measure() {
    local subject=$1 model=$2 test=$3 with='' without='' base=''
    shift 3
    local args=("$subjects/$subject" --model "$model" --test "$test" "$@") call
    grep -q PLUMB_CALL "$subjects/$subject" || while read -r call; do # its calls are those of the test
        args+=(--call "$call")
    done < <(grep -oE '[a-z_]+\([0-9]*\)' <<<"$test" | sort -u)
    for ((i = 0; i < repeat; i++)); do
        base=$(less "$base" "$(seconds "${args[@]}" --criterion none --executions 1)")
        without=$(less "$without" "$(seconds "${args[@]}" --criterion none)")
        with=$(less "$with" "$(seconds "${args[@]}")")
    done
    local executions histories
    executions=$(jq .executions "$out.json") histories=$(jq .histories "$out.json")
    awk -v s="${subject%.c}" -v m="$model" -v t="$test" -v e="$executions" -v h="$histories" -v a="$with" \
        -v b="$without" -v c="$base" '
        function share(a, b, c) { return b > c ? 100 * (a - b) / (b - c) : 0 }
        BEGIN { split(a, x); split(b, y); split(c, z)
        printf "| %s | %s | `%s` | %d | %d | %.2f | %.2f | %.0f %% | %.2f | %.2f | %.0f %% |\n", s, m, t, e, h,
            y[1] - z[1], x[1] - z[1], share(x[1], y[1], z[1]), y[2] - z[2], x[2] - z[2], share(x[2], y[2], z[2]) }'
}

echo '| subject | model | test | executions | histories | exploring, s | with checking, s | share |' \
    'by the clock: exploring, s | with checking, s | share |'
echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |'
lifo=(--spec lifo)
fifo=(--spec fifo --setup 'queue_init()')
mpmc=()
set=(--spec set)
count=(--spec counter)
for model in sc rc11; do
    measure treiber_stack.c $model 'push(1),pop() | push(2),pop() | push(3),pop() | pop(),pop()' "${lifo[@]}"
    measure treiber_stack.c $model 'push(1),pop(),push(2) | push(3),pop(),pop() | push(4),pop()' "${lifo[@]}"
    measure ms_queue.c $model 'enq(1),deq() | enq(2),deq() | enq(3),deq()' "${fifo[@]}"
    measure mpmc_queue.c $model 'enq(1),deq(),enq(2) | enq(2),deq() | deq(),enq(1)' "${mpmc[@]}"
    measure harris_list.c $model 'add(5),del(5) | add(6),del(5),has(6) | add(5),has(6)' "${set[@]}"
    measure skip_list.c $model 'add(1),del(2),has(2) | add(2),del(1),add(1)' "${set[@]}"
    measure lazy_list.c $model 'add(1),del(1),has(2) | add(2),has(2),del(1) | del(1),add(1),add(2)' "${set[@]}"
    measure counter.c $model 'inc(),get() | inc(),get() | inc(),get() | inc(),get(),get()' "${count[@]}"
done
