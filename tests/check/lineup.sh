# Line-Up's thirteen classes in C (subjects/correct/lineup_*.c, subjects/wrong/lineup_*.c): the root
# causes A to L, each shrunk to the dimension of the paper's Table 2, and their right twins. The
# papers' runs are under sc with races allowed; rc11 is the second column.
source "$SRC/tests/check/lib.bash"
s=$SRC/subjects
sc=(--model sc --races=allow)

executions() { # of passing tests: FILE TEST SC RC11, complete graphs under each model
    passes "$s/$1.c" --test "$2" "${sc[@]}"
    [[ $(key result.json executions) = "$3" ]] || die "$1: $2: $(key result.json executions) under sc"
    passes "$s/$1.c" --test "$2" --model rc11
    [[ $(key result.json executions) = "$4" ]] || die "$1: $2: $(key result.json executions) under rc11"
}

dimension() { # of a test: threads x the longest one's calls
    awk -F' [|] ' '{ for (i = 1; i <= NF; i++) { n = gsub(/\(/, "(", $i); if (n > most) most = n }
                     print NF "x" most }' <<<"$1"
}

report() { # without the lines of the run
    sed -e '1,/^$/d' -e '/^violation: /d' out
}

# cause FILE TEST SHRUNK DIMENSION KIND RC11: TEST is shrunk to SHRUNK, of this dimension. RC11 is
# the kind under rc11, where a race is an error of the program itself.
cause() {
    rm -f found.plumb
    expect 1 check "$s/$1.c" --test "$2" "${sc[@]}" --json result.json --save found.plumb
    [[ $(key result.json violation kind) = "$5" ]] || { cat out; die "$1: not $5"; }
    report >first
    expect 1 replay found.plumb
    report >second
    same first second
    [[ $(key result.json violation test) = "$3" ]] || die "$1: $(key result.json violation test)"
    [[ $(dimension "$3") = "$4" ]] || die "$1: $3 is $(dimension "$3")"
    expect 1 check "$s/$1.c" --test "$3" --model rc11 --save no --json result.json
    [[ $(key result.json violation kind) = "$6" ]] || die "$1: $(key result.json violation kind), rc11"
}

exhausted() { # FILE SIZE TESTS EXECUTIONS: every test of a size, under sc
    passes "$s/$1.c" --size "$2" "${sc[@]}"
    [[ $(key result.json tests) = "$3" && $(key result.json executions) = "$4" ]] ||
        die "$1: $(key result.json tests) tests, $(key result.json executions) executions"
}

# ---- what is right ----

executions correct/lineup_lazy 'value(),to_string() | is_value_created(),value()' 5 5
executions correct/lineup_reset_event 'wait() | set(),reset(),set()' 8 8
executions correct/lineup_reset_event 'wait_one(),is_set() | set(),reset() | wait()' 68 68
executions correct/lineup_semaphore 'wait(),release(1) | release(2),try_wait()' 12 12
executions correct/lineup_countdown 'signal(1),countdown_wait() | signal(1),try_add_count(2)' 5 5
executions correct/lineup_dictionary 'try_add(10),count() | set(10),try_remove(10)' 6 6
executions correct/lineup_dictionary 'set(10),try_add(20) | get(20),try_get(10) | clear()' 17 17
executions correct/lineup_queue 'enqueue(1),try_dequeue() | enqueue(2),try_dequeue()' 36 36
executions correct/lineup_queue 'enqueue(1),to_array() | enqueue(2),try_dequeue() | count()' 2264 2264
executions correct/lineup_linked_list 'add_first(1),take_first() | add_last(2)' 3 3
executions correct/lineup_stack 'push(1),try_pop_range(2) | push_range_ten(),to_array()' 7 7
executions correct/lineup_blocking_collection 'add(3) | complete_adding(),count()' 3 3
executions correct/lineup_blocking_collection 'add(3),count() | try_add(1),take()' 32 32
executions correct/lineup_blocking_collection 'add(3) | try_add(1),try_take() | take()' 180 180
executions correct/lineup_blocking_collection 'cancel() | cancel(),try_take()' 2 2
executions correct/lineup_bag 'add(10),try_take() | try_take()' 16 16
executions correct/lineup_task_source 'try_set_exception() | wait(),exception()' 3 3
executions correct/lineup_task_source 'try_set_result(1) | set_result(2),try_result()' 4 4
executions correct/lineup_cancellation_source 'increment(),cancel() | increment(),cancel()' 14 14

exhausted correct/lineup_lazy 2x2 45 142
exhausted correct/lineup_reset_event 2x2 325 874
exhausted correct/lineup_semaphore 2x2 325 1522
exhausted correct/lineup_cancellation_source 2x3 36 523

