#!/bin/bash
# Programs with every modelled object: what can come out of them is found by many random
# schedules (run), and must be exactly what exploring finds: under sc no more and no less, under
# the others no less. `// outcomes: N` says that outcomes are numbered below N.
set -eu
. "$SRC/tests/explore/lib.bash"

executions=${OUTCOME_EXECUTIONS:-60000}

for file in "$SRC"/tests/explore/outcomes/*.c "$SRC"/tests/explore/outcomes/*.cpp; do
    name=$(basename "$file")
    count=$(sed -n 's/^\/\/ outcomes: //p' "$file")
    compiler=gcc link=''
    [[ $name == *.c ]] || compiler=g++ link=-lstdc++
    "$compiler" -g -O1 -fsanitize=thread -pthread -c "$file" -o program.o
    by_run='' by_sc='' by_rc11=''
    for ((i = 0; i < count; i++)); do
        seen() { # COMMAND... : is the outcome reached?
            code=0
            "$PLUMB" "$@" program.o --save=no --arg "$i" -- $link >r.txt 2>&1 || code=$?
            case $code in
            0) return 1 ;;
            1) return 0 ;;
            *) ok "$name: outcome $i by $1" "exit code 0 or 1" "exit code $code: $(tail -1 r.txt)" ;;
            esac
            return 1
        }
        ! seen run --executions "$executions" || by_run+=" $i"
        ! seen explore --model sc || by_sc+=" $i"
        ! seen explore --model rc11 || by_rc11+=" $i"
    done
    ok "$name sc" "$by_run" "$by_sc"
    missing=''
    for i in $by_sc; do
        [[ " $by_rc11 " == *" $i "* ]] || missing+=" $i"
    done
    ok "$name: outcomes of sc missing under rc11" "" "$missing"
done
finish
