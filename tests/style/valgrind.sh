# The tool itself makes no memory error and leaks nothing: on a pass, a violation, its replay,
# bad input. (Its children, compilers and subjects, run outside valgrind.)
counter=$SRC/tests/install/project/counter.c

# clean EXIT_CODE ARGUMENT...
clean() {
    local expected=$1 code=0
    shift
    valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,possible \
        "$PLUMB" "$@" >out 2>err || code=$?
    [[ $code -eq $expected ]] || { cat out err; echo "plumb $*: exit code $code, not $expected"; exit 1; }
}

clean 0 run "$counter" --executions 100 --json result.json
clean 1 run "$counter" --executions 100 --json result.json --keep-going --save found.plumb -- -DRACY
saved=(*.plumb)
clean 1 replay "${saved[0]}" --json result.json
clean 2 run "$counter" --json result.json -- -DSTEP=}
clean 2 run missing.c
clean 2 run --no-such-option
clean 2 replay missing.plumb
printf '%s\n' '0 call enq 1' '0 return' '1 call deq' '1 return 1' '1 call deq' >good.txt
printf '%s\n' '0 call enq 1' '0 return' '1 call deq' '1 return empty' >bad.txt
clean 0 history good.txt --spec fifo --witness order.txt --json result.json
clean 1 history bad.txt --spec lifo --json result.json
clean 2 history bad.txt --spec set
clean 0 --help
exact=("$SRC/subjects/correct/quasi_queue.c" --spec derived --golden-flags -DK=0 --model sc --no-shrink --save no)
clean 1 check "${exact[@]}" --test 'enq(1),deq() | enq(2)' --factor 0 --json result.json
clean 3 check "${exact[@]}" --test 'enq(1),deq() | enq(2)' --factor 2 --golden-runs 4
