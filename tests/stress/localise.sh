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
[[ $(key explore.json localised concurrent) = 2 && $(key explore.json localised threads 1) = 1 ]] ||
    die "what was localised is not in the JSON: $(cat explore.json)"
[[ $(key dpct.json coverage) = sampled ]] || die "sampled"
[[ -s box-1.test ]] || die "no test was written"
expect 1 check "$box" --test @box-1.test --model sc --json again.json -- -DTWICE
[[ $(key again.json violation kind) = not-linearizable ]] || die "the test in the file is not wrong"
expect 0 check "$box" --test @box-1.test --model sc

# The command that the report names, as it stands: with the flags, and with calls given by options.
again() { # it is wrong under that, too
    local line
    line=$(sed -n 's/^ *As a test:  plumb check //p' out)
    eval "expect 1 check --json again.json --save no $line"
    [[ $(key again.json violation kind) = not-linearizable ]] || die "$line: $(cat again.json)"
}
expect 1 localise "$box" --history long.history --seconds 60 -- -DTWICE
again
cat >'it counts.c' <<'C'
#include <stdatomic.h>
static atomic_int count;
static int up(void) { int c = atomic_load(&count); atomic_store(&count, c + 1); return c; }
C
printf 'a call up\nb call up\na return 0\nb return 0\n' >'it counts.history'
expect 1 localise 'it counts.c' --spec counter --map inc=up --call 'up()' --setup "(void)'x'" \
    --history 'it counts.history'
again

# A count that overlaps ten calls, of which the first and the last matter: no few calls in a row show
# it, all of them do.
wrong=$SRC/subjects/wrong
{
    printf '2 call add 1\n2 return true\n2 call add 2\n2 return true\n1 call size\n'
    printf '2 call remove 1\n2 return true\n'
    for _ in 1 2 3 4 5 6 7 8; do printf '2 call add 2\n2 return false\n'; done
    printf '2 call add 3\n2 return true\n1 return 3\n'
} >far.history
expect 1 localise "$wrong/cgvt_cg_list_size.c" --history far.history --races=allow --seconds 60
grep -q 'Test: remove(1),add(3) | size() (before it: add(1),add(2))' out || die "far: $(cat out)"
grep -q 'Localised: 3 concurrent calls out of 13, minimal: no call' out || die "far: $(cat out)"
grep -q 'the threads make 2 and 1; the fault shows at once (type 1)' out || die "far: $(cat out)"

# A set without a call that only looks: whether an element can be removed, or added, shows it.
{
    printf '2 call add 1\n2 return true\n1 call add 2\n2 call remove 1\n1 return true\n2 return true\n'
    printf '2 call add 3\n2 return true\n2 call remove 3\n2 return true\n1 call remove 2\n1 return false\n'
} >near.history
expect 1 localise "$wrong/cgvt_bu_list3.c" --history near.history --races=allow --seconds 60
asked=$(sed -n 's/.*type 2). \([0-9]*\) tests were asked.*/\1/p' out)
[[ $asked -le 15 ]] || die "$asked tests were asked: $(cat out)"

# What is left of a large state, and of the calls that show it, goes in large parts.
{
    for v in 1 2 3 4 5 6 7 8 9 10 11 12; do printf '1 call push %d\n1 return\n' $v; done
    printf '1 call pop\n2 call pop\n1 return 12\n2 return 12\n'
} >deep.history
expect 1 localise "$wrong/cgvt_tb_stack.c" --history deep.history --races=allow --seconds 60
asked=$(sed -n 's/.* \([0-9]*\) tests were asked.*/\1/p' out)
[[ $asked -le 15 ]] || die "$asked tests were asked: $(cat out)"

# Seven calls at once, too many to explore to the end: if the first executions do not show the fault,
# some are drawn.
{
    for i in 1 2 3 4 5 6 7; do printf '%d call add %d\n' $i $i; done
    printf '2 return 0\n3 return 2\n4 return 5\n5 return 9\n6 return 14\n7 return 20\n1 return 0\n'
} >crowd.history
expect 1 localise "$SRC/tests/stress/subjects/crowd.c" --history crowd.history --races=allow --seconds 60
grep -q 'Localised: 7 concurrent calls out of 7, minimal: no call' out || die "crowd: $(cat out)"

# The same where only drawing shows it: what is shown is what was drawn, and that ends.
expect 1 localise "$SRC/tests/stress/subjects/noisy.c" --history crowd.history --races=allow --seconds 3 \
    --json noisy.json
grep -q 'Localised: 7 concurrent calls out of 7, minimal as sampled' out || die "noisy: $(cat out)"
grep -q '^NOT LINEARIZABLE under sc' out || die "noisy: not shown: $(cat out)"
[[ $(key noisy.json coverage) = sampled && $(key noisy.json localised minimal) = False ]] ||
    die "noisy: $(cat noisy.json)"
expect 1 replay noisy-1.plumb

# A right object: no test is wrong, and that is said.
expect 3 localise "$box" --history long.history --seconds 20
# A good history.
head -n 80 long.history >good.history
expect 0 localise "$box" --history good.history
expect 2 localise "$box"
expect 2 localise "$box" --history missing.history
: >empty.history
expect 2 localise "$box" --history empty.history
printf 'a call swap 1\na return\n' >strange.history
expect 2 localise "$box" --history strange.history
expect 2 check "$box" --test @missing.test

# Ctrl-C while the history is read, and while tests are asked.
mkfifo pipe
interrupted() { # ARGUMENTS…: exit code 3, and it says why
    local code=0
    "$PLUMB" localise --json stopped.json "$@" >out 2>err &
    local plumb=$!
    sleep 2
    kill -INT $plumb
    wait $plumb || code=$?
    [[ $code = 3 && $(key stopped.json verdict) = unknown ]] || { cat out err && die "$*: exit code $code"; }
    grep -q '^unknown: interrupted' out || die "$*: $(cat out)"
}
sleep 6 >pipe &
interrupted "$box" --history pipe
interrupted "$SRC/tests/stress/subjects/noisy.c" --history crowd.history --races=allow --seconds 60 -- -DRIGHT
