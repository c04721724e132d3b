#!/bin/bash
# timeout: 300
# The same seed gives the same run, byte for byte; another seed another one. Random numbers and
# clocks are the same in every process. Two processes side by side give the result of one.
set -eu
. "$SRC/tests/subjects/lib.bash"
. "$subjects/lib_determinism.bash"

determinism 40

for program in virtual_random.c virtual_random_device.cpp; do
    for run in 1 2; do # the first leaves a file, the second compares
        plumb_run "$subjects/objects/$program" gcc -O1 "$program.$run" --executions 10 ||
            { echo "$program, run $run" && tail -5 "$program.$run.txt" && exit 1; }
    done
done

for jobs in 1 2; do
    plumb_run "$subjects/wrong/deadlock_rare.c" gcc -O1 "jobs.$jobs" --jobs "$jobs" \
        --executions 2000 && exit 1
    jq '.findings[0]' "jobs.$jobs.json" >"jobs.$jobs.result"
done
cmp jobs.1.result jobs.2.result

# A saved finding shows itself again.
for program in deadlock_abba.c race_publish_relaxed.c uaf_stack_pop.c assert_lost_update.c; do
    "$PLUMB" run "$subjects/wrong/$program" --save saved.plumb --json run.json >run.txt 2>&1 && exit 1
    "$PLUMB" replay saved.plumb --json replay.json >replay.txt 2>&1 && code=0 || code=$?
    [ "$code" = 1 ] || { echo "replay of $program: exit code $code" && cat replay.txt && exit 1; }
    for result in run replay; do
        jq '.findings[0] | {kind, message, threads, stacks, trace}' $result.json >$result.result
    done
    cmp run.result replay.result || { echo "replay of $program" && exit 1; }
done
