# Quasi linearizability (Round-Up): verdicts of the relaxed queues, stacks and priority queues under
# each reading, the smallest factors, tests completed by takes, bad input. docs/quasi.md.
source "$SRC/tests/check/lib.bash"
s=$SRC/subjects
sc=(--model sc)
fours='enq(1),enq(2) | enq(3),enq(4)'

factors() { # JSON of what --find-factor found
    python3 -c 'import json; r = json.load(open("result.json"))
print(r.get("smallest"), json.dumps(sorted(r["factors"], key=str)) if r["factors"] else "none")'
}

# finds EXPECTED FILE ARGUMENTS...
finds() {
    local expected=$1
    shift
    passes "$@" --find-factor "${sc[@]}"
    [[ $(factors) = "$expected" ]] || die "$1: $(factors), not $expected"
}

# ---- the segmented queue and its bugs ----

q=$s/correct/quasi_queue.c
passes "$q" --test "$fours" # its own factor, sc and rc11
[[ $(key result.json criterion) = quasi && $(key result.json quasi) = positions ]] || die "criterion"
[[ $(key result.json factor deq) = 2 && $(key result.json factor enq) = 0 ]] || die "factor"
violates not-linearizable "$q" --test "$fours" --final "deq(),deq()" --criterion linearizable "${sc[@]}"
violates not-quasi-linearizable "$q" --test "$fours" --factor deq=1 "${sc[@]}"
grep -q 'within factor enq=0, deq=1 explains' first || die "the factor in the sentence"
grep -q '^      enq=0, deq=2$' first || { cat first; die "the factor that is needed"; }
passes "$q" --test "$fours" --factor 2 --quasi=all-subsets "${sc[@]}"
violates not-quasi-linearizable "$q" --test "$fours" --factor 1 --quasi=all-subsets "${sc[@]}"
passes "$q" --test "$fours" --factor deq=2 --quasi=definition4 "${sc[@]}"
passes "$q" --test 'deq(),deq() | enq(1),enq(2)'
passes "$q" --size 2x1

# three threads with four calls: one search an execution is enough
passes "$q" --factor deq=3,enq=0 "${sc[@]}" --stats \
    --test 'enq(1),enq(2),deq(),deq() | enq(3),enq(4),deq(),deq() | enq(5),enq(6),deq(),deq()'
[[ $(key result.json executions) = 34650 && $(key result.json stats checked) = 34650 ]] || { cat out; die "3x4"; }

finds '2 [{"enq": 0, "deq": 2}, {"enq": 2, "deq": 0}]' "$q" --test "$fours"
finds '2 [2]' "$q" --test "$fours" --quasi=all-subsets
finds '2 [{"enq+deq": 2}]' "$q" --test "$fours" --factor enq+deq=0
finds '0 [{"enq": 0, "deq": 0}]' "$q" --test 'enq(1),deq() | deq()'

violates not-quasi-linearizable "$s/wrong/quasi_queue_b1.c" --test "$fours" "${sc[@]}"
finds '2 [{"enq": 0, "deq": 3}, {"enq": 1, "deq": 2}, {"enq": 2, "deq": 1}, {"enq": 3, "deq": 0}]' \
    "$s/wrong/quasi_queue_b1.c" --test "$fours"
violates not-quasi-linearizable "$s/wrong/quasi_queue_b2.c" --test 'enq(1),deq() | enq(2),deq()' "${sc[@]}"
grep -q '^      none, however large$' first || die "a value taken twice"
violates not-quasi-linearizable "$s/wrong/quasi_queue_b3.c" --test "$fours" "${sc[@]}"
violates not-quasi-linearizable "$s/wrong/quasi_queue_b3.c" --test "$fours" --final 'deq(),deq(),deq(),deq(),deq()' "${sc[@]}"
violates not-quasi-linearizable "$s/wrong/quasi_queue_b3.c" --test "$fours" --find-factor "${sc[@]}"
[[ $(factors) = "None none" ]] || die "b3: $(factors)"

