# From a history in a file to a small test, by every method; the test is one that plumb check runs.
. "$SRC/tests/check/lib.bash"
box=$SRC/tests/stress/subjects/box.c

# Two threads put, take and take; in the end 12 was taken twice.
{
    for i in $(seq 1 40); do
        printf '%s call enq %d\n%s return\n%s call deq\n%s return %d\n' a "$i" a b b "$i"
    done
    printf 'a call enq 91\na return\n'
    printf 'b call deq\na call deq\nb return 91\na return 91\n'
    printf 'a call enq 92\na return\n'
} >long.history

for method in explore basic dpct heuristic; do
    expect 1 localise "$box" --history long.history --method $method --json $method.json --seconds 60 \
        -- -DTWICE
    grep -q 'Localised: 2 concurrent calls' out || { cat out; die "$method: not two calls"; }
    [[ $(key $method.json violation kind) = not-linearizable ]] || die "$method: kind"
done
grep -q 'type 1' out || die "the fault shows at once"
[[ $(key explore.json coverage) = exhaustive ]] || die "explored to the end"
[[ $(key dpct.json coverage) = sampled ]] || die "sampled"
[[ -s box-1.test ]] || die "no test was written"
expect 1 check "$box" --test @box-1.test --model sc --json again.json -- -DTWICE
[[ $(key again.json violation kind) = not-linearizable ]] || die "the test in the file is not wrong"
expect 0 check "$box" --test @box-1.test --model sc

# A right object: no test is wrong, and that is said.
expect 3 localise "$box" --history long.history --seconds 20
# A good history.
head -n 80 long.history >good.history
expect 0 localise "$box" --history good.history
expect 2 localise "$box"
expect 2 localise "$box" --history missing.history
printf 'a call swap 1\na return\n' >strange.history
expect 2 localise "$box" --history strange.history
expect 2 check "$box" --test @missing.test
