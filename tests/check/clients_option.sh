# --clients: one call a thread, putters of different values and takers.
source "$SRC/tests/check/lib.bash"
s=$SRC/subjects
queue=(--call 'enq(1)' --call 'deq()' --spec fifo)

# The values of more putters are made up; histories that differ in names only are decided once.
passes "$s/correct/hw_queue.c" "${queue[@]}" --blocking deq --clients 3+3 --model rc11 --stats
[[ $(key result.json executions) = 2592 ]] || die "hw_queue: $(key result.json executions) executions"
[[ $(key result.json stats like_another) = 2520 ]] || die "hw_queue: $(key result.json stats like_another)"
passes "$s/correct/treiber_stack.c" --call 'push(7)' --call 'pop()' --spec lifo --clients 2+2
passes "$s/correct/ms_queue.c" --setup 'queue_init()' "${queue[@]}" --clients 2+2 --model rc11
# Wrong only with a client that orders the two enqueues.
passes "$s/wrong/hw_queue.c" "${queue[@]}" --blocking deq --clients 2+2 --model sc
violates not-linearizable "$s/wrong/hw_queue.c" "${queue[@]}" --blocking deq --clients 4+4 --model rc11 --no-shrink
violates not-linearizable "$s/wrong/hw_queue.c" "${queue[@]}" --blocking deq --clients 2+1 --model rc11
[[ $(key result.json violation test) = 'enq(1) | enq(2) | deq()' ]] || die "$(key result.json violation test)"

refused "'3' is not PUTTERS+TAKERS" check "$s/correct/hw_queue.c" "${queue[@]}" --clients 3
refused "there are calls of 1 values to put in and none to take one out" \
    check "$s/correct/hw_queue.c" --call 'enq(1)' --clients 1+1
