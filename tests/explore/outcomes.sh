#!/bin/bash
# Programs with every modelled object: what can come out of them is found by many random
# schedules (run), and must be exactly what exploring finds: under sc no more and no less, under
# the others no less.
set -eu
. "$SRC/tests/explore/lib.bash"

# by COMMAND...: what comes out.
by() {
    code=0
    rm -f r.json
    # shellcheck disable=SC2086 # words
    "$PLUMB" "$@" "$program" $flags --save=no --keep-going --json r.json -- $link >r.txt 2>&1 || code=$?
    outcomes_of
}

compare() {
    local by_run by_sc model
    by_run=$(by run --executions 60000)
    by_sc=$(by explore --model sc)
    ok "$name sc" "$by_run" "$by_sc"
    for model in tso rc11; do
        ok "$name: outcomes of sc missing under $model" "" \
            "$(comm -23 <(tr , '\n' <<<"$by_sc" | sort) <(by explore --model $model | tr , '\n' | sort))"
    done
    [[ $by_run == *,* ]] || ok "$name: outcomes" several "$by_run"
}

for file in "$SRC"/tests/explore/outcomes/*.c "$SRC"/tests/explore/outcomes/*.cpp; do
    name=$(basename "$file")
    flags=$(lines flags "$file")
    compiler=gcc link=$(lines link "$file")
    [[ $name == *.c ]] || compiler=g++ link=-lstdc++
    "$compiler" -g -O1 -fsanitize=thread --param tsan-distinguish-volatile=1 -pthread -c "$file" -o program.o
    program=program.o
    compare
    [[ $name == racy.c || $name == volatile.c ]] || continue
    name="$name, own front end" # the values pass another way
    program=$file
    compare
done
finish
