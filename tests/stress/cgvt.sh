# The objects of CGVT: each wrong one goes wrong in the test that it needs, the right one in none;
# and a history of real threads is brought down to few calls.
. "$SRC/tests/check/lib.bash"
s=$SRC/subjects

# wrong NAME CALLS INIT TEST FINAL: not linearizable, and shrunk no call can go: so many are left.
wrong() {
    expect 1 check "$s/wrong/cgvt_$1.c" --model sc --races=allow --test "$4" ${3:+--init "$3"} ${5:+--final "$5"} \
        --json result.json --save no
    [[ $(key result.json violation kind) = not-linearizable ]] || die "$1: $(cat result.json)"
    local test
    test=$(key result.json violation test)
    local calls
    calls=$(sed 's/ (before.*//; s/ (after.*//' <<<"$test" | grep -o '(' | wc -l)
    [[ $calls -le $2 ]] || die "$1: $calls calls at the same time: $test"
}
wrong lf_list 2 'add(1)' 'remove(1) | remove(1)' ''
wrong bu_list1 2 'add(1)' 'remove(1) | remove(1)' ''
wrong cg_list 2 '' 'add(1) | add(2)' 'contains(1),contains(2)'
wrong cg_list_size 3 'add(3),add(2)' 'add(1),remove(3) | size()' ''
wrong bu_list2 2 '' 'add(1) | add(2)' 'remove(1),remove(2)'
wrong bu_list3 2 'add(1)' 'remove(1) | add(2)' 'remove(2)'
wrong op_queue 2 'enq(1),enq(2)' 'deq() | deq()' ''
wrong k_stack 2 'push(2)' 'push(1) | pop()' 'pop(),pop()'
wrong tb_stack 2 'push(1)' 'pop() | pop()' ''

wrong pair_snapshot 5 'update(0,1),update(1,1)' \
    'update(0,2),update(1,2),update(1,1),update(0,1) | scan()' ''

expect 0 check "$s/correct/cgvt_bu_queue.c" --model sc --size 2x2 --json result.json
[[ $(key result.json verdict) = pass ]] || die "BUQueue: $(cat result.json)"

# Real threads: these two are hit at once.
for name in bu_list2 tb_stack; do
    expect 1 stress "$s/wrong/cgvt_$name.c" --threads 2 --seconds 120 --operations 200 --save no
    grep -Eq 'Localised: [234] concurrent calls' out || { cat out; die "$name: not localised"; }
done
