#!/usr/bin/env bash
# Prints how fast plumb explores: executions a second, complete and blocked, beside GenMC 0.11.
#
#   [PLUMB=plumb] [REPEAT=3] bench/explore.sh
#
# The programs are those of tests/explore/programs, at -O2, each explored to its end; every repetition
# is a line, so that the spread is seen. The time is the explorer's own, compiling not included. The
# figures of GenMC were measured on one core of a similar machine, nearly idle; - where there is none.
# executions/s has the blocked ones, as GenMC's figure does, and factor compares the two; verdict is
# how many times sooner the search ends, where the program is known to be GenMC's.
set -euo pipefail
shopt -s extglob
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

# measure NAME FLAGS MODEL RATE GRAPHS: one line of the table. RATE is GenMC's executions a second, or
# -; GRAPHS how many it explores in all, or - where its program is not known to be the same.
measure() {
    local name=$1 flags=$2 model=$3 genmc=$4 graphs=$5
    # shellcheck disable=SC2086 # words
    "$plumb" explore "$programs/$name.c" --model "$model" --save=no --json "$json" -- -O2 \
        ${flags//,/ } >/dev/null || {
        echo "explore.sh: plumb explore $name.c --model $model failed with exit code $?" >&2
        exit 1
    }
    awk -v p="$name(${flags//-D[A-Z]*([A-Z])=/})" -v m="$model" -v e="$(number executions)" \
        -v b="$(number blocked)" -v t="$(number seconds)" -v s="$(number steps)" -v g="$genmc" \
        -v all="$graphs" 'BEGIN {
        rate = (e + b) / t
        times = g == "-" ? "-" : sprintf("%.1fx", rate / g)
        whole = all == "-" ? "-" : sprintf("%.1fx", all / g / t)
        printf "%-14s  %-5s  %10d  %8d  %8.2f  %12.0f  %10.1f  %8s  %7s  %7s\n", p, m, e, b, t, rate,
               s / (e + b), g, times, whole }'
}

gcc --version | head -n 1
echo "$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1), $(nproc) processors," \
    "load at the start $(cut -d' ' -f1-3 /proc/loadavg)"
echo
printf '%-14s  %-5s  %10s  %8s  %8s  %12s  %10s  %8s  %7s  %7s\n' program model executions blocked \
    seconds executions/s steps/exec GenMC factor verdict
while read -r name flags model genmc graphs; do
    for ((i = 0; i < repeat; i++)); do
        measure "$name" "$flags" "$model" "$genmc" "$graphs"
    done
done <<'TABLE'
ainc -DN=8 rc11 19500 40320
lastzero -DN=15 rc11 12000 147456
fib_bench -DN=5 sc 130000 218243
fib_bench -DN=5 rc11 130000 525630
indexer -DN=15 rc11 1600 4096
ttas -DN=5 rc11 15000 -
deque -DN=3,-DPUSHES=4 sc 42000 -
deque -DN=3,-DPUSHES=4 rc11 42000 -
twalock -DN=4 rc11 6400 -
treiber_pop -DN=3 rc11 4100 7914
treiber_pop -DN=4 rc11 4100 -
mutex -DN=6 rc11 - -
TABLE
echo
echo "load at the end $(cut -d' ' -f1-3 /proc/loadavg)"
