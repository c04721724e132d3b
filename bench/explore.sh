#!/usr/bin/env bash
# Prints how fast plumb explores: executions a second, complete and blocked, beside GenMC 0.11.
#
#   [PLUMB=plumb] [REPEAT=3] bench/explore.sh
#
# The programs are those of tests/explore/programs, at -O2, each explored to its end; every repetition
# is a line, so that the spread is seen. The time is the explorer's own, compiling not included. The
# figures of GenMC were measured on one core of a similar machine, nearly idle; - where there is none.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
programs=$here/../tests/explore/programs
plumb=${PLUMB:-plumb}
repeat=${REPEAT:-3}
json=$(mktemp)
trap 'rm -f "$json"' EXIT

# The value of a top-level number in the result.
number() {
    tr -d ' \n' <"$json" | grep -oE "[{,]\"$1\":[0-9.eE+-]+" | head -n 1 | cut -d: -f2
}

# measure NAME N MODEL GENMC: one line of the table; GENMC is its executions a second, or -.
measure() {
    local name=$1 n=$2 model=$3 genmc=$4
    "$plumb" explore "$programs/$name.c" --model "$model" --save=no --json "$json" -- -O2 "-DN=$n" \
        >/dev/null || {
        echo "explore.sh: plumb explore $name.c --model $model failed with exit code $?" >&2
        exit 1
    }
    awk -v p="$name($n)" -v m="$model" -v e="$(number executions)" -v b="$(number blocked)" \
        -v t="$(number seconds)" -v s="$(number steps)" -v g="$genmc" 'BEGIN {
        rate = (e + b) / t
        times = g == "-" ? "-" : sprintf("%.1fx", rate / g)
        printf "%-14s  %-5s  %10d  %8d  %8.2f  %12.0f  %10.1f  %10s  %8s\n", p, m, e, b, t, rate,
               s / (e + b), g, times }'
}

gcc --version | head -n 1
echo "$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1), $(nproc) processors," \
    "load at the start $(cut -d' ' -f1-3 /proc/loadavg)"
echo
printf '%-14s  %-5s  %10s  %8s  %8s  %12s  %10s  %10s  %8s\n' program model executions blocked \
    seconds executions/s steps/exec GenMC factor
while read -r name n model genmc; do
    for ((i = 0; i < repeat; i++)); do
        measure "$name" "$n" "$model" "$genmc"
    done
done <<'TABLE'
ainc 8 rc11 19500
lastzero 15 rc11 12000
fib_bench 5 sc 130000
fib_bench 5 rc11 130000
indexer 15 rc11 1600
mutex 6 rc11 -
TABLE
echo
echo "load at the end $(cut -d' ' -f1-3 /proc/loadavg)"
