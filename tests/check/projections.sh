# How many histories an execution graph is told apart by, per model: a bit too few or too many in the projection to
# calls and returns (src/graph/clients.h) changes these numbers. They were the same with the projection written
# as its definition, event by event (pl_graph_clients before it was by sets of points).
# timeout: 300

# histories SUBJECT TEST SPEC SC TSO RC11 FLAGS...
histories() {
    local subject=$1 test=$2 spec=$3 expected=("${@:4:3}") model got
    shift 6
    for model in sc tso rc11; do
        PLUMB_NO_SHORTCUTS=1 "$PLUMB" check "$SRC/subjects/correct/$subject.c" ${spec:+--spec "$spec"} --model "$model" --test "$test" \
            --save=no --json out.json -- "$@" >/dev/null
        got=$(jq .histories out.json)
        [ "$got" = "${expected[0]}" ] || { echo "$subject, $test, $model: $got histories, not ${expected[0]}"; exit 1; }
        expected=("${expected[@]:1}")
    done
}

histories mpmc_queue 'enq(1),deq(),enq(2) | enq(2),deq() | deq(),enq(1)' '' 4102 7538 11030
# The sets in weaker orders than they need, so that there is more to tell apart (of these tests all answers are right).
order=memory_order
weaker=(-DLINK=${order}_release -DREMOVE=${order}_release)
histories harris_list 'add(5),del(5) | add(6),del(5),has(6) | add(5),has(6)' set 1451 2918 3186 \
    -DLINK=${order}_release -DREMOVE=${order}_relaxed -DWALK=${order}_acquire
histories skip_list 'add(1),del(2),has(2) | add(2),del(1),add(1)' set 105 247 320 \
    "${weaker[@]}" "-DWALK(level)=${order}_acquire"
histories lazy_list 'add(1),del(1),has(2) | add(2),has(2),del(1) | del(1),add(1),add(2)' set 1091 1093 1093 \
    "${weaker[@]}" -DLOOK=${order}_acquire