# ---- root causes A to L ----

cause wrong/lineup_reset_event 'wait(),is_set() | set(),reset(),set() | reset()' \
    'wait() | set(),reset(),set()' 2x3 stuck stuck                                                # A
cause wrong/lineup_queue 'enqueue(1),try_dequeue(),count() | enqueue(2),try_dequeue() | try_peek()' \
    'enqueue(1),try_dequeue() | try_dequeue()' 2x2 not-linearizable not-linearizable              # B
cause wrong/lineup_linked_list 'add_first(1),take_first(),count() | take_last(),add_last(2)' \
    'add_first(1),take_first() | add_last(2)' 2x2 not-linearizable data-race                      # C
cause wrong/lineup_blocking_collection_pre 'add(3),take() | complete_adding(),count() | try_add(1)' \
    'add(3) | complete_adding(),count()' 2x2 not-linearizable not-linearizable                    # D
cause wrong/lineup_bag 'add(10),try_take() | try_take(),add(20) | try_peek()' \
    'add(10),try_take() | try_take()' 2x2 not-linearizable data-race                              # E
cause wrong/lineup_task_source_pre 'try_set_exception(),wait() | wait(),exception() | set_cancelled()' \
    'try_set_exception() | wait(),exception()' 2x2 not-linearizable not-linearizable              # F
cause wrong/lineup_task_source 'try_set_result(1),exception() | set_result(2),try_result() | wait()' \
    'try_set_result(1) | set_result(2),try_result()' 2x2 not-linearizable not-linearizable        # G
cause wrong/lineup_blocking_collection 'add(3),count(),is_completed() | try_add(1),take()' \
    'add(3),count() | try_add(1),take()' 2x2 not-linearizable not-linearizable                    # H
cause wrong/lineup_blocking_collection 'add(3) | try_add(1),try_take() | take(),is_completed()' \
    'add(3) | try_add(1),try_take() | take()' 3x2 not-linearizable not-linearizable               # I
cause correct/lineup_bag 'add(10),try_take() | add(20),count() | is_empty()' \
    'add(10),try_take() | add(20),count()' 2x2 not-linearizable not-linearizable                  # J
for version in '' _pre; do
    cause wrong/lineup_blocking_collection$version 'cancel() | cancel(),try_take() | to_array()' \
        'cancel() | cancel(),try_take()' 2x2 not-linearizable not-linearizable                    # K
done
cause wrong/lineup_barrier 'add_participant(),signal_and_wait() | signal_and_wait(),participant_count()' \
    'add_participant(),signal_and_wait() | signal_and_wait()' 2x2 not-linearizable not-linearizable # L

# A needs all three calls of the other thread: no test of 2x2 shows it.
exhausted wrong/lineup_reset_event 2x2 325 890

# ---- what is meant: H, I and J are what the documentation promises, K takes effect late ----

# meant SUBJECT SPEC TEST OPTIONS...
meant() {
    local subject=$1 spec=$2 test=$3
    shift 3
    expect 0 check "$SRC/subjects/$subject.c" --spec "$SRC/subjects/specs/$spec.c" --test "$test" \
        --model sc --races=allow --json result.json "$@"
    [[ $(key result.json coverage) = exhaustive ]] || die "$subject: $test: not explored to its end"
}
collection=wrong/lineup_blocking_collection
meant $collection lineup_blocking_collection 'add(3),count() | try_add(1),take()'            # H
meant $collection lineup_blocking_collection 'add(3) | try_add(1),try_take() | take()'       # I
meant correct/lineup_bag lineup_bag 'add(10),try_take() | add(20),count()'                   # J
meant $collection lineup_blocking_collection 'cancel() | cancel(),try_take()' --late cancel  # K

# ---- which the report suggests ----

# suggests SUBJECT TEST WHAT: and with an option it passes, without any spec.
suggests() {
    expect 1 check "$s/$1.c" --test "$2" "${sc[@]}" --save no --json result.json
    grep -qF -- "      $3 " out || { cat out; die "$1: $3 is not suggested"; }
    [[ $(jq '.violation.suggestions | length' result.json) -ge 1 ]] || die "$1: not in the JSON"
    case $3 in --*) passes "$s/$1.c" --test "$2" "${sc[@]}" $3 ;; esac
}
suggests $collection 'add(3),count() | try_add(1),take()' 'PLUMB_STEP(count)'                # H
suggests $collection 'add(3) | try_add(1),try_take() | take()' '--may-fail try_take'         # I
suggests correct/lineup_bag 'add(10),try_take() | add(20),count()' 'PLUMB_STEP(try_take)'    # J
suggests $collection 'cancel() | cancel(),try_take()' '--late cancel'                        # K
