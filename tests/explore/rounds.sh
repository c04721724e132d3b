#!/bin/bash
# Loops that wait or try again: rounds that change nothing are not explored twice, and nothing may
# be lost by that. Under one model here, under all in the long tier; librounds.bash says what is
# checked.
set -eu
. "$SRC/tests/explore/lib.bash"
. "$SRC/tests/explore/librounds.bash"

models=rc11 sampling=no
for file in "$SRC"/tests/explore/rounds/*.c "$SRC"/tests/explore/rounds/*.cpp; do
    check_rounds "$file"
done

# Without a bound on the rounds: is it known that some executions are not explored?
passing() { # VERDICT FLAG...
    local verdict=$1
    shift
    "$PLUMB" explore "$SRC/tests/explore/rounds/passing.c" --save=no --json r.json -- -DCOUNT "$@" \
        >r.txt 2>&1 || true
    ok "passing.c $*" "$verdict" "$(jq -r '"\(.verdict) \(.coverage)"' r.json)"
}
passing "unknown partial" -DTAKEN_BACK
passing "unknown partial" -DTAKEN_BACK -DSTOPS
passing "unknown partial" -DTAKEN_BACK -DSEEN
passing "unknown partial" -DOVERWRITTEN
passing "pass exhaustive" -DTAKEN_BACK -DRELEASED

# A thread waits for a value that another writes in passing: no livelock.
for how in XOR ADD EXCHANGE; do
    for model in sc rc11; do
        "$PLUMB" explore "$SRC/tests/explore/rounds/toggled.c" --model $model --save=no --json r.json -- -D$how \
            >r.txt 2>&1 || true
        ok "toggled.c $how $model" "unknown partial 0" "$(jq -r '"\(.verdict) \(.coverage) \(.findings | length)"' r.json)"
    done
done

# Races with rounds that are left out: processes that explore together know a part each.
for how in "--jobs 2" "--checkpoint c.plumb"; do
    for flags in "-DREADS" "-DSTORES" "-DREADS -DORDERED"; do
        # shellcheck disable=SC2086 # words
        "$PLUMB" explore "$SRC/tests/explore/rounds/left_out.c" $how --save=no --json r.json -- $flags \
            >r.txt 2>&1 || true
        expected="violation 2"
        [[ $flags != *ORDERED ]] || expected="pass 2"
        ok "left_out.c $how $flags" "$expected" "$(jq -r '"\(.verdict) \(.executions)"' r.json)"
    done
    # shellcheck disable=SC2086 # words
    "$PLUMB" explore "$SRC/tests/explore/rounds/left_out_more.c" $how --save=no --json r.json -- -DGIVEN_UP \
        >r.txt 2>&1 || true
    ok "left_out_more.c $how" "data-race 2" "$(jq -r '"\(.violation.kind) \(.executions)"' r.json)"
done
(mkdir random && cd random && python3 "$SRC/tests/explore/random_left_out.py" "$PLUMB" 1 40 rc11)

# What would explore them is said, and not advised when it is of no use.
says() { # WORDS FILE OPTION...
    local words=$1
    shift
    "$PLUMB" explore "$@" --save=no -- -DCOUNT >r.txt 2>&1 && code=0 || code=$?
    ok "$*" "3, said" "$code, $(grep -qF -- "$words" r.txt && echo said)"
}
unrolled=$SRC/tests/explore/rounds/unrolled.c
says "(--unroll N does, up to N rounds)" "$unrolled"
echo 'static _Atomic int x; int main(void) { for (int i = 0; i < 300; i++) x++; return 0; }' >long.c
says "cut at the limit of 1 round of a loop (--unroll raises it); no finding in 0 executions" long.c --unroll 1

python3 "$SRC/tests/explore/random_rounds.py" "$PLUMB" "$SRC/tests/explore/rounds" 1 8
for seed in 9 14 76 96 400; do # those that have shown something
    python3 "$SRC/tests/explore/random_rounds.py" "$PLUMB" "$SRC/tests/explore/rounds" $seed 1 locks
done
python3 "$SRC/tests/explore/random_rounds.py" "$PLUMB" "$SRC/tests/explore/rounds" 1 6 adds
python3 "$SRC/tests/explore/random_rounds.py" "$PLUMB" "$SRC/tests/explore/rounds" 1 6 tests
python3 "$SRC/tests/explore/random_rounds.py" "$PLUMB" "$SRC/tests/explore/rounds" 1 6 far
python3 "$SRC/tests/explore/random_rounds.py" "$PLUMB" "$SRC/tests/explore/rounds" 1 6 objects
python3 "$SRC/tests/explore/random_rounds.py" "$PLUMB" "$SRC/tests/explore/rounds" 1 6 polls
finish
