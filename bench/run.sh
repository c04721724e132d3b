#!/usr/bin/env bash
# Prints how fast plumb runs: steps a second, nanoseconds a step, executions a second.
#
#   [PLUMB=plumb] [SECONDS_EACH=5] [REPEAT=3] [JOBS=1] bench/run.sh
#
# Two programs (msqueue.c, mutex3.c), race detection off and on, each REPEAT times; every
# repetition is a line, so that the spread is seen. Nothing is built but the two programs, by plumb.
# "ns/step" is by the clock on the wall; "cpu ns" is a step by the processor's time (less that of a
# run of one execution: compiling, linking), which a loaded machine disturbs less.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
plumb=${PLUMB:-plumb}
seconds=${SECONDS_EACH:-5}
repeat=${REPEAT:-3}
jobs=${JOBS:-1}
json=$(mktemp)
times=$(mktemp)
trap 'rm -f "$json" "$times"' EXIT

# The value of a top-level number in the result.
number() {
    tr -d ' \n' <"$json" | grep -oE "[{,]\"$1\":[0-9.eE+-]+" | head -n 1 | cut -d: -f2
}

# Runs plumb; its result is in $json, the processor's time it took in $cpu.
#   run_plumb PROGRAM RACES LIMIT...
run_plumb() {
    local program=$1 races=$2 TIMEFORMAT='%U %S'
    shift 2
    {
        time "$plumb" run "$here/$program.c" --races="$races" --jobs "$jobs" --json "$json" "$@" \
            >/dev/null 2>&4 || {
            echo "run.sh: plumb run $program.c --races=$races failed with exit code $?" >&4
            exit 1
        }
    } 4>&2 2>"$times"
    cpu=$(awk '{ print $1 + $2 }' "$times")
}

# One line of the table.
measure() {
    local program=$1 races=$2 executions took steps cpu before
    run_plumb "$program" "$races" --executions 1
    before=$cpu
    run_plumb "$program" "$races" --seconds "$seconds"
    executions=$(number executions)
    took=$(number seconds)
    steps=$(number steps)
    awk -v p="$program" -v r="$races" -v e="$executions" -v t="$took" -v s="$steps" \
        -v c="$cpu" -v b="$before" 'BEGIN {
        printf "%-8s  %-6s  %10d  %7.2f  %11.0f  %7.1f  %6.1f  %12.0f  %10.1f\n",
               p, r, e, t, s / t, t * 1e9 / s, (c - b) * 1e9 / s, e / t, s / e }'
}

gcc --version | head -n 1
echo "$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1), $(nproc) processors," \
    "jobs $jobs, load at the start $(cut -d' ' -f1-3 /proc/loadavg)"
echo
printf '%-8s  %-6s  %10s  %7s  %11s  %7s  %6s  %12s  %10s\n' program races executions seconds \
    steps/s ns/step 'cpu ns' executions/s steps/exec
for program in msqueue mutex3; do
    for races in off report; do
        for ((i = 0; i < repeat; i++)); do
            measure "$program" "$races"
        done
    done
done
echo
echo "load at the end $(cut -d' ' -f1-3 /proc/loadavg)"
