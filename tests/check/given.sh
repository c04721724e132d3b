# Given tests: verdict, test and counts of right and wrong objects.
source "$SRC/tests/check/lib.bash"
s=$SRC/subjects

passes "$s/correct/locked_queue.c" "${queue[@]}" --test 'add(1),try_take() | add(2),try_take()'
[[ $(key result.json executions) = 12 ]] || die "locked_queue: $(key result.json executions) executions"
passes "$s/correct/treiber_stack.c" "${stack[@]}" --test 'push(1),pop() | push(2),pop()'
passes "$s/correct/counter.c" --call 'inc()' --call 'dec()' --call 'get()' \
    --test 'dec(),get() | inc(),inc()'
passes "$s/correct/reset_event.c" --call 'set()' --call 'reset()' --call 'wait()' \
    --test 'wait() | set(),reset(),set()'

violates not-linearizable "$s/wrong/timeout_queue.c" "${queue[@]}" --no-shrink \
    --test 'add(1),try_take() | add(2),try_take()'
[[ $(key result.json violation test) = 'add(1),try_take() | add(2),try_take()' ]] || die "test"
grep -q 'try_take() = 0' first || die "timeout_queue: no answer shown"
violates not-linearizable "$s/wrong/slot_queue.c" "${queue[@]}" --test 'add(1),try_take() | add(2)'
violates not-linearizable "$s/wrong/lost_stack.c" "${stack[@]}" --test 'push(1),pop() | pop()'
violates not-linearizable "$s/wrong/counter1.c" --call 'inc()' --call 'get()' \
    --test 'inc(),get() | inc()'
grep -q 'answers 1' first || die "counter1: which answer?"
# Alone, inc waits for ever after a get, too: only a given spec says that it must not.
passes "$s/wrong/counter2.c" --call 'inc()' --call 'get()' --test 'get() | inc()'
violates stuck "$s/wrong/reset_event.c" --call 'set()' --call 'reset()' --call 'wait()' \
    --test 'wait() | set(),reset(),set()'
# A smaller test does not show it.
passes "$s/wrong/reset_event.c" --call 'set()' --call 'reset()' --call 'wait()' \
    --test 'wait() | set(),reset()'
