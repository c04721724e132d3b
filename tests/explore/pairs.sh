#!/bin/bash
# A load and the compare-exchange that goes with it, taken for one (src/explore/pairs.c): nothing may be
# lost by that, in random programs whose values come back and whose nodes are used again; and in those
# of pairs/, where it must not be done, or what a failing round shows must be noted.
set -eu
. "$SRC/tests/explore/lib.bash"

for kind in numbers values stacks waits; do
    (mkdir $kind && cd $kind && python3 "$SRC/tests/explore/random_pairs.py" "$PLUMB" 1 25 $kind)
done

# result FLAGS: what comes of it, and how many graphs were given up.
result() {
    local code=0
    # shellcheck disable=SC2086 # words
    PLUMB_PROVE=1 "$PLUMB" explore "$file" --model "$model" --symmetry=off --keep-going --save=no \
        --json r.json -- -O1 $1 >r.txt 2>&1 || code=$?
    jq -r --arg code $code '"\($code) \(.verdict) \(.executions) \([.findings[] | .kind + .message] | sort)"' r.json
}

for file in "$SRC"/tests/explore/pairs/*.c; do
    while read -r line; do
        flags=$(flags_of "$line") wanted=${line##* }
        for model in sc rc11; do
            name="$(basename "$file") $flags $model"
            without=$(PLUMB_NO_PAIRS=1 result "$flags") blocked=$(jq .blocked r.json)
            ok "$name" "$without" "$(result "$flags")"
            [ "$(jq .blocked r.json)" -lt "$blocked" ] && done=yes || done=no
            ok "$name: fewer given up" "$wanted" "$done"
        done
    done < <(sed -n '1,30s,^// pairs: *,,p' "$file")
done
finish