# ---- the rest of Round-Up's Tables I and IV ----

pushes='push(1),push(2) | push(3),push(4)'
inserts='insert(1),insert(2) | insert(3),insert(4)'
finds '0 [{"push": 0, "pop": 0}]' "$s/correct/quasi_stack.c" --test "$pushes"
finds '2 [{"insert": 0, "take": 2}]' "$s/correct/quasi_pqueue.c" --test "$inserts"
for subject in quasi_stack_b1 quasi_stack_b2; do
    violates not-quasi-linearizable "$s/wrong/$subject.c" --test "$pushes" --no-shrink "${sc[@]}"
done
passes "$s/wrong/quasi_stack_b2.c" --test "$pushes" --factor 2 --quasi=all-subsets "${sc[@]}" # pushes move, too
violates not-quasi-linearizable "$s/wrong/quasi_stack_b2.c" --factor 2 --quasi=all-subsets --no-shrink "${sc[@]}" \
    --test 'push(1),push(2),push(3) | push(4),push(5),push(6)'
violates not-quasi-linearizable "$s/wrong/quasi_queue_b1.c" --factor 2 --quasi=all-subsets --no-shrink "${sc[@]}" \
    --test 'enq(1),enq(2),deq(),deq() | enq(3),enq(4),deq(),deq() | enq(5),enq(6),deq(),deq()'
violates not-quasi-linearizable "$s/wrong/quasi_pqueue_b2.c" --test "$inserts" --no-shrink "${sc[@]}"
violates not-quasi-linearizable "$s/wrong/quasi_null_queue.c" --test 'enq(1),deq() | enq(2)' "${sc[@]}"
finds '1 [{"enq": 0, "deq": 1}, {"enq": 1, "deq": 0}]' "$s/correct/quasi_random_queue.c" \
    --test 'enq(1),deq() | enq(2)'
violates not-quasi-linearizable "$s/wrong/quasi_list_queue.c" --test 'enq(1),enq(2) | enq(3)' \
    --find-factor "${sc[@]}"
[[ $(factors) = "None none" ]] || die "the list queue: $(factors)"
violates not-quasi-linearizable "$s/wrong/quasi_k_stack.c" --test 'push(1) | pop()' "${sc[@]}"
grep -q 'pop() = 1$' first || { cat first; die "the k-stack: a value that is popped twice"; }
# the six steps of Round-Up's section VI.D, in their order
python3 - first <<'PY' || { cat first; die "the k-stack: not the six steps"; }
import re, sys
steps = [r"thread 2 .*slot\[1\]\.load .* = 0",             # 1 pop finds nothing in the segment
         r"thread 1 .*slot\[0\]\.compare_exchange .*now 1",  # 2 push puts its value into it
         r"thread 2 .*deleted\.store .* 1",                  # 3 pop marks the segment
         r"thread 1 .*deleted\.load .* = 1",                 # 4 committed: it is not unmarked
         r"thread 2 .*deleted\.store .* 0",                  # 5 not empty: pop takes the mark back
         r"thread 1 .*deleted\.load .* = 0",                 # 6 committed: nor is it marked
         r"thread 1 .*slot\[0\]\.compare_exchange .*now 1"]  #   so push puts the value once more
sys.exit(not re.search(r"[\s\S]*?\n.*".join(steps), open(sys.argv[1]).read()))
PY
expect 3 check "$s/wrong/quasi_k_stack.c" --test 'push(1) | pop()' --unroll 3 "${sc[@]}" -- -DMARK_READS=1

both='[{"enq": 0, "deq": 2}, {"enq": 2, "deq": 0}]'
for subject in quasi_k_fifo quasi_k_fifo_bounded; do
    finds "2 $both" "$s/correct/$subject.c" --init 'enq(3)' --test 'enq(1) | enq(2),deq()'
    passes "$s/correct/$subject.c" --init 'enq(3)' --test 'enq(1) | deq(),deq()'
    violates not-linearizable "$s/correct/$subject.c" --init 'enq(1),enq(2)' --test 'deq()' \
        --criterion linearizable "${sc[@]}"
