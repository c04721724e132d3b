# The gallery in larger tests. Rows as in gallery.sh.
source "$SRC/tests/check/lib.bash"
source "$SRC/tests/check/lib_gallery.bash"

# The second error of Snark: a node popped from both sides. It takes more than 30 seconds to find out
# that the test cannot be smaller; the violation must not get lost over it.
row wrong/snark_twice not-linearizable not-linearizable not-linearizable \
    --init 'push_right(4),push_right(5)' --test 'pop_left() | pop_right() | pop_right(),push_left(7),pop_left()'

# every SUBJECT SC RC11 ARGUMENTS...: all tests of two threads with two calls
every() {
    local subject=$1 sc=$2 rc11=$3
    shift 3
    one sc "$subject" "$sc" --size 2x2 "$@"
    one rc11 "$subject" "$rc11" --size 2x2 "$@"
}
every correct/mpmc_queue 1191 1271
every correct/elimination_stack 3985 5191
every correct/flat_combining 7110 7110
every correct/hazard_stack 1398 1826
every correct/seqlock 7357 7357
every correct/lazy_list 8581 8581
every correct/lazy_list 8646 8646 --init 'add(2)'
# How many there are depends on the order of the threads: rounds that store what is overwritten are not always known
# to come to nothing (the histories are the same).
every correct/skip_list 50748 58843
every correct/skip_list 161488 174365 --init 'add(2)'
every correct/striped_counter 41 41
every correct/harris_list 13630 13632
every correct/harris_list 17218 17232 --init 'add(6)'
# Under rc11 a pop of the free list may have seen, by a relaxed load, that a push is over, and still read
# the link that an earlier try of that push stored. Its exchange must fail then, but that is not explored,
# and plumb says so (docs/explore.md).
every correct/treiber_reclaim 849 unknown:849
every correct/treiber_reclaim 849 3525 --unroll 2
every correct/pair_snapshot 576 576
queue=(--setup 'queue_init()' --call 'enq(1)' --call 'enq(2)' --call 'deq()')
every correct/ms_queue 251 251 "${queue[@]}"
every correct/ms_queue 1525 1525 "${queue[@]}" --helping explore
every correct/hw_queue 176 182 --call 'enq(1)' --call 'enq(2)' --call 'deq()'
every correct/treiber_stack 283 283 "${stack[@]}"
