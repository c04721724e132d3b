#!/bin/bash
# Several processes explore together: the same counts as one, whoever does what; a finding ends it
# for all; what --executions cuts short is unknown.
set -eu
. "$SRC/tests/explore/lib.bash"

result() { jq -r '"\(.verdict) \(.coverage) \(.executions), \(.blocked) blocked"' r.json; }

# together NAME FLAGS MODEL JOBS TOTAL
together() {
    "$PLUMB" explore "$programs/$1.c" --model "$3" --jobs "$4" --save=no --json r.json -- -O1 $2 \
        >r.txt 2>&1 || true
    ok "$1 $2 $3 --jobs $4" "pass exhaustive $5, 0 blocked" "$(result)"
}
for jobs in 2 3 8; do
    together ainc -DN=8 rc11 $jobs 40320
    together lastzero -DN=10 tso $jobs 3328
    together fib_bench -DN=4 rc11 $jobs 34205
    together casrot -DN=8 sc $jobs 2048
    together sb '' rc11 $jobs 4
    together mutex -DN=6 rc11 $jobs 720
done

for name in rare abba publish_race; do
    "$PLUMB" explore "$programs/$name.c" --jobs 3 --save=f.plumb --json r.json >r.txt 2>&1 || true
    ok "$name.c" violation "$(jq -r .verdict r.json)"
    "$PLUMB" replay f.plumb >r.txt 2>&1 && code=0 || code=$?
    ok "$name.c replayed" 1 $code
done

"$PLUMB" explore "$programs/fib_bench.c" --jobs 2 --executions 20000 --save=no --json r.json -- -DN=5 \
    >r.txt 2>&1 || true
ok "--executions" "unknown partial true" \
    "$(jq -r '"\(.verdict) \(.coverage) \(.executions >= 20000)"' r.json)"

# trylock: the search begins again, in all of them
"$PLUMB" explore "$SRC/tests/explore/outcomes/mutex_try.c" --save=no --json one.json -- -DCOUNT \
    >r.txt 2>&1 || true
"$PLUMB" explore "$SRC/tests/explore/outcomes/mutex_try.c" --save=no --json r.json --jobs 3 -- -DCOUNT \
    >r.txt 2>&1 || true
ok "mutex_try.c" "$(jq -r '"\(.verdict) \(.coverage) \(.executions), \(.blocked) blocked"' one.json)" \
    "$(result)"
finish
