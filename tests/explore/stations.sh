#!/bin/bash
# Executions that begin in the middle, at stations, are those that begin at the start: with a station
# before every event, and with none, the verdict, the numbers of executions and of those given up, and
# what is found are the same. Every program of this directory, with the flags and options at its head;
# those in stations/ are for what is kept, and is not.
set -eu
. "$SRC/tests/explore/lib.bash"
export PLUMB_PROVE=1 # the runtime fails if an execution comes twice

# With a budget of executions, not of time: what is looked at must not depend on the machine.
result() {
    code=0
    rm -f r.json
    # shellcheck disable=SC2086 # words
    "$PLUMB" explore "$@" --save=no --keep-going --executions 3000 --json r.json -- -O1 $flags \
        >r.txt 2>&1 || code=$?
    jq -c "[$code, .verdict, ${compared:-.message, .coverage, .blocked}, .executions,
        ([.findings[] | [.kind, .message, .preemptions]] | sort)]" r.json
}

compare() { # FILE OPTION...
    local name=$1
    ok "$(basename "$name") $flags ${*:2}" "$(PLUMB_NO_STATIONS=1 result "$@")" \
        "$(PLUMB_STATIONS_EVERYWHERE=1 result "$@")"
}

models=${MODELS:-rc11}
for file in "$SRC"/tests/explore/{stations,programs,outcomes,rounds}/*.c*; do
    # The first line with flags is the smallest.
    flags=$(sed -nE 's,^// (counts|outcomes|retries|finding|folded): *,,p' "$file" | head -n "${LINES_OF:-1}" |
        tail -n 1)
    flags="$(flags_of "$flags") $(lines link "$file")"
    read -r -a options <<<"$(sed -nE 's,^// (options|flags): *,,p' "$file" | head -n 1)"
    for model in $models; do
        compare "$file" --model "$model" "${options[@]}"
    done
    # With a bound, how many orders come to nothing depends on when threads have tried to go on.
    [[ $file != */outcomes/* ]] || compared=.bound compare "$file" --model sc --preemptions 2 "${options[@]}"
done
flags=''

# An object: its histories, too.
histories() { # SUBJECT OPTION...
    rm -f r.json
    "$PLUMB" check "$SRC/subjects/correct/$1.c" "${@:2}" --save=no --json r.json >r.txt 2>&1 || true
    jq -c 'if .executions > 0 then [.verdict, .message, .executions, .blocked, .histories]
        else "nothing was explored: \(now)" end' r.json
}
checks() {
    ok "check $*" "$(PLUMB_NO_STATIONS=1 histories "$@")" "$(PLUMB_STATIONS_EVERYWHERE=1 histories "$@")"
}
for model in $models; do
    checks treiber_stack --model "$model" --call 'push(1)' --call 'push(2)' --call 'pop()' \
        --test 'push(1),pop() | push(2),pop()'
    checks ms_queue --model "$model" --setup 'queue_init()' --call 'enq(1)' --call 'enq(2)' --call 'deq()' \
        --test 'enq(1),deq() | enq(2),deq()'
    checks hw_queue --model "$model" --blocking deq --call 'enq(1)' --call 'enq(2)' --call 'deq()' \
        --test 'enq(1),deq() | enq(2)'
    checks lineup_semaphore --model "$model" --size 2x2 --random 4
    checks hazard_stack --model "$model" --size 2x2 --random 4
done
finish
