# The gallery: for each subject a small test, its verdict under each model, and for a pass the number
# of executions.
#
#   row SUBJECT SC TSO RC11 ARGUMENTS...    a number: a pass with so many executions; else a kind
source "$SRC/tests/check/lib.bash"
source "$SRC/tests/check/lib_gallery.bash"

queue=(--call 'enq(1)' --call 'enq(2)' --call 'enq(3)' --call 'deq()')
calls=("${queue[@]}" --setup 'queue_init()')
row correct/ms_queue 6 6 6 "${calls[@]}" --test 'enq(1),deq() | enq(2),deq()'
row correct/ms_queue 12 12 12 "${calls[@]}" --test 'enq(1),deq() | enq(2) | deq()'
row correct/ms_queue 90 90 90 "${calls[@]}" --test 'enq(1),deq() | enq(2),deq() | enq(3),deq()'
row correct/ms_queue 16 16 16 "${calls[@]}" --helping explore --test 'enq(1),deq() | enq(2),deq()'
row correct/ms_queue 53 53 53 "${calls[@]}" --helping explore --test 'enq(1),deq() | enq(2) | deq()'
row correct/ms_queue 1368 1368 1368 "${calls[@]}" --helping explore --test 'enq(1),deq() | enq(2),deq() | enq(3),deq()'
row wrong/ms_queue data-race data-race data-race "${calls[@]}" --test 'enq(1),deq() | enq(2),deq()'

row correct/hw_queue 2 2 2 "${queue[@]}" --test 'enq(1),enq(2) | deq(),deq()'
row correct/hw_queue 16 16 16 "${queue[@]}" --test 'enq(1) | enq(2) | deq() | deq()'
row correct/hw_queue 2592 2592 2592 "${queue[@]}" \
    --test 'enq(1) | enq(2) | enq(3) | deq() | deq() | deq()'
row wrong/hw_queue 2 2 not-linearizable "${queue[@]}" --test 'enq(1),enq(2) | deq()'
# What a dequeue's exchanges are for takes eight threads to see; an enqueue needs no acquire with as many.
eight=(--call 'enq(1)' --call 'deq()' --spec fifo --blocking deq --clients 4+4 --no-shrink)
one rc11 correct/hw_queue 6912 "${eight[@]}"
one rc11 correct/hw_queue not-linearizable "${eight[@]}" -- -DSWEEP=memory_order_acquire
one rc11 correct/hw_queue not-linearizable "${eight[@]}" -- -DSWEEP=memory_order_release

row correct/treiber_stack 10 10 10 "${stack[@]}" --test 'push(1),pop() | push(2),pop()'
row wrong/lost_stack not-linearizable not-linearizable not-linearizable "${stack[@]}" \
    --test 'push(1),pop() | pop()'
row wrong/stack_reclaim use-after-free use-after-free use-after-free "${stack[@]}" \
    --test 'push(1),pop() | push(2),pop()'
row correct/treiber_reclaim 34 34 34 --test 'push(1),pop() | push(2),pop()'
row correct/treiber_reclaim 18 18 21 --init 'push(1),push(2)' --test 'pop() | pop(),push(1)' --final 'pop()'
row wrong/treiber_reclaim not-linearizable not-linearizable not-linearizable \
    --init 'push(1),push(2)' --test 'pop() | pop(),push(1)' --final 'pop()'
row wrong/treiber_reclaim not-linearizable not-linearizable not-linearizable \
    --test 'push(1),push(1) | push(1),pop()'
row correct/hazard_stack 238 238 356 --test 'push(1),pop() | push(2),pop()'
row wrong/hazard_stack use-after-free use-after-free use-after-free \
    --test 'push(1),pop() | push(2),pop()'
row wrong/hazard_relaxed use-after-free use-after-free use-after-free \
    --test 'push(1),pop() | push(2),pop()'
row correct/elimination_stack 40 40 52 --test 'push(1),pop() | push(2),pop()'
row correct/elimination_stack 64 64 76 \
    --init 'push(1)' --test 'push(2) | pop() | push(3)' --final 'pop(),pop(),pop()'
row wrong/elimination_stack not-linearizable not-linearizable not-linearizable \
    --init 'push(1)' --test 'push(2) | pop() | push(3)' --final 'pop(),pop(),pop()'
# A push that cannot withdraw its offer must learn of the pop that took it, and what that one knew.
taken=(--init 'push(3)' --test 'pop(),push(2),pop() | push(2) | push(1),pop()' --no-shrink)
row correct/elimination_stack 23800 23800 62888 "${taken[@]}"
row correct/elimination_stack 23800 23800 not-linearizable "${taken[@]}" -- -DTAKEN=memory_order_relaxed
row correct/flat_combining 158 158 158 --test 'push(1),pop() | push(2),pop()'
# A combiner with the lock, whom others have seen have it, has also carried something out: its round is none to leave out.
row correct/flat_combining 158 158 158 --test 'pop(),pop() | pop(),pop()'
# With a third thread a round that takes the lock and frees it, with nothing done, may have been seen by another one:
# plumb says unknown, unless such rounds are explored. No thread makes more than four.
row correct/flat_combining unknown:576 unknown:576 unknown:576 --test 'push(1) | push(2) | pop()'
row correct/flat_combining 576 576 576 --test 'push(1) | push(2) | pop()' --unroll 4
row wrong/flat_combining data-race data-race data-race --test 'push(1),pop() | push(2)'

