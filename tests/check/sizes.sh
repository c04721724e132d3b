# Which tests are run when none is given, how many, and the smallest that is wrong.
source "$SRC/tests/check/lib.bash"
s=$SRC/subjects

passes "$s/correct/locked_queue.c" "${queue[@]}" --size 2x2 --model sc
[[ $(key result.json tests) = 45 && $(key result.json coverage) = bounded ]] || die "tests of 2x2"
# 6 orders of the four critical sections each, of which none is like another.
[[ $(key result.json executions) = 270 && $(key result.json histories) = 270 ]] || die "orders"
grep -q 'linearizable in all 45 tests of 2x2; under sc;' out || die "what was exhausted is not named"
passes "$s/correct/locked_queue.c" "${queue[@]}" --random 5 --size 3x2 --seed 7
[[ $(key result.json coverage) = sampled && $(key result.json tests) = 10 ]] || die "random"
cp result.json before.json
passes "$s/correct/locked_queue.c" "${queue[@]}" --random 5 --size 3x2 --seed 7
[[ $(key result.json executions) = $(key before.json executions) ]] || die "the seed decides"

# Work that grows, cut by the time: what was done counts.
cat >one.c <<'C'
static int one(void) { return 1; }
static int two(void) { return 2; }
static int three(void) { return 3; }
C
passes one.c --call 'one()' --call 'two()' --call 'three()' --seconds 6
grep -q 'only a sample of' out || die "nothing was sampled"
# Of sizes with few tests that respect groups and limits each is run, once; then there is nothing more.
passes one.c --call 'one()' --call 'two()' --call 'three()' --group one --group two,three
grep -q 'in all 2 tests of 2x1, all 4 tests of 2x2, all 8 tests of 2x3; under' out || { cat out; die "groups"; }
passes one.c --call 'one()' --call 'two()' --limit one=1,two=1
grep -q 'in the only test of 2x1; under' out || { cat out; die "limits"; }
# Particular tests, not done in time: not known.
expect 3 check "$s/correct/locked_queue.c" "${queue[@]}" --size 3x3 --seconds 1
grep -q '^unknown: not all was explored' out || { cat out; die "unknown"; }

# The smallest wrong test: no call can go.
violates not-linearizable "$s/wrong/slot_queue.c" "${queue[@]}"
[[ $(key result.json violation test) = 'add(1) | add(1),try_take()' ]] ||
    die "slot_queue: $(key result.json violation test)"
violates not-linearizable "$s/wrong/timeout_queue.c" "${queue[@]}" \
    --test 'add(1),add(2),try_take() | try_take(),add(1),try_take() | add(2)' --model sc
[[ $(key result.json violation test | tr -cd '(' | wc -c) = 3 ]] ||
    die "not minimal: $(key result.json violation test)"
violates not-linearizable "$s/wrong/lost_stack.c" "${stack[@]}"
violates not-linearizable "$s/wrong/counter1.c" --call 'inc()' --call 'get()'
# Line-Up's root cause A takes three calls of one thread.
passes "$s/wrong/reset_event.c" --call 'set()' --call 'reset()' --call 'wait()' --size 2x2
rm -f found.plumb
expect 1 check "$s/wrong/reset_event.c" --call 'set()' --call 'reset()' --call 'wait()' --size 2x3 \
    --keep-going --no-shrink --model sc --save no --json result.json
grep -q '^STUCK' out || die "reset_event: no stuck history"
passes "$s/correct/reset_event.c" --call 'set()' --call 'reset()' --call 'wait()' --size 2x3 --model sc