done
violates not-quasi-linearizable "$s/wrong/quasi_k_fifo.c" --init 'enq(3)' --test 'enq(1) | deq(),deq()' \
    --find-factor "${sc[@]}"
[[ $(factors) = "None none" ]] || die "the k-fifo queue that loses values: $(factors)"
# objects that are linearizable are quasi linearizable with factor 0
for subject in hw_queue ms_queue; do
    more=(--blocking deq) # Herlihy and Wing's waits
    [[ $subject = ms_queue ]] && more=(--setup 'queue_init()')
    finds '0 [{"enq": 0, "deq": 0}]' "$s/correct/$subject.c" --spec fifo --test 'enq(1),deq() | enq(2),deq()' \
        --call 'enq(1)' --call 'enq(2)' --call 'deq()' "${more[@]}"
done
finds '0 [{"push": 0, "pop": 0}]' "$s/correct/treiber_stack.c" "${stack[@]}" --spec lifo \
    --test 'push(1),pop() | push(2),pop()'

# ---- tests are completed, so that what was overtaken is taken, too ----

passes "$q" --test 'enq(1),enq(2),deq()' "${sc[@]}"
violates not-quasi-linearizable "$q" --test 'enq(1),enq(2),deq()' --complete=off "${sc[@]}"
grep -q 'not well formed: it lacks . takes at its end' first || { cat first; die "why it is not well formed"; }
# Round-Up's example of section V.D: deq() = 4 comes out of thin air unless 3 and 5 are taken, too
passes "$q" --test 'enq(3),enq(4) | enq(5),deq()' "${sc[@]}"
violates not-quasi-linearizable "$q" --test 'enq(3),enq(4) | enq(5),deq()' --complete=off --no-shrink "${sc[@]}"
grep -q 'it lacks 3 takes' first || die "section V.D"
passes "$q" --test 'enq(1),enq(2),deq(),deq()' --complete=off "${sc[@]}"
refused 'has no room for takes' check "$q" "${sc[@]}" \
    --test "$(printf 'enq(1),%.0s' {1..15})enq(1)"

# ---- factor 0 is linearizability ----

l=(--spec fifo --setup 'queue_init(&q)' --call 'add(&q, 1)' --call 'add(&q, 2)' --call 'try_take(&q)')
passes "$s/correct/locked_queue.c" "${l[@]}" --factor 0 --test 'add(1),try_take() | add(2)'
violates not-quasi-linearizable "$s/wrong/timeout_queue.c" "${l[@]}" --factor 0 --test 'add(1),try_take() | add(2)' "${sc[@]}"

# ---- three threads with four calls each, factor 3: one search of 19 configurations for each execution ----

for reading in "--quasi=definition4 --model sc" "--quasi=positions --model rc11"; do
    # shellcheck disable=SC2086 # two options
    passes "$q" --factor 3 $reading --stats \
        --test 'enq(1),enq(2),deq(),deq() | enq(3),enq(4),deq(),deq() | enq(5),enq(6),deq(),deq()'
    [[ $(key result.json executions) = 34650 && $(key result.json stats configurations) = 658350 ]] ||
        die "$reading: $(key result.json stats configurations) configurations"
done

# a value taken twice: no factor explains it, and that is found out early under each reading
for reading in positions all-subsets definition4; do
    expect 1 check "$s/wrong/quasi_queue_b2.c" --factor 3 --quasi=$reading --stats --no-shrink "${sc[@]}" \
        --save no --json result.json --test 'enq(1),enq(2),deq(),deq() | enq(3),enq(4),deq(),deq() | enq(5),enq(6),deq(),deq()'
    (($(key result.json stats configurations) < 50000)) || die "$reading: $(key result.json stats configurations) configurations"
    grep -q '^      none, however large$' out || { cat out; die "$reading: which factor"; }
