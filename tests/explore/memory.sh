#!/bin/bash
# A long search takes no more memory than a short one: the most that the process of the subject ever
# has resident stays under 100 MB, and does not grow after the first fifth.
set -eu
. "$SRC/tests/explore/lib.bash"

# peak NAME FLAGS: the largest VmHWM in KiB seen in the first fifth, and in all; leaves r.json.
peak() {
    local plumb child samples
    : >samples
    # shellcheck disable=SC2086 # words
    "$PLUMB" explore "$programs/$1.c" --save=no --json r.json -- -O2 $2 >r.txt 2>&1 &
    plumb=$!
    while kill -0 "$plumb" 2>/dev/null; do
        child=$(cat "/proc/$plumb/task/$plumb/children" 2>/dev/null || true)
        child=${child%% *}
        # Compilers and linkers are children too; only the subject has the wire.
        if [ -n "$child" ] && { tr '\0' '\n' <"/proc/$child/environ"; } 2>/dev/null | grep -q ^PLUMB_WIRE=; then
            awk '/^VmHWM:/ { print $2 }' "/proc/$child/status" 2>/dev/null >>samples || true
        fi
        sleep 0.02
    done
    wait "$plumb" || true
    samples=$(wc -l <samples)
    [ "$samples" -ge 10 ] || { echo "only $samples samples" && exit 1; }
    echo "$(head -n $((samples / 5 + 1)) samples | sort -n | tail -n 1) $(sort -n samples | tail -n 1)"
}

# flat NAME FLAGS EXECUTIONS
flat() {
    local early most
    read -r early most < <(peak "$1" "$2")
    ok "$1 $2" "pass $3" "$(jq -r '"\(.verdict) \(.executions)"' r.json)"
    echo "$1 $2: $most KiB at most, $early KiB in the first fifth"
    ok "$1 $2: under 100 MB" yes "$([ "$most" -lt 100000 ] && echo yes || echo "$most KiB")"
    ok "$1 $2: flat" yes "$([ "$most" -le $((early + 1024)) ] && echo yes || echo "from $early to $most KiB")"
}

flat lastzero -DN=17 655360
flat fib_bench -DN=6 8149694
finish
