#!/bin/bash
# The counts known from the literature at their full size: tens of thousands of executions and more.
set -eu
. "$SRC/tests/explore/lib.bash"

# large NAME FLAGS SC TSO RC11
large() {
    local name=$1 flags=$2 model
    shift 2
    for model in sc tso rc11; do
        # shellcheck disable=SC2086 # words
        explore "$programs/$name.c" "$model" own -O1 $flags
        ok "$name $flags $model" "pass exhaustive $1" \
            "$(jq -r '"\(.verdict) \(.coverage) \(.executions)"' r.json)"
        shift
    done
}

large ainc -DN=8 40320 40320 40320
large lastzero -DN=15 147456 147456 147456
large fib_bench -DN=4 19605 34205 34205
large fib_bench -DN=5 218243 525630 525630
large indexer -DN=15 4096 4096 4096
large mutex -DN=7 5040 5040 5040
large ttas -DN=5 14400 14400 14400
large deque '-DN=3 -DPUSHES=4' 125496 128934 142668
large deque -DN=4 162996 162996 208484
finish
