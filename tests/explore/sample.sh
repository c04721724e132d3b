#!/bin/bash
# Sampling: the right verdict and coverage, the same for the same seed and any number of jobs, a
# guarantee only where it holds; findings that replay; and, with every modelled object, the very
# outcomes that exploring everything finds.
set -eu
. "$SRC/tests/explore/lib.bash"

# sample FILE STRATEGY MODEL OPTIONS...
sample() {
    local file=$1 strategy=$2 model=$3
    shift 3
    code=0
    "$PLUMB" explore "$programs/$file" --strategy "$strategy" --model "$model" --json r.json "$@" \
        >r.txt 2>&1 || code=$?
}
result() { jq -r '"\(.verdict) \(.coverage) \(.executions + .blocked) \(.chance // "none")"' r.json; }

for strategy in random pct:2 dpct dpct:2; do
    sample sb_assert.c $strategy rc11 --save=no
    ok "$strategy finds" "violation" "$(jq -r .verdict r.json)"
    sample sb_assert.c $strategy sc --executions 500 --save=no
    chance=none
    [ $strategy != pct:2 ] || chance=0.02564102564102564
    ok "$strategy finds nothing" "pass sampled 500 $chance" "$(result)"
done
sample sb_assert.c pct:2 tso --executions 500 --save=no -- -DN=1
ok "no guarantee but under sc" none "$(jq -r '.chance // "none"' r.json)"
sample sb_assert.c pct:2 sc --executions 50 --save=no
ok "no guarantee before the length is known" none "$(jq -r '.chance // "none"' r.json)"

# A rare one, found by the same execution with one process and with two.
sample rare.c random sc --executions 100000 --save=found.plumb --seed 3
ok "rare.c" violation "$(jq -r .verdict r.json)"
one=$(jq -c '.findings[0] | [.message, .execution]' r.json)
"$PLUMB" replay found.plumb >replayed.txt 2>&1 && code=0 || code=$?
ok "a sampled finding replays" 1 $code
sample rare.c random sc --executions 100000 --save=no --seed 3 --jobs 2
ok "rare.c with two jobs" "$one" "$(jq -c '.findings[0] | [.message, .execution]' r.json)"

# Threads that spin for ever, and write as they do: what they write back, or add and take back, or lock
# and unlock, does not keep the others going.
for strategy in random pct:2; do
    for flags in "-DLOST_UNLOCK -DN=3" "-DADDS -DN=3" -DUNDER_MUTEX -DPOLITE; do
        for model in sc tso rc11; do
            # shellcheck disable=SC2086 # words
            sample ../rounds/stuck.c $strategy $model --executions 2000 --save=no -- -DCOUNT $flags
            ok "stuck.c $flags $strategy $model" "1 violation livelock" "$code $(found)"
        done
    done
done

for word in best pct:0 pct:17 pct:x random:3 ''; do
    sample sb.c "$word" sc
    ok "--strategy '$word'" 2 $code
done

# outcomes OPTIONS...: those of program.o.
outcomes() {
    code=0
    "$PLUMB" explore program.o --save=no --model sc --keep-going --json r.json "$@" >r.txt 2>&1 || code=$?
    outcomes_of
}
for name in semaphore rwlock cond barrier mutex_try; do
    gcc -g -O1 -fsanitize=thread -pthread -c "$SRC/tests/explore/outcomes/$name.c" -o program.o
    by_all=$(outcomes)
    by_random=$(outcomes --strategy random --executions 10000)
    by_pct=$(outcomes --strategy pct:3 --executions 10000)
    ok "$name: outcomes" "$by_all" \
        "$(tr , '\n' <<<"$by_random,$by_pct" | sort -un | paste -sd, | tr -d '\n')"
done
finish
