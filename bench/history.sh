#!/usr/bin/env bash
# Prints how fast plumb decides histories: a table of types, shapes and formats.
#
#   [PLUMB=plumb] [OPERATIONS=1000000] [CC=cc] bench/history.sh
#
# The histories are made by histories.c; "cpu" is the processor's time of the whole command,
# reading included, "bytes" its memory at most, for an operation. Good histories come with a
# replayed witness; for bad ones the time includes the shortest prefix and the conflict.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
plumb=${PLUMB:-plumb}
operations=${OPERATIONS:-1000000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${CC:-cc}" -O2 -I"$here/../src" "$here/histories.c" -o "$work/histories"

# measure NAME SPEC VERDICT OPERATIONS GENERATOR-ARGUMENTS...
measure() {
    local name=$1 spec=$2 expected=$3 n=$4 TIMEFORMAT='%R %U %S' code=0 memory
    shift 4
    local initial=()
    [[ $spec != register ]] || initial=(--initial 0) # in EDN it is nil
    "$work/histories" "$1" "$n" "${@:2}" >"$work/history"
    { time "$plumb" history "$work/history" --spec "$spec" "${initial[@]}" --seconds 60 --json "$work/result" \
        >/dev/null 2>&1 || code=$?; } 2>"$work/times"
    [[ $code -eq $expected ]] || echo "history.sh: $name: exit code $code, not $expected" >&2
    memory=$(python3 - "$plumb" history "$work/history" --spec "$spec" "${initial[@]}" --seconds 60 <<'P'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
P
    )
    awk -v name="$name" -v n="$n" -v m="$memory" -v size="$(stat -c %s "$work/history")" \
        '{ printf "%-44s %10d %7.1f %6.2f %6.2f %7.0f\n", name, n, size / 1e6, $1, $2 + $3, m / n }' "$work/times"
}

echo "$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1), load $(cut -d' ' -f1-3 /proc/loadavg)"
echo
printf '%-44s %10s %7s %6s %6s %7s\n' history operations MB wall cpu bytes/op
for pair in queue:fifo stack:lifo pqueue:pqueue set:set register:register bag:bag counter:counter; do
    type=${pair%:*} spec=${pair#*:}
    measure "$type, 16 threads" "$spec" 0 "$operations" "$type"
done
measure 'queue, 2 threads' fifo 0 "$operations" queue threads 2
measure 'queue, 64 threads' fifo 0 "$operations" queue threads 64
measure 'queue, 16 threads, overlap 4' fifo 0 "$operations" queue overlap 4
measure 'queue, 16 threads, 100,000 inside' fifo 0 "$operations" queue size 100000
measure 'stack, 16 threads, 100,000 inside' lifo 0 "$operations" stack size 100000
for pair in queue:fifo stack:lifo pqueue:pqueue set:set register:register; do
    type=${pair%:*} spec=${pair#*:}
    measure "$type, 16 threads, 10 in a million pending" "$spec" 0 "$operations" "$type" pending 10
done
for format in json times edn; do
    for pair in queue:fifo stack:lifo pqueue:pqueue set:set register:register; do
        type=${pair%:*} spec=${pair#*:}
        measure "$type, 16 threads, $format" "$spec" 0 "$operations" "$type" format "$format"
        measure "$type, 16 threads, $format, bad" "$spec" 1 "$operations" "$type" format "$format" bad size 1000
        [[ $format == times ]] || # it has no pending ones
            measure "$type, 16 threads, $format, pending" "$spec" 0 "$operations" "$type" format "$format" pending 10
    done
done
for pair in queue:fifo stack:lifo pqueue:pqueue set:set register:register counter:counter; do
    type=${pair%:*} spec=${pair#*:}
    measure "$type, 16 threads, bad" "$spec" 1 "$operations" "$type" bad size 1000
done
measure 'register, 4 threads, 5 values' register 0 "$((operations / 10))" register threads 4 values 5
measure 'register, 16 threads, 5 values' register 0 "$operations" register values 5
measure 'bag, 16 threads, 50 values' bag 0 "$((operations / 10))" bag values 50
measure 'pqueue, 16 threads, 50 values' pqueue 0 "$((operations / 10))" pqueue values 50 size 20
