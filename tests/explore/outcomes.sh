#!/bin/bash
# Programs with every modelled object: what can come out of them is found by many random
# schedules (run), and must be exactly what exploring finds: under sc no more and no less, under
# the others no less. `// outcomes: N` says that outcomes are numbered below N.
set -eu
. "$SRC/tests/explore/lib.bash"

executions=${OUTCOME_EXECUTIONS:-60000}

# reached OUTCOME COMMAND...: can it come out?
reached() {
    local outcome=$1 code=0
    shift
    # shellcheck disable=SC2086 # words
    "$PLUMB" "$@" $program $flags --save=no --arg "$outcome" -- $link >r.txt 2>&1 || code=$?
    [ "$code" -le 1 ] || ok "$name: outcome $outcome by $1" "exit code 0 or 1" "$code: $(tail -1 r.txt)"
    [ "$code" = 1 ]
}

compare() {
    local i by_run='' by_sc='' missing=''
    for ((i = 0; i < count; i++)); do
        ! reached "$i" run --executions "$executions" || by_run+=" $i"
        ! reached "$i" explore --model sc || by_sc+=" $i"
    done
    for i in $by_sc; do
        reached "$i" explore --model tso && reached "$i" explore --model rc11 || missing+=" $i"
    done
    ok "$name sc" "$by_run" "$by_sc"
    ok "$name: outcomes of sc missing under the others" "" "$missing"
    [ "$by_run" ] || ok "$name: outcomes" some none
}

for file in "$SRC"/tests/explore/outcomes/*.c "$SRC"/tests/explore/outcomes/*.cpp; do
    name=$(basename "$file")
    count=$(lines outcomes "$file")
    flags=$(lines flags "$file")
    compiler=gcc link=''
    [[ $name == *.c ]] || compiler=g++ link=-lstdc++
    "$compiler" -g -O1 -fsanitize=thread -pthread -c "$file" -o program.o
    program=program.o
    compare
    [[ $name == racy.c || $name == volatile.c ]] || continue
    name="$name, own front end" # the values pass another way
    program=$file
    compare
done
finish