done

# so is one that only larger factors explain
for factor in enq=1 deq=1; do
    expect 1 check "$q" --factor $factor --quasi=definition4 --stats --no-shrink "${sc[@]}" --save no --json result.json \
        --test 'enq(1),enq(2),deq(),deq() | enq(3),enq(4),deq(),deq() | enq(5),enq(6),deq(),deq()'
    (($(key result.json stats configurations) < 20000)) || die "$factor: $(key result.json stats configurations) configurations"
done

# ---- weak memory: wrong only for a client that orders its calls itself ----

for model in tso rc11; do
    violates not-quasi-linearizable "$s/wrong/snark_deque.c" --spec deque --factor 0 --complete=off \
        --test 'pop_right() | push_right(4),push_right(5),pop_left()' --model $model --no-shrink
    grep -q 'push_right(4) on thread 2 returns before pop_right() on thread 1 is called' first || die "the client"
done
violates not-quasi-linearizable "$q" --test "$fours" --factor deq=1 --model rc11

# ---- bad input ----

refused "there is no operation 'get'; there are enq, deq" check "$q" --factor get=2
refused "'-1' is no factor" check "$q" --factor deq=-1
refused "'-1' is no factor" check "$q" --factor -1
refused "'deq' is neither a number for all nor OPERATION=NUMBER" check "$q" --factor deq=1,deq
refused "deq is named twice" check "$q" --factor deq=1,deq=2
refused "one factor for all operations" check "$q" --quasi=all-subsets --factor deq=1
refused "belong to --criterion quasi" check "$q" --criterion linearizable --factor 1
refused "without --jobs" check "$q" --find-factor --jobs 2
refused "needs the spec of the exact object" check "$s/correct/locked_queue.c" "${queue[@]}" --factor 1
refused "needs --factor" check "$s/correct/locked_queue.c" "${l[@]}" --criterion quasi
refused "under --model sc only" check "$q" --decider enumerate
refused "with factors that are given" check "$q" --decider enumerate --find-factor "${sc[@]}"
refused "deq is named twice" check "$q" --factor deq+enq=1,deq=2
refused "there is no operation 'get'; there are enq, deq" check "$q" --factor deq+enq=1,get=2
refused "'' is neither a number for all nor OPERATION=NUMBER" check "$q" --factor deq=2,
refused "--find-factor looks for the numbers" check "$q" --find-factor --factor 2
refused "--find-factor looks for the numbers" check "$q" --find-factor --factor enq=0,deq=1
refused "--skip-known: goes with --decider enumerate and --criterion quasi" check "$q" --skip-known off
refused "--skip-known: goes with" check "$q" --skip-known off --decider enumerate --criterion linearizable
sed 's/^PLUMB_FACTOR.*/&\nPLUMB_FACTOR(deq = -1)/' "$q" >twice.c
refused "twice.c:$(grep -n 'deq = -1' twice.c | cut -d: -f1): PLUMB_FACTOR: there is one already" check twice.c
sed 's/^PLUMB_FACTOR.*/PLUMB_FACTOR(deq = -1)/' "$q" >negative.c
refused "negative.c:$(grep -n PLUMB_FACTOR negative.c | cut -d: -f1): PLUMB_FACTOR: '-1' is no factor" check negative.c
printf '#include "%s"\nPLUMB_FACTOR(take=1)\n' "$s/correct/locked_queue.c" >own.c
cat >>own.c <<'C'
#include <plumb.h>
PLUMB_SPEC(fifo) PLUMB_SETUP(queue_init(&q)) PLUMB_CALL(add(&q, 1)) PLUMB_CALL(try_take(&q))
C
sed -i '1i #include <plumb.h>' own.c
refused "own.c:3: PLUMB_FACTOR: there is no operation 'take'" check own.c