row correct/spsc_queue 19 19 19 --test 'put(1),put(2),put(3) | take(),take()'
row wrong/spsc_queue 19 not-linearizable not-linearizable --test 'put(1),put(2),put(3) | take(),take()'
ring=(--call 'put(1)' --call 'put(2)' --call 'put(3)' --call 'int v; bool take(&v) -> v')
row correct/spsc_ring 9 9 9 "${ring[@]}" --test 'put(1),put(2) | take(),take()'
row wrong/spsc_ring data-race data-race data-race "${ring[@]}" --test 'put(1),put(2) | take(),take()'
row correct/mpmc_queue 42 42 42 --test 'enq(1),deq() | enq(2),deq()'
row correct/mpmc_queue 161 161 161 --test 'enq(1),enq(2) | enq(2) | deq(),deq()'
row wrong/mpmc_queue not-linearizable not-linearizable not-linearizable \
    --test 'enq(1),deq() | enq(2),deq()'
row wrong/mpmc_relaxed 42 42 not-linearizable --test 'enq(1),deq() | enq(2),deq()'
deque=(--test 'push(1),push(2),take(),take() | steal(),steal()')
row correct/chase_lev 67 67 67 "${deque[@]}"
row wrong/chase_lev 67 not-linearizable not-linearizable "${deque[@]}"
store='-DPUBLISH(b)=atomic_store_explicit(&bottom, b, memory_order'
row correct/chase_lev 67 67 not-linearizable "${deque[@]}" -- "${store}_relaxed)"
# A release store is enough by the rule of rc11, not by that of C++20, which the twin spells out (docs/explore.md).
row correct/chase_lev 67 67 67 "${deque[@]}" -- "${store}_release)"
row wrong/chase_lev_cxx20 67 67 not-linearizable "${deque[@]}"

# The sets: each add or del and then the look for the key of the other one, at another link, must not both miss. Every
# order that is weaker is found by it; not the weaker store of the lazy list's mark, for which a has must
# first see another key.
order=memory_order
row correct/harris_list 36 36 36 --test 'add(5),del(5) | add(6),del(5)'
row wrong/harris_list data-race data-race data-race --test 'add(5),del(5) | add(6)'
row correct/harris_list 7 7 7 --init 'add(6)' --test 'add(5),has(7) | add(7),has(5)'
row correct/harris_list 7 7 7 --init 'add(5),add(6)' --test 'add(7),del(5) | has(5),has(7)'
each=(--init 'add(5),add(6)' --test 'del(5),has(7) | add(7),has(5)')
row correct/harris_list 8 8 9 "${each[@]}"
for weaker in LINK=${order}_release REMOVE=${order}_relaxed REMOVE=${order}_release WALK=${order}_acquire; do
    row correct/harris_list 8 8 not-linearizable "${each[@]}" -- "-D$weaker"
done

row correct/lazy_list 7 7 7 --test 'add(1),del(1) | add(2),has(2)'
row wrong/lazy_list not-linearizable not-linearizable not-linearizable \
    --test 'add(1),del(1) | add(2),has(2)'
each=(--init 'add(1),add(2)' --test 'del(1),has(3) | add(3),has(1)')
row correct/lazy_list 6 7 7 "${each[@]}"
row correct/lazy_list 6 not-linearizable not-linearizable "${each[@]}" -- -DLINK=${order}_release
row correct/lazy_list 6 not-linearizable not-linearizable "${each[@]}" -- -DREMOVE=${order}_release
row correct/lazy_list 6 7 not-linearizable "${each[@]}" -- -DLOOK=${order}_acquire
order_of_two=(--init 'add(1)' --test 'add(2),del(1) | has(1),has(2)')
row correct/lazy_list 6 6 6 "${order_of_two[@]}"
row correct/lazy_list 6 6 not-linearizable "${order_of_two[@]}" -- -DREMOVE=${order}_relaxed

row correct/skip_list 177 177 217 --test 'add(2),del(2) | add(1),has(2)'
row correct/skip_list 605 605 607 --init 'add(2)' --test 'del(2),add(2) | del(2),has(2)'
row wrong/skip_list not-linearizable not-linearizable not-linearizable \
    --init 'add(2)' --test 'del(2) | del(2)'
row correct/skip_list 5 5 5 --init 'add(2)' --test 'add(1),has(3) | add(3),has(1)'
row correct/skip_list 5 5 7 "${each[@]}"
for weaker in LINK=${order}_release REMOVE=${order}_release "WALK(level)=${order}_acquire"; do
    row correct/skip_list 5 5 not-linearizable "${each[@]}" -- "-D$weaker"
done
short_cut=(--call 'add(1)' --call 'add(3)' --call 'add(4)' --call 'add(5)' --call 'del(4)' --call 'has(1)' --call 'has(5)'
    --init 'add(3),add(4)' --test 'add(1),has(5) | del(4),add(5),has(1)')
row correct/skip_list 64 64 74 "${short_cut[@]}"
row wrong/skip_list_above 64 64 not-linearizable "${short_cut[@]}"

row correct/seqlock 20 20 20 --test 'set(1,1),get() | set(2,2),get()'
row wrong/seqlock 2 2 not-linearizable --test 'set(1,1) | get()'
row correct/striped_counter 6 6 6 --test 'inc(),get() | inc(),get()'
row wrong/striped_counter not-linearizable not-linearizable not-linearizable --test 'inc() | dec() | get()'
row wrong/striped_relaxed 6 6 not-linearizable --test 'inc(),get() | inc(),get()'
