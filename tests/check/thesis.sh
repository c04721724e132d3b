# The test cases of du Toit's thesis (Table 4.2): LockFreeSet passes, the errors of the others are
# found. Rows as in gallery.sh. docs/RESULTS.md says what differs from the thesis, and why.
source "$SRC/tests/check/lib.bash"
source "$SRC/tests/check/lib_gallery.bash"

# A dequeue passes over the value: it waits for ever (or takes the 9 behind it).
row wrong/buggy_queue stuck stuck stuck --test 'deq() | enq(8),enq(9)'
row wrong/lock_free_list not-linearizable not-linearizable not-linearizable \
    --test 'add(5),add(6),add(7),del(5),del(6) | del(6)'
row wrong/lock_free_list not-linearizable not-linearizable not-linearizable --test 'add(5),add(7),del(5),has(6) | add(6)'
snap='write_cell(1,101),write_cell(3,201),write_cell(1,301) | has_pair(1,3)'
row wrong/pair_snapshot not-linearizable not-linearizable not-linearizable --test "$snap"
row correct/pair_snapshot 4 4 4 --test "$snap"
row wrong/snark_deque not-linearizable not-linearizable not-linearizable --test 'pop_right() | push_right(4),push_right(5),pop_left()'
# As published it cannot go wrong here; with a double compare-and-swap that readers see half of, it does.
row wrong/snark_deque 5 5 5 --test 'pop_right() | push_right(6),pop_left()'
row wrong/snark_halves not-linearizable not-linearizable not-linearizable \
    --test 'pop_right() | push_right(6),pop_left()'
row wrong/snark_twice 60 60 60 --test 'pop_right() | push_right(4),push_right(5),pop_left()'

row correct/lock_free_set 3 3 3 --test 'add(5),add(5) | del(5)'
# Table 4.10, where the thesis stops: two threads of four operations, three of two.
row correct/lock_free_set 42 42 42 --test 'add(1),del(1) | add(2),del(2)'
one sc correct/lock_free_set 9014 \
    --test 'add(1),del(1),add(2),del(2) | add(3),del(3),add(4),del(4)'
one sc correct/lock_free_set 26088 --test 'add(1),del(1) | add(2),del(2) | add(3),del(3)'
# Each operation has a value of its own, so its answer is always the same, and the distinct histories are
# all orders of calls and returns: 16!/(8! 8!) here. The other decider lists them one by one.
one sc correct/lock_free_set 9014 --decider enumerate --stats \
    --test 'add(1),del(1),add(2),del(2) | add(3),del(3),add(4),del(4)'
[[ $(key result.json stats distinct) = 12870 ]] || { cat out; die "distinct histories of 2 x 4"; }

# The tables: every case as in the thesis, and as many distinct histories.
expect 0 bench papers --only thesis --subjects "$SRC/subjects" --seconds 2 --json r.json
python3 - <<'PYTHON' || { cat out; die "distinct histories"; }
import json
rows = {r["name"]: r["all"].get("distinct") for r in json.load(open("r.json"))["rows"]}
cases = ["BuggyQueue", "LockFreeList Bug1", "LockFreeList Bug2", "PairSnap", "SnarkDeque Bug1",
         "SnarkDeque Bug2", "LockFreeSet"]
assert [rows[c] for c in cases] == [27, 130, 73, 48, 60, 31, 31], rows
others = ["BuggyQueue that waits", "LockFreeList without marks", "SnarkDeque, real DCAS"]
assert [rows[c] for c in others] == [20, 142, 27], rows
PYTHON
