# Relaxed takes (--relax), and quasi linearizability decided in the paper's way. docs/quasi.md.
source "$SRC/tests/check/lib.bash"
s=$SRC/subjects
q=$s/correct/quasi_queue.c
sc=(--model sc)
fours='enq(1),enq(2) | enq(3),enq(4)'

# ---- the paper's way: everything listed, its optimisations on and off ----

listed() { # EXPECTED ARGUMENTS...: sequentialisations and permutations
    local expected=$1
    shift
    passes "$q" --test "$fours" --decider enumerate --stats "${sc[@]}" "$@"
    [[ "$(key result.json stats orders) $(key result.json stats permutations)" = "$expected" ]] ||
        { cat out; die "listed, $*"; }
}
listed '282 122'
listed '282 3948' --skip-known=off
listed '282 3948' --skip-known=off --hash=off
violates not-quasi-linearizable "$q" --test "$fours" --factor deq=1 --decider enumerate "${sc[@]}"
violates not-quasi-linearizable "$s/wrong/quasi_queue_b2.c" --test 'enq(1),deq() | enq(2),deq()' --decider enumerate "${sc[@]}"

# ---- relaxed takes: another spec, the same criterion ----

all='deq(),deq(),deq(),deq()'
passes "$q" --test "$fours" --final "$all" --relax strict=2
[[ $(key result.json criterion) = linearizable && $(key result.json relaxation strict) = 2 ]] || die "relaxation"
passes "$q" --test "$fours" --final "$all" --relax out-of-order=2
passes "$q" --test "$fours" --final "$all" --relax 'lateness=2, out-of-order=2'
for way in strict=1 out-of-order=1 lateness=1 out-of-order=2,lateness=1; do
    violates not-linearizable "$q" --test "$fours" --final "$all" --relax $way "${sc[@]}"
done
grep -q 'explains that deq() answers . (takes at most 2 from the head, the head in every 2 takes)$' first || die "the sentence"
grep -q '^      --relax out-of-order=2,lateness=2  *takes at most 2 from the head, the head in every 3 takes$' first ||
    { cat first; die "the number that would do"; }
# b1 goes one cell too far; b2 takes twice; b3 answers "empty" with a value in it, which can be allowed, too
violates not-linearizable "$s/wrong/quasi_queue_b1.c" --test "$fours" --final "$all" --relax strict=2 "${sc[@]}"
passes "$s/wrong/quasi_queue_b1.c" --test "$fours" --final "$all" --relax strict=3 "${sc[@]}"
violates not-linearizable "$s/wrong/quasi_queue_b2.c" --test 'enq(1),deq() | enq(2),deq()' --relax lateness=9 "${sc[@]}"
violates not-linearizable "$s/wrong/quasi_queue_b3.c" --test "$fours" --final "$all" --relax strict=2 "${sc[@]}"
passes "$s/wrong/quasi_queue_b3.c" --test "$fours" --final "$all" --relax strict=4,empty=4 "${sc[@]}"
# ---- the smallest number ----

for way in strict out-of-order lateness; do
    passes "$q" --test 'enq(1) | deq()' --test "$fours" --final "$all" --relax $way=0 --find-factor "${sc[@]}"
    [[ $(key result.json relaxation $way) = 2 ]] || { cat out; die "the smallest $way"; }
    grep -q ', none smaller; in ' out || { cat out; die "it is the smallest"; }
    passes "$s/wrong/quasi_queue_b1.c" --test "$fours" --final "$all" --relax $way=0 --find-factor "${sc[@]}"
    [[ $(key result.json relaxation $way) = 3 ]] || { cat out; die "the smallest $way of b1"; }
done
passes "$s/correct/quasi_stack.c" --test 'push(1),push(2) | push(3),pop()' --relax strict=0 --find-factor "${sc[@]}"
[[ $(key result.json relaxation strict) = 0 ]] || die "a stack that is exact"
violates not-linearizable "$s/wrong/quasi_queue_b2.c" --test 'enq(1),deq() | enq(2),deq()' --relax lateness=0 --find-factor "${sc[@]}"
expect 3 check "$q" --test "$fours" --final "$all" --relax strict=0 --find-factor --executions 1 "${sc[@]}"
grep -q '^unknown: not less than --relax strict=[0-2] is needed; ' out || { cat out; die "a lower bound"; }

refused "--relax: 'late=1' is none of strict=N" check "$q" --relax late=1
refused "lateness needs a whole number" check "$q" --relax lateness=-1
refused "strict is given twice" check "$q" --relax strict=1,strict=2
refused "without out-of-order and lateness" check "$q" --relax strict=1,lateness=2
refused "empty goes with" check "$q" --relax empty=1
refused "give one or the other" check "$q" --relax strict=1 --factor 1
refused "looks for one number, from 0" check "$q" --relax strict=1 --find-factor
refused "looks for one number, from 0" check "$q" --relax lateness=2 --find-factor
refused "looks for one number, from 0" check "$q" --relax out-of-order=0,lateness=0 --find-factor
refused "one test after the other" check "$q" --relax strict=0 --find-factor --jobs 2
refused "give one or the other" check "$q" --relax strict=1 --quasi=definition4
refused "it is the spec that is relaxed" check "$q" --relax strict=1 --criterion quasi
refused "--relax needs --spec fifo" check "$s/correct/locked_queue.c" "${queue[@]}" --relax strict=1
